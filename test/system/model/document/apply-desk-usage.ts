import type { Desk } from "./desk.ts";
import { badShape, type Outcome, success } from "./expected.ts";
import type { CodeState, Ledger } from "./ledger.ts";
import type { Rules } from "./rules.ts";

const CHILE = new Intl.DateTimeFormat("en-US", {
	timeZone: "America/Santiago",
	year: "numeric",
	month: "2-digit",
});

/** In Chile's time, YYYY-MM. */
export function monthOf(at: number): string {
	const [month, year] = CHILE.format(at).split("/");
	return `${year}-${month}`;
}

/** Decisions, "usage": per product, each thing in the month in which it happened. */
export function applyOwnUsage(ledger: Ledger, month: string | undefined, desk: Desk): Outcome {
	const { id, kind, now, rules } = desk;
	if (month !== undefined && !/^20\d\d-(0[1-9]|1[0-2])$/.test(month))
		return { ledger, expected: badShape(kind, ["month"]) };
	const asked = month ?? monthOf(now);
	const codes = Object.values(ledger.codes).filter(({ partner }) => partner === id);
	const products = Object.keys(rules.products).map((product) => {
		const events = codes.filter((code) => code.product === product).map((code) => eventsOf(code, now, rules));
		const count = (kindOf: keyof ReturnType<typeof eventsOf>) =>
			events.filter((of) => of[kindOf] !== null && monthOf(of[kindOf]!) === asked).length;
		return {
			product,
			created: count("created"),
			validated: count("validated"),
			emitted: count("emitted"),
			revoked: count("revoked"),
			expired: count("expired"),
		};
	});
	const data = { month: asked, time_zone: "America/Santiago", products };
	return { ledger, expected: success(month === undefined ? kind : `${kind} of a month`, 200, data) };
}

/** When each happened, null for never. A certificate that was revoked before its end does not expire. */
function eventsOf({ createdAt, firstValidatedAt, certificate }: CodeState, now: number, rules: Rules) {
	const { issuedAt = null, revokedAt = null, notAfter = null } = certificate ?? {};
	const wasRevoked = revokedAt !== null && revokedAt < notAfter! && !rules.revokedExpire;
	return {
		created: createdAt,
		validated: firstValidatedAt,
		emitted: issuedAt,
		revoked: revokedAt,
		expired: notAfter !== null && notAfter <= now && !wasRevoked ? notAfter : null,
	};
}
