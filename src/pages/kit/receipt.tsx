import type { Receipt as Certificate } from "../../domain/receipt.ts";
import { readableTime } from "../../texts/dates.ts";
import { fill } from "../../texts/language.ts";
import { receiptFacts, RECEIPT as T } from "../../texts/widget-receipt.ts";
import type { Call } from "./call.ts";
import { Print } from "./copyable.tsx";
import { sayIn } from "./language.ts";
import { Facts } from "./parts.tsx";
import { Qr } from "./qr.tsx";

/** The receipt of a certificate, without a heading. Printing its page prints it alone. */
export function Receipt({ c, receipt }: { c: Call; receipt: Certificate }) {
	const say = sayIn(c);
	const locale = c.get("language");
	const { brand, settings } = c.get("platform");
	const url = `${settings.publicUrl}/revocar`;
	return (
		<div class="receipt">
			<p class="issuer">
				<img src="/brand/mark.svg" alt="" width="28" height="28" /> <b>{brand.name}</b> {say(T.title)}
			</p>
			<Facts facts={receiptFacts(receipt, locale, (at) => readableTime(at, locale))} />
			<p>
				{say(T.revoke)} <a href={`/revocar?lang=${locale}`}>{url}</a>
			</p>
			<Qr text={url} label={say(fill(T.code, { url }))} />
			<p class="hint">{say(T.noFile)}</p>
			<p>
				<a href={`/instalar?lang=${locale}`}>{say(T.install)}</a>
			</p>
			<Print label={say(T.print)} />
		</div>
	);
}
