import type { Child, PropsWithChildren } from "hono/jsx";
import { labelled } from "./problems.ts";

/* Forms, whose fields show their problems. The first faulty field takes the focus, and with it a screen reader. */

interface PostFormProps {
	action: string;
	csrf: string;
	/** The form has files. */
	multipart?: boolean;
	/** Only the page reports problems, in its own words, not the browser. */
	novalidate?: boolean;
}

/** A form with the session's token. */
export function PostForm(props: PropsWithChildren<PostFormProps>) {
	const { action, csrf, multipart = false, novalidate = false, children } = props;
	return (
		<form
			method="post"
			action={action}
			novalidate={novalidate}
			{...(multipart && { enctype: "multipart/form-data" })}
		>
			<input type="hidden" name="csrf" value={csrf} />
			{children}
		</form>
	);
}

interface Labelled {
	name: string;
	label: string;
	hint?: Child;
	/** Problem with the value sent. */
	problem?: string | undefined;
}

interface FieldProps extends Labelled {
	value?: string;
	type?:
		| "text"
		| "email"
		| "url"
		| "password"
		| "date"
		| "month"
		| "number"
		| "datetime-local"
		| "color"
		| "file";
	/** Lines of a longer text. */
	rows?: number;
	required?: boolean;
	/** Other attributes: `autocomplete`, `accept`, `min`… */
	[attribute: string]: unknown;
}

/** A line of text, or `rows` of them. */
export function Field({ name, label, hint, problem, value = "", type = "text", rows, ...more }: FieldProps) {
	const state = stateOf({ name, label, hint, problem });
	const attributes = { id: name, name, autocomplete: "off", ...more, ...state };
	return (
		<div class="field">
			<Label name={name} label={label} hint={hint} problem={problem} />
			{rows ? (
				<textarea {...attributes} rows={rows}>
					{value}
				</textarea>
			) : (
				<input {...attributes} type={type} {...(type !== "file" && { value })} />
			)}
		</div>
	);
}

interface Option {
	value: string;
	label: string;
}

/** A choice of one among a few. */
export function Select(props: Labelled & { options: readonly Option[]; value?: string | undefined }) {
	const { name, options, value } = props;
	return (
		<div class="field">
			<Label {...props} />
			<select id={name} name={name} {...stateOf(props)}>
				{options.map((option) => (
					<option value={option.value} selected={option.value === value}>
						{option.label}
					</option>
				))}
			</select>
		</div>
	);
}

/** Number of choices above which they stand in columns where there is room. */
const MANY = 5;

/** A choice of several among a few, or of one by radio buttons. */
export function Choices(
	props: Omit<Labelled, "label"> & {
		/** Left out where the single option's label suffices. */
		label?: string;
		options: readonly { value: string; label: Child; hint?: string }[];
		chosen: readonly string[];
		one?: boolean;
	},
) {
	const { name, label, hint, problem, options, chosen, one = false } = props;
	return (
		<fieldset class="field" {...(problem && { "aria-describedby": `${name}-wrong` })}>
			{label && <legend>{label}</legend>}
			{hint && <span class="hint">{hint}</span>}
			{problem && <Wrong name={name} label={label} problem={problem} />}
			<div {...(options.length > MANY && { class: "choices" })}>
				{options.map((option, i) => (
					<label class="choice">
						<input
							type={one ? "radio" : "checkbox"}
							name={name}
							value={option.value}
							checked={chosen.includes(option.value)}
							autofocus={i === 0 && problem !== undefined}
							{...(problem && !one && { "aria-invalid": "true" })}
						/>
						<span>
							{option.label}
							{option.hint && <span class="hint">{option.hint}</span>}
						</span>
					</label>
				))}
			</div>
		</fieldset>
	);
}

function Label({ name, label, hint, problem }: Labelled) {
	return (
		<>
			<label for={name}>{label}</label>
			{hint && (
				<span class="hint" id={`${name}-hint`}>
					{hint}
				</span>
			)}
			{problem && <Wrong name={name} label={label} problem={problem} />}
		</>
	);
}

function Wrong({ name, label, problem }: { name: string; label: string | undefined; problem: string }) {
	return (
		<p class="wrong" id={`${name}-wrong`}>
			{labelled(label, problem)}
		</p>
	);
}

function stateOf({ name, hint, problem }: Labelled) {
	const described = [problem && `${name}-wrong`, hint && `${name}-hint`].filter(Boolean).join(" ");
	return {
		...(described && { "aria-describedby": described }),
		...(problem && { "aria-invalid": "true", autofocus: true }),
	};
}
