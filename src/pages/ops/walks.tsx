import type { Child } from "hono/jsx";
import { fill, type Text } from "../../texts/language.ts";
import { OPS_CONSOLE } from "../../texts/ops-console.ts";
import { OPS_UPKEEP as T } from "../../texts/ops-console-upkeep.ts";
import type { Call } from "../kit/call.ts";
import { Choices, PostForm } from "../kit/forms.tsx";
import { sayIn } from "../kit/language.ts";
import { Notice } from "../kit/parts.tsx";
import type { Form } from "../kit/read-form.ts";

/* Checks of all of D1 in pages: each page's answer shows the progress, and a button continues. */

/** Progress of a check. */
export interface Walked {
	checked: number;
	found: number;
	/** Null at the end. */
	cursor: string | null;
}

/** Caption of a page's findings, of which no more are shown than fit. */
export function findingsOf(c: Call, n: number, shown: number): string {
	return sayIn(c)(n > shown ? fill(T.findingsMore, { n, shown }) : T.findings);
}

/** Reads the progress that the previous page showed. */
export function walked(form: Form): Walked {
	const count = (name: string) => Number(/^[0-9]{1,12}$/.exec(form.text(name))?.[0] ?? 0);
	return { checked: count("checked"), found: count("found"), cursor: form.text("cursor") || null };
}

/** @param so - null before the first page */
export function VerifyForm({ c, so }: { c: Call; so: Walked | null }) {
	return <WalkForm c={c} so={so} action="verify" label={T.verify} why={T.verifyWhy} />;
}

export function ReconcileForm({ c, so, repair = false }: { c: Call; so: Walked | null; repair?: boolean }) {
	const options = [{ value: "1", label: sayIn(c)(T.repair) }];
	return (
		<WalkForm c={c} so={so} action="reconcile" label={T.reconcile} why={T.reconcileWhy}>
			{so === null ? (
				<Choices name="repair" label={sayIn(c)(T.repairs)} options={options} chosen={[]} />
			) : (
				repair && <input type="hidden" name="repair" value="1" />
			)}
		</WalkForm>
	);
}

interface WalkFormProps {
	c: Call;
	so: Walked | null;
	action: "verify" | "reconcile";
	label: Text;
	why: Text;
	children?: Child;
}

function WalkForm({ c, so, action, label, why, children }: WalkFormProps) {
	const say = sayIn(c);
	const { checked = 0, found = 0, cursor = null } = so ?? {};
	const isOver = so !== null && cursor === null;
	const state = fill(isOver ? T.finished : T.progress, { checked, found });
	return (
		<>
			{so && (
				<Notice kind={found > 0 ? "problem" : "done"}>
					<p>{say(state)}</p>
				</Notice>
			)}
			{!isOver && (
				<PostForm action={`/ops/console/audit/${action}`} csrf={c.get("csrf")}>
					<p>{say(why)}</p>
					{children}
					<input type="hidden" name="checked" value={String(checked)} />
					<input type="hidden" name="found" value={String(found)} />
					<input type="hidden" name="cursor" value={cursor ?? ""} />
					<button type="submit">{say(so ? OPS_CONSOLE.continue : label)}</button>
				</PostForm>
			)}
		</>
	);
}
