import type { Ledger, RutAttempts } from "../document/ledger.ts";
import { RULES } from "../document/rules.ts";
import type { Command } from "./commands.ts";
import { pick } from "./pick-things.ts";

const LONGEST_HOLD = 50_000;

/** Milliseconds that a command waits. While a call is held its lease must not run out. */
export function waitOf(command: Command, ledger: Ledger, now: number): number {
	const wanted =
		command.do === "wait"
			? command.milliseconds
			: command.do === "wait until"
				? until(command, ledger, now)
				: 0;
	const codes = Object.values(ledger.codes);
	const since = Math.min(...codes.map(({ running }) => running?.since ?? Number.POSITIVE_INFINITY));
	return Math.max(0, Math.min(wanted, since + LONGEST_HOLD - now));
}

function until(command: Extract<Command, { do: "wait until" }>, ledger: Ledger, now: number): number {
	const codes = Object.values(ledger.codes);
	const real = (partner: string, time: number | null) =>
		time === null ? null : time - ledger.partners[partner]!.clockOffset;
	const realTimes = {
		"lock ends": codes.flatMap(({ partner, requestLockedUntil, claimLockedUntil }) => [
			real(partner, requestLockedUntil),
			real(partner, claimLockedUntil),
		]),
		"RUT lock ends": attemptsOf(ledger).map(([partner, { lockedUntil }]) => real(partner, lockedUntil)),
		"RUT is counted anew": attemptsOf(ledger).map(([partner, { firstAt }]) =>
			real(partner, firstAt + RULES.rutWindow),
		),
		"window ends": codes.map(({ partner, createdAt }) => real(partner, createdAt + RULES.window)),
		"certificate ends": codes.map(({ partner, certificate }) => real(partner, certificate?.notAfter ?? null)),
		"validation lapses": codes.map(({ partner, validation }) =>
			real(partner, validation && validation.at + RULES.validationLife),
		),
		"rate is free": Object.values(ledger.partners).map(({ emissions: [first] }) =>
			first === undefined ? null : first + RULES.emissionWindow,
		),
		"kept answer ends": Object.values(ledger.kept).map((kept) => kept.until),
		"sale ends": ends(ledger, RULES.saleMargin),
		"issue ends": ends(ledger, 0),
		"session ends": Object.values(ledger.sessions).map(({ code, until }) =>
			real(ledger.codes[code]!.partner, until),
		),
		"key is gone": Object.values(ledger.partners).map(({ suspendedAt }) =>
			suspendedAt === null ? null : suspendedAt + RULES.lingering,
		),
	};
	const moments = realTimes[command.moment].filter(
		(at): at is number => at !== null && at > now && at < Number.MAX_SAFE_INTEGER,
	);
	return (pick(moments, command.of) ?? now) + command.offBy - now;
}

/** When a certificate of each product, issued so long after, first outlives its authority. */
function ends({ authority }: Ledger, margin: number): number[] {
	const seconds = 1000;
	return Object.values(RULES.products).map((validity) => {
		const end = new Date(authority.until);
		if ("years" in validity) end.setUTCFullYear(end.getUTCFullYear() - validity.years);
		else end.setUTCDate(end.getUTCDate() - validity.days);
		return end.getTime() + seconds - margin;
	});
}

function attemptsOf({ partners }: Ledger): [string, RutAttempts][] {
	return Object.entries(partners).flatMap(([name, { rutAttempts }]) =>
		Object.values(rutAttempts).map((attempts): [string, RutAttempts] => [name, attempts]),
	);
}
