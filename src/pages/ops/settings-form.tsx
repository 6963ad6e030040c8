import type { PartnerSettings } from "../../domain/partner-settings.ts";
import { PRODUCT_CODES } from "../../domain/products.ts";
import { SUBSCRIPTIONS } from "../../domain/webhook-events.ts";
import { OPS_PARTNERS as T } from "../../texts/ops-console-partners.ts";
import type { WireSettings } from "../../wire/partner.ts";
import type { Call } from "../kit/call.ts";
import { Choices, Field, Select } from "../kit/forms.tsx";
import { sayIn } from "../kit/language.ts";
import type { Problems } from "../kit/problems.ts";
import type { Form } from "../kit/read-form.ts";

/* The settings of a partner in a form, in the words of `POST` and `PATCH /partners`. */

type Wire = { [Name in keyof WireSettings]-?: NonNullable<WireSettings[Name]> | null };

/** Settings in those words: what `readSettings` reads back. */
export function wireOf(settings: PartnerSettings): Wire {
	return {
		name: settings.name,
		mode: settings.mode,
		require_cedula_serie: settings.requireCardSerial ? 1 : 0,
		validate_vencimiento: settings.validateCardExpiry ? 1 : 0,
		require_sso: settings.requireSso ? 1 : 0,
		require_serial_with_sso: settings.requireSerialWithSso ? 1 : 0,
		holder_reminders: settings.holderReminders,
		language: settings.language,
		allowed_products: [...settings.allowedProducts],
		pfx_profile: settings.pfxProfile,
		key_algorithm: settings.keyAlgorithm,
		max_codes_14_days: settings.maxCodes14Days,
		webhook_url: settings.webhookUrl,
		webhook_events: [...settings.webhookEvents],
		delivery_email: settings.deliveryEmail,
	};
}

/** Reads the filled-in settings; nothing is checked yet. */
export function filledIn(form: Form): Wire {
	const flags = form.all("flags");
	const codeQuota = form.text("max_codes_14_days");
	const flag = (name: string) => (flags.includes(name) ? 1 : 0);
	return {
		name: form.text("name"),
		mode: form.text("mode"),
		require_cedula_serie: flag("require_cedula_serie"),
		validate_vencimiento: flag("validate_vencimiento"),
		require_sso: flag("require_sso"),
		require_serial_with_sso: flag("require_serial_with_sso"),
		holder_reminders: flags.includes("holder_reminders"),
		language: form.text("language"),
		allowed_products: form.all("allowed_products"),
		pfx_profile: form.text("pfx_profile"),
		key_algorithm: form.text("key_algorithm"),
		max_codes_14_days: /^\d+$/.test(codeQuota) ? Number(codeQuota) : codeQuota,
		webhook_url: form.text("webhook_url") || null,
		webhook_events: form.all("webhook_events"),
		delivery_email: form.text("delivery_email") || null,
	} as Wire;
}

/** Finds the fields with another value; an unchanged field has no effect, like one that a call does not name. */
export function changesOf(before: Wire, sent: Wire): Partial<Wire> {
	const changed = Object.entries(sent).filter(
		([name, value]) => textOf(value) !== textOf(before[name as keyof Wire]),
	);
	return Object.fromEntries(changed);
}

function textOf(value: unknown): string {
	return JSON.stringify(Array.isArray(value) ? value.toSorted() : value);
}

/** The fields of the form. */
export function SettingsFields({ c, values, problems }: { c: Call; values: Wire; problems: Problems }) {
	const say = sayIn(c);
	const flags = [
		{ value: "require_cedula_serie", label: say(T.cardSerial) },
		{ value: "validate_vencimiento", label: say(T.cardExpiry) },
		{ value: "require_sso", label: say(T.sso) },
		{ value: "require_serial_with_sso", label: say(T.serialWithSso) },
		{ value: "holder_reminders", label: say(T.reminders) },
	];
	const field = (name: "name" | "webhook_url" | "delivery_email") => ({
		name,
		value: values[name] ?? "",
		problem: problems[name],
	});
	return (
		<>
			<Field {...field("name")} label={say(T.name)} required maxlength={100} />
			<Select name="mode" label={say(T.mode)} options={plain(["B2C", "B2B"])} value={values.mode ?? ""} />
			<Choices
				name="flags"
				label={say(T.checks)}
				options={flags}
				chosen={flags.flatMap(({ value }) => (values[value as keyof Wire] ? [value] : []))}
				problem={problems.require_sso ?? problems.require_serial_with_sso}
			/>
			<Choices
				name="allowed_products"
				label={say(T.products)}
				options={plain(PRODUCT_CODES)}
				chosen={values.allowed_products ?? []}
				problem={problems.allowed_products}
			/>
			<Select
				name="pfx_profile"
				label={say(T.pfx)}
				options={plain(["modern", "legacy"])}
				value={values.pfx_profile ?? ""}
			/>
			<Select
				name="key_algorithm"
				label={say(T.keyAlgorithm)}
				options={plain(["rsa-2048", "ec-p256"])}
				value={values.key_algorithm ?? ""}
			/>
			<Field
				name="max_codes_14_days"
				value={String(values.max_codes_14_days ?? "")}
				problem={problems.max_codes_14_days}
				label={say(T.codeQuota)}
				required
			/>
			<Select
				name="language"
				label={say(T.language)}
				options={plain(["es", "en"])}
				value={values.language ?? ""}
			/>
			<Field {...field("delivery_email")} type="email" label={say(T.email)} maxlength={254} />
			<Field {...field("webhook_url")} type="url" label={say(T.webhook)} maxlength={2048} />
			<Choices
				name="webhook_events"
				label={say(T.events)}
				options={plain(SUBSCRIPTIONS)}
				chosen={values.webhook_events ?? []}
				problem={problems.webhook_events}
			/>
		</>
	);
}

function plain(values: readonly string[]) {
	return values.map((value) => ({ value, label: value }));
}
