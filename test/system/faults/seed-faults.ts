import { vi } from "vitest";
import { REGISTER } from "../../support/db.ts";
import type { Partner } from "../../support/service.ts";
import type { Fixture } from "./fixture.ts";

/* Ways of making the service break a promise, for those who must notice. */

export interface Stage {
	fixture: Fixture;
	partner: Partner;
	/** Validated, never claimed. */
	pCode: string;
}

/** Fault to seed, and the line that must report it. */
export type SeededFaults = Record<string, [seed: (stage: Stage) => Promise<unknown>, reported: RegExp]>;

/** Runs `act` while D1 leaves matching statements out of its batches, and claims that they ran. */
export async function forgetting(pattern: RegExp, act: () => Promise<unknown>): Promise<void> {
	type Batch = (this: unknown, statements: { statement: string }[]) => Promise<unknown[]>;
	const prototype = Object.getPrototypeOf(REGISTER) as { batch: Batch };
	const original = prototype.batch;
	const spy = vi.spyOn(prototype, "batch").mockImplementation(async function (this: unknown, statements) {
		const kept = statements.filter(({ statement }) => !pattern.test(statement));
		const results = kept.length > 0 ? await original.call(this, kept) : [];
		const nothing = { results: [], success: true, meta: { changes: 1 } };
		return statements.map((statement) =>
			kept.includes(statement) ? results[kept.indexOf(statement)] : nothing,
		);
	});
	await act();
	spy.mockRestore();
}

/** Removes the partner from a table's changes from now on. */
export function leaveOutPartner(table: string): void {
	type Prepare = (this: unknown, sql: string) => { bind(...values: unknown[]): unknown };
	const prototype = Object.getPrototypeOf(REGISTER) as { prepare: Prepare };
	const original = prototype.prepare;
	const condition = ` and "${table}"."partner_id" = ?`;
	vi.spyOn(prototype, "prepare").mockImplementation(function (this: unknown, sql) {
		const changes = sql.startsWith(`update "${table}"`) || sql.startsWith(`REPLACE INTO "${table}"`);
		if (!changes || !sql.includes(condition)) return original.call(this, sql);
		const before = sql.slice(0, sql.indexOf(condition)).split("?").length - 1;
		const statement = original.call(this, sql.replace(condition, ""));
		const bind = statement.bind.bind(statement);
		return Object.assign(statement, { bind: (...values: unknown[]) => bind(...values.toSpliced(before, 1)) });
	});
}

/** A claim while D1 forgets. */
export function claimForgetting(pattern: RegExp) {
	return ({ fixture, pCode }: Stage) => forgetting(pattern, () => fixture.claim(pCode));
}
