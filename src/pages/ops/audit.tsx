import { AUDIT_SHOWN, AUDIT_VERIFIED, auditCursor } from "../../api/ops/audit.ts";
import type { AuditFault } from "../../db/audit-chain.ts";
import { cursorField, writeCursor } from "../../http/cursor.ts";
import { listDigests, supersededIn } from "../../jobs/audit/digest-log.ts";
import { readAnyChain, verifyAuditPage } from "../../jobs/audit/verify.ts";
import { jobStates, type ShownJob } from "../../jobs/run.ts";
import { actionName } from "../../texts/audit.ts";
import { OPS_CONSOLE } from "../../texts/ops-console.ts";
import { OPS_UPKEEP as T } from "../../texts/ops-console-upkeep.ts";
import type { Call } from "../kit/call.ts";
import { Field } from "../kit/forms.tsx";
import { sayIn } from "../kit/language.ts";
import { Nothing } from "../kit/nothing.tsx";
import { Card, Facts, Notice, Pager, Table } from "../kit/parts.tsx";
import { fitting } from "../kit/shown-once.ts";
import { may, page, pageOnce, post, show } from "./console.tsx";
import { reportOf } from "./jobs.tsx";
import { findingsOf, ReconcileForm, VerifyForm, type Walked, walked } from "./walks.tsx";
import { when, yesOrNo } from "./words.tsx";

const DIGESTS_SHOWN = 14;

/** Pages that verify the audit and D1's tables and show daily digests and the audit of any record. */
export const auditPages = [
	page("/audit", { trips: 1 }, async (c) => {
		const say = sayIn(c);
		const platform = c.get("platform");
		const [{ jobs }, digests] = await Promise.all([jobStates(platform), listDigests(platform.auditLog)]);
		return show(
			c,
			{ title: OPS_CONSOLE.audit },
			<>
				<div class="cards">
					<Card title={say(T.auditState)}>
						<LastRun c={c} job={jobs.find(({ name }) => name === "verify-audit")} />
						<VerifyForm c={c} so={null} />
					</Card>
					<Card title={say(T.reconcileState)}>
						<LastRun c={c} job={jobs.find(({ name }) => name === "reconcile")} />
						{may(c, "operate") && <ReconcileForm c={c} so={null} />}
					</Card>
				</div>
				<ChainForm c={c} entity="" />
				<Digests c={c} digests={digests} />
			</>,
		);
	}),

	page("/audit/chain", { trips: 2 }, async (c) => {
		const say = sayIn(c);
		const entity = (c.req.query("entity") ?? "").slice(0, ENTITY_MAX);
		const from = Number(/^[1-9][0-9]{0,8}$/.exec(c.req.query("from_version") ?? "1")?.[0] ?? 1);
		const { rows, faults, more } = await readAnyChain(c.get("platform"), {
			entity,
			fromVersion: from,
			limit: AUDIT_SHOWN,
		});
		const turn = (version: number) =>
			`/ops/console/audit/chain?${new URLSearchParams({ entity, from_version: String(version) })}`;
		const shown = rows.map((row) => {
			const { version, at, actor, action, outcome, requestId } = row;
			const words = actionName(action, c.get("language"));
			return [String(version), when(c, at), actor, `${words} (${action})`, outcome, requestId];
		});
		return show(
			c,
			{ title: entity || OPS_CONSOLE.audit, status: rows.length > 0 ? 200 : 404 },
			<>
				<ChainForm c={c} entity={entity} />
				{rows.length > 0 && (
					<Notice kind={faults.length > 0 ? "problem" : "done"}>
						<p>{say(faults.length > 0 ? T.broken : T.intact)}</p>
						{faults.map(({ version, kind }) => (
							<p>{`${version ?? ""} ${kind}`}</p>
						))}
					</Notice>
				)}
				<Table
					caption={say(T.changes)}
					columns={[T.version, T.at, T.actor, T.what, T.outcome, T.request].map(say)}
					rows={shown}
					empty={say(OPS_CONSOLE.none)}
				/>
				<Pager
					locale={c.get("language")}
					previous={from > 1 ? turn(Math.max(1, from - AUDIT_SHOWN)) : null}
					next={more ? turn(from + AUDIT_SHOWN) : null}
				/>
			</>,
		);
	}),

	post("/audit/verify", { right: "read" }, async (c, form) => {
		const before = walked(form);
		const cursor = cursorField(auditCursor).safeParse(before.cursor).data ?? null;
		const { checked, faults, next } = await verifyAuditPage(c.get("platform"), cursor, AUDIT_VERIFIED);
		const so = {
			checked: before.checked + checked,
			found: before.found + faults.length,
			cursor: writeCursor(next),
		};
		return {
			to: "/ops/console/audit/verify",
			shown: { so, faults: fitting(faults), n: faults.length } satisfies Verified,
		};
	}),

	pageOnce<Verified>("/audit/verify", { right: "read", trips: 0 }, (c, { shown: { so, faults, n } }) => {
		const say = sayIn(c);
		return show(
			c,
			{ title: T.verify },
			<>
				<VerifyForm c={c} so={so} />
				<Table
					caption={findingsOf(c, n, faults.length)}
					columns={[T.entity, T.version, T.fault].map(say)}
					rows={faults.map(({ entity, version, kind }) => [entity, String(version ?? ""), kind])}
					empty={<Nothing c={c} of="findings" />}
				/>
			</>,
		);
	}),
];

const ENTITY_MAX = 128;

interface Verified {
	so: Walked;
	faults: readonly AuditFault[];
	/** Faults of this page, shown or not. */
	n: number;
}

function LastRun({ c, job }: { c: Call; job: ShownJob | undefined }) {
	const say = sayIn(c);
	return (
		<Facts
			facts={[
				[say(T.ranAt), job?.ranAt ? when(c, job.ranAt) : say(OPS_CONSOLE.never)],
				[say(T.report), reportOf(job)],
				[say(T.whole), yesOrNo(c, job?.done ?? false)],
			]}
		/>
	);
}

function ChainForm({ c, entity }: { c: Call; entity: string }) {
	const say = sayIn(c);
	return (
		<form action="/ops/console/audit/chain">
			<h2>{say(T.chain)}</h2>
			<Field
				name="entity"
				label={say(T.entity)}
				hint={say(T.entityHint)}
				value={entity}
				required
				maxlength={ENTITY_MAX}
			/>
			<button type="submit">{say(OPS_CONSOLE.open)}</button>
		</form>
	);
}

function Digests({ c, digests }: { c: Call; digests: Awaited<ReturnType<typeof listDigests>> }) {
	const say = sayIn(c);
	const superseded = supersededIn(digests);
	const rows = digests
		.toReversed()
		.slice(0, DIGESTS_SHOWN)
		.map(({ sequence, from, rows, takenAt, restoredTo }) => [
			new Date(from).toISOString().slice(0, 10),
			String(rows),
			when(c, takenAt),
			when(c, restoredTo),
			yesOrNo(c, superseded.has(sequence)),
		]);
	return (
		<>
			<h2>{say(T.digests)}</h2>
			<p>{say(T.digestsWhy)}</p>
			<Table
				caption={say(T.digests)}
				columns={[T.day, T.rows, T.takenAt, T.restoredTo, T.superseded].map(say)}
				rows={rows}
				empty={<Nothing c={c} of="digests" />}
			/>
		</>
	);
}
