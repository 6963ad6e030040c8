import { reconcileCursor } from "../../api/ops/jobs.ts";
import { cursorField, writeCursor } from "../../http/cursor.ts";
import { type ReconcilePage, reconcileNext } from "../../jobs/reconcile.ts";
import { opsCaller } from "../../services/caller.ts";
import { OPS_CONSOLE } from "../../texts/ops-console.ts";
import { OPS_UPKEEP as T } from "../../texts/ops-console-upkeep.ts";
import { sayIn } from "../kit/language.ts";
import { Nothing } from "../kit/nothing.tsx";
import { Table } from "../kit/parts.tsx";
import { fitting } from "../kit/shown-once.ts";
import { pageOnce, post, show } from "./console.tsx";
import { findingsOf, ReconcileForm, type Walked, walked } from "./walks.tsx";
import { yesOrNo } from "./words.tsx";

interface Reconciled extends Pick<ReconcilePage, "findings"> {
	so: Walked;
	repair: boolean;
	/** Findings of this page, shown or not. */
	n: number;
}

/** D1's tables compared with each other, a page at a time. */
export const reconcilePages = [
	post("/audit/reconcile", {}, async (c, form) => {
		const before = walked(form);
		const repair = form.text("repair") === "1";
		const cursor = cursorField(reconcileCursor).safeParse(before.cursor).data ?? null;
		const { looked, findings, next } = await reconcileNext(opsCaller(c), cursor, repair);
		const so = {
			checked: before.checked + looked,
			found: before.found + findings.length,
			cursor: writeCursor(next),
		};
		const shown = { so, findings: fitting(findings), n: findings.length, repair } satisfies Reconciled;
		return { to: "/ops/console/audit/reconcile", shown };
	}),

	pageOnce<Reconciled>("/audit/reconcile", { right: "operate", trips: 0 }, (c, { shown }) => {
		const say = sayIn(c);
		const { so, findings, n, repair } = shown;
		const rows = findings.map(({ kind, partnerId, subject, repaired }) => [
			kind,
			<a href={`/ops/console/partners/${partnerId}`}>{partnerId}</a>,
			subject,
			repaired === null ? say(OPS_CONSOLE.nothing) : yesOrNo(c, repaired),
		]);
		return show(
			c,
			{ title: T.reconcile },
			<>
				<ReconcileForm c={c} so={so} repair={repair} />
				<Table
					caption={findingsOf(c, n, findings.length)}
					columns={[T.fault, OPS_CONSOLE.partner, T.subject, T.repaired].map(say)}
					rows={rows}
					empty={<Nothing c={c} of="findings" />}
				/>
			</>,
		);
	}),
];
