import type { ShownCertificate } from "../../db/holders-across-partners.ts";
import { readableDate, readableTime } from "../../texts/dates.ts";
import { HOLDER_PAGE as T } from "../../texts/holder-page.ts";
import { REVOKED_FOR } from "../../texts/revoked-email.ts";
import { RECEIPT } from "../../texts/widget-receipt.ts";
import type { Call } from "../kit/call.ts";
import { Print } from "../kit/copyable.tsx";
import { sayIn } from "../kit/language.ts";
import { Facts } from "../kit/parts.tsx";

/** Facts of a revocation that was done, to be printed; the button is shown where there is script. */
export function RevocationReceipt({ c, certificate }: { c: Call; certificate: ShownCertificate }) {
	const { serial, partnerName, issuedAt, notAfter, revokedAt, revocationReason } = certificate;
	const say = sayIn(c);
	const language = c.get("language");
	return (
		<section aria-labelledby="receipt">
			<h2 id="receipt">{say(T.receipt)}</h2>
			<Facts
				facts={[
					[say(T.revokedAt), readableTime(revokedAt!, language)],
					[say(T.whyRevoked), say(REVOKED_FOR[revocationReason!])],
					[say(RECEIPT.serial), <code>{serial}</code>],
					[say(RECEIPT.seller), partnerName],
					[say(T.issuer), c.get("platform").brand.name],
					[say(T.issuedOn), readableDate(issuedAt, language)],
					[say(T.validTo), readableDate(notAfter, language)],
				]}
			/>
			<p>{say(T.receiptNote)}</p>
			<p>
				<Print label={say(T.print)} />
			</p>
		</section>
	);
}
