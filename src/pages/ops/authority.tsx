import type { Child } from "hono/jsx";
import { isSellable } from "../../domain/certificate-dates.ts";
import { PRODUCT_CODES } from "../../domain/products.ts";
import { authorityDates } from "../../pki/authority-dates.ts";
import { crlKey, findPublishedCrl } from "../../pki/published-crl.ts";
import { askSigner, type SignerState } from "../../signer/signer-state.ts";
import { OPS_CONSOLE } from "../../texts/ops-console.ts";
import { OPS_UPKEEP as T } from "../../texts/ops-console-upkeep.ts";
import { Badge } from "../kit/badge.tsx";
import type { Call } from "../kit/call.ts";
import { Copyable } from "../kit/copyable.tsx";
import { sayIn } from "../kit/language.ts";
import { Facts, Table } from "../kit/parts.tsx";
import { page, show } from "./console.tsx";
import { NOT_SIGNING, Runbook } from "./runbook.tsx";
import { when } from "./words.tsx";

/** Pages on the parts of the authority that expire, and the CRLs that relying parties get. */
export const authorityPages = [
	page("/authority", { trips: 0 }, async (c) => {
		const say = sayIn(c);
		const platform = c.get("platform");
		const now = platform.clock();
		const [signer, ends] = await Promise.all([askSigner(platform), authorityDates(platform, now)]);
		const dates = ends.map(({ certificate, keyId, endsAt, days, isNear }) => [
			say(T[certificate]),
			keyId ? <Copyable text={keyId} language={c.get("language")} /> : say(OPS_CONSOLE.nothing),
			when(c, endsAt),
			String(days),
			<Badge tone={isNear ? "bad" : "good"}>{say(isNear ? T.renewNow : T.inTime)}</Badge>,
		]);
		const crls = platform.authorities.map(async ({ keyId }) => {
			const crl = await findPublishedCrl(platform.pki, crlKey({ keyId }));
			const { number, thisUpdate = null, nextUpdate = null } = crl ?? {};
			return [
				<Copyable text={keyId} language={c.get("language")} />,
				say(keyId === platform.authority.keyId ? T.current : T.retired),
				String(number ?? say(OPS_CONSOLE.nothing)),
				when(c, thisUpdate),
				when(c, Number.isFinite(nextUpdate) ? nextUpdate : null),
			];
		});
		const sold = PRODUCT_CODES.filter((product) => isSellable(product, now, platform.authority));
		return show(
			c,
			{ title: OPS_CONSOLE.authority },
			<>
				<Facts
					facts={[[say(T.keyPlace), say(signer ? T.inSigner : T.inWorker)], ...signerFacts(c, signer)]}
				/>
				{signer && signer.state !== "ok" && (
					<p>
						<Runbook c={c} page={NOT_SIGNING} />
					</p>
				)}
				<Table
					caption={say(T.dates)}
					columns={[T.subject, T.authorityKey, T.ends, T.daysLeft, OPS_CONSOLE.state].map(say)}
					rows={dates}
					empty={say(OPS_CONSOLE.none)}
				/>
				<p>{say(T.ceremony)}</p>
				<Facts facts={[[say(T.products), sold.join(", ") || say(OPS_CONSOLE.none)]]} />
				<Table
					caption={say(T.crls)}
					columns={[T.authorityKey, OPS_CONSOLE.state, T.crlNumber, T.thisUpdate, T.nextUpdate].map(say)}
					rows={await Promise.all(crls)}
					empty={say(OPS_CONSOLE.none)}
				/>
			</>,
		);
	}),
];

function signerFacts(c: Call, signer: SignerState | null): [string, Child][] {
	if (signer === null) return [];
	const say = sayIn(c);
	const { state, entries, headKeptAt, stopped, refused } = signer;
	const refusals = Object.entries(refused).map(([code, n]) => `${code} ${n}`);
	return [
		[say(T.signerState), <Badge tone={state === "ok" ? "good" : "bad"}>{say(T.signerStates[state])}</Badge>],
		...(stopped
			? [[say(T.stopReason), [when(c, stopped.since), ` ${stopped.reason}`]] as [string, Child]]
			: []),
		[say(T.signerEntries), String(entries ?? say(OPS_CONSOLE.nothing))],
		[say(T.headKept), when(c, headKeptAt)],
		[say(T.signerRefused), refusals.join(", ") || say(OPS_CONSOLE.none)],
	];
}
