import { forgetKeys } from "../../../src/db/api-keys.ts";
import { SECOND_MS } from "../../../src/domain/durations.ts";
import { passTime } from "../../support/clock.ts";
import { interceptDb } from "../../support/failing-db.ts";
import { isLongRun } from "../../support/run-size.ts";
import { readLivingTables } from "../../support/tables.ts";
import { carryOn, checkInvariants } from "./check-invariants.ts";
import type { DbFault } from "./db-faults.ts";
import { Fixture } from "./fixture.ts";
import type { UseCase } from "./use-cases.ts";

interface Cell {
	/** Runs in which a fault was met, by its kind. */
	faulted: Record<string, number>;
	violations: string[];
}

/** Ten seconds between two calls: never more than the emission rate admits. */
const BETWEEN_CALLS = 10 * SECOND_MS;
/** A use case that makes more trips is faulted at evenly spread ones. */
const TRIPS_MAX = isLongRun ? 12 : 2;

/**
 * One use case under faults by turns, at each of its round trips; then all that must hold.
 * @param alsoAllowed - answers that are right under these faults, besides the use case's own and 503.
 */
export async function runCell(
	useCase: UseCase,
	faults: Readonly<Record<string, DbFault>>,
	alsoAllowed: readonly number[] = [],
): Promise<Cell> {
	const kinds = Object.entries(faults);
	const fixture = await Fixture.create();
	const bystander = await fixture.partner();
	const theirs = [await fixture.emitted(bystander), await fixture.validated(bystander)];
	// Messages to their holders are due already: a later delivery would change their rows.
	await fixture.deliverAll();
	const partner = await fixture.partner(useCase.settings);
	const before = await rowsOf(bystander.id);
	for (const pCode of theirs) fixture.codes.delete(pCode);

	const targets: string[] = [];
	const cell: Cell = { faulted: {}, violations: [] };
	const wrongAnswers = new Set<string>();
	const run = async (
		around: (act: () => Promise<unknown>, target: string) => Promise<boolean>,
		kind: string,
	) => {
		const target = await useCase.ready(fixture, partner);
		targets.push(target);
		passTime(BETWEEN_CALLS);
		forgetKeys();
		/** Status of the answer, or `-` where nobody waits. */
		const seen = { answer: "-" };
		const act = async () => {
			const answer = await useCase.act(fixture, partner, target);
			seen.answer = String(answer?.status ?? "-");
		};
		const isMet = await around(act, target);
		await useCase.goesOn?.(partner);
		if (!isMet) return;
		cell.faulted[kind] = (cell.faulted[kind] ?? 0) + 1;
		const unavailable = faults[kind]!.succeeds ? [] : [503];
		const allowed = [useCase.success ?? "-", ...unavailable, ...alsoAllowed].map(String);
		if (!allowed.includes(seen.answer))
			wrongAnswers.add(`answer: ${seen.answer}, not ${allowed.join(" or ")}`);
	};

	const trips = { made: 0 };
	await run(async (act) => {
		await interceptDb((nth, deliver) => {
			trips.made = nth;
			return deliver();
		}, act);
		return false;
	}, "none");
	for (const [turn, nth] of spread(trips.made).entries()) {
		const [kind, fault] = kinds[turn % kinds.length]!;
		fixture.inDoubt = fault.inDoubt || (!useCase.asks && fault.arrives);
		await run((act, target) => fault.run(fixture, nth, act, target), kind);
		fixture.inDoubt = false;
	}

	cell.violations.push(...wrongAnswers, ...(await checkInvariants(fixture)));
	for (const target of targets) {
		passTime(BETWEEN_CALLS);
		cell.violations.push(...((await useCase.after?.(fixture, partner, target)) ?? []));
	}
	cell.violations.push(...(await carryOn(fixture)), ...(await checkInvariants(fixture)));
	if ((await rowsOf(bystander.id)) !== before) cell.violations.push("6: another partner's rows have changed");
	return cell;
}

/** 1 to `trips`, or as many of them as are looked at, the first and the last among them. */
function spread(trips: number): number[] {
	const looks = Math.min(trips, TRIPS_MAX);
	return Array.from({ length: looks }, (_, i) => 1 + Math.round((i * (trips - 1)) / Math.max(1, looks - 1)));
}

async function rowsOf(partnerId: string): Promise<string> {
	const { api_keys: _, ...tables } = await readLivingTables();
	return JSON.stringify(
		Object.entries(tables).map(([table, rows]) => [
			table,
			rows.filter((row) => row.partner_id === partnerId || row.id === partnerId),
		]),
	);
}
