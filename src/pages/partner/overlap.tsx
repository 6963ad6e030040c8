import { KEYS_PAGE as T } from "../../texts/console-settings.ts";
import { fill } from "../../texts/language.ts";
import type { Call } from "../kit/call.ts";
import { Select } from "../kit/forms.tsx";
import { sayIn } from "../kit/language.ts";
import type { Form } from "../kit/read-form.ts";

/** Hours that a rotated key or secret stays valid, among those that the API takes; the first is its default. */
const OVERLAPS = [24, 0, 72, 168];

export function OverlapSelect({ c, label }: { c: Call; label: string }) {
	const say = sayIn(c);
	const options = OVERLAPS.map((n) => ({
		value: String(n),
		label: n === 0 ? say(T.atOnce) : say(fill(T.hours, { n })),
	}));
	return <Select name="overlap_hours" label={label} options={options} />;
}

/** Any other value means the default. */
export function readOverlap(form: Form): number | undefined {
	return OVERLAPS.find((hours) => String(hours) === form.text("overlap_hours"));
}
