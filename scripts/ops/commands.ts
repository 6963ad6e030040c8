/** One command of the ops command line: what it takes and which call of `/ops/v1` it makes. */
export interface Command {
	/** `codes cancel`. */
	name: string;
	summary: string;
	/** Positional arguments, in order. */
	takes: readonly string[];
	options: Record<string, Option>;
	example: string;
	call: (given: Given) => Call;
	/** Asked before the call, for what cannot be undone. */
	confirm?: (given: Given) => string;
	/** Where in `data` the rows of the table are. */
	shows: string;
	/** Columns of the table, in order; all fields of one thing when left out. */
	columns?: readonly string[];
	/** Exit code 1 when the answer says that something is amiss. */
	isAmiss?: (data: Record<string, unknown>) => boolean;
}

interface Option {
	help: string;
	required?: boolean;
}

export interface Given {
	/** By the names of `takes` and `options`. */
	[name: string]: string | undefined;
}

export interface Call {
	method: "GET" | "POST" | "PATCH" | "DELETE";
	path: string;
	body?: Record<string, unknown>;
}

const REASON = { reason: { help: "why, for the audit", required: true } };

const SETTINGS: Record<string, Option> = {
	mode: { help: "B2C or B2B" },
	"require-cedula-serie": { help: "1 reduced flow, 0 full flow" },
	"validate-vencimiento": { help: "1 compares the card's expiration date" },
	"require-sso": { help: "1 asks for a single sign-on credential in the full flow" },
	products: { help: "FV00,FV01,FV02,FV03" },
	"pfx-profile": { help: "modern or legacy" },
	"key-algorithm": { help: "rsa-2048 or ec-p256" },
	"webhook-url": { help: "https address, or none" },
	"webhook-events": { help: "certificate.emitted,pcode.validated,pcode.locked,pcode.cancelled" },
	"delivery-email": { help: "address of B2B deliveries, or none" },
};

export const COMMANDS: readonly Command[] = [
	{
		name: "partners list",
		summary: "all partners",
		takes: [],
		options: {},
		example: "npm run ops -- partners list",
		call: () => ({ method: "GET", path: "/partners" }),
		shows: "partners",
		columns: ["id", "name", "mode", "require_cedula_serie", "allowed_products", "suspended", "created_at"],
	},
	{
		name: "partners show",
		summary: "one partner, its settings",
		takes: ["partner"],
		options: {},
		example: "npm run ops -- partners show pt_4f…",
		call: ({ partner }) => ({ method: "GET", path: `/partners/${partner}` }),
		shows: "partner",
	},
	{
		name: "partners create",
		summary: "a new partner; its API key is shown this once",
		takes: [],
		options: { name: { help: "name of the partner", required: true }, ...SETTINGS },
		example:
			'npm run ops -- partners create --name "Notaría Uno" --mode B2B --webhook-url https://partner.example/hook',
		call: (given) => ({ method: "POST", path: "/partners", body: settingsOf(given) }),
		shows: "",
	},
	{
		name: "partners change",
		summary: "change settings",
		takes: ["partner"],
		options: { name: { help: "new name" }, ...SETTINGS },
		example: "npm run ops -- partners change pt_4f… --products FV01,FV02",
		call: (given) => ({ method: "PATCH", path: `/partners/${given.partner}`, body: settingsOf(given) }),
		shows: "partner",
	},
	{
		name: "partners suspend",
		summary: "refuse every call of the partner, within 60 s everywhere",
		takes: ["partner"],
		options: {},
		example: "npm run ops -- partners suspend pt_4f…",
		call: ({ partner }) => ({ method: "PATCH", path: `/partners/${partner}`, body: { suspended: true } }),
		confirm: ({ partner }) => `Every call of ${partner} will be refused`,
		shows: "partner",
	},
	{
		name: "partners resume",
		summary: "take the partner's calls again",
		takes: ["partner"],
		options: {},
		example: "npm run ops -- partners resume pt_4f…",
		call: ({ partner }) => ({ method: "PATCH", path: `/partners/${partner}`, body: { suspended: false } }),
		shows: "partner",
	},
	{
		name: "keys list",
		summary: "a partner's API keys",
		takes: ["partner"],
		options: {},
		example: "npm run ops -- keys list pt_4f…",
		call: ({ partner }) => ({ method: "GET", path: `/partners/${partner}` }),
		shows: "keys",
		columns: ["id", "label", "created_at", "last_used_at", "revoked_at"],
	},
	{
		name: "keys create",
		summary: "another API key, shown this once",
		takes: ["partner"],
		options: { label: { help: "what the key is for", required: true } },
		example: 'npm run ops -- keys create pt_4f… --label "second data centre"',
		call: ({ partner, label }) => ({ method: "POST", path: `/partners/${partner}/keys`, body: { label } }),
		shows: "",
	},
	{
		name: "keys rotate",
		summary: "a new API key, shown this once; the old one ends after the overlap",
		takes: ["partner", "key"],
		options: {
			label: { help: "what the key is for", required: true },
			"overlap-hours": { help: "how long both keys are good, 0 to 720; 24 when left out" },
		},
		example: "npm run ops -- keys rotate pt_4f… key_9c… --label 2027 --overlap-hours 48",
		call: ({ partner, key, label, "overlap-hours": hours = "24" }) => ({
			method: "POST",
			path: `/partners/${partner}/keys/${key}/rotate`,
			body: { label, overlap_hours: Number(hours) },
		}),
		shows: "",
	},
	{
		name: "keys revoke",
		summary: "end an API key for good, within 60 s everywhere",
		takes: ["partner", "key"],
		options: {},
		example: "npm run ops -- keys revoke pt_4f… key_9c…",
		call: ({ partner, key }) => ({ method: "DELETE", path: `/partners/${partner}/keys/${key}` }),
		confirm: ({ key }) => `${key} will be refused for good`,
		shows: "key",
	},
	{
		name: "webhooks rotate-secret",
		summary: "a new webhook secret, shown this once; both sign during the overlap",
		takes: ["partner"],
		options: {},
		example: "npm run ops -- webhooks rotate-secret pt_4f…",
		call: ({ partner }) => ({ method: "POST", path: `/partners/${partner}/webhook-secret`, body: {} }),
		shows: "",
	},
	{
		name: "codes show",
		summary: "the facts of a purchase code; no personal data",
		takes: ["code"],
		options: {},
		example: "npm run ops -- codes show 7K3M-9QXT-2B4C-H8WD",
		call: ({ code }) => ({ method: "GET", path: `/pcodes/${code}` }),
		shows: "pcode",
	},
	{
		name: "codes cancel",
		summary: "void a code for good; revokes its certificate",
		takes: ["code"],
		options: REASON,
		example: 'npm run ops -- codes cancel 7K3M-9QXT-2B4C-H8WD --reason "refunded"',
		call: ({ code, reason }) => ({ method: "POST", path: `/pcodes/${code}/cancel`, body: { reason } }),
		confirm: ({ code }) => `${code} will be void for good, and its certificate revoked`,
		shows: "pcode",
	},
	{
		name: "codes block",
		summary: "block a code that was not issued",
		takes: ["code"],
		options: REASON,
		example: 'npm run ops -- codes block 7K3M-9QXT-2B4C-H8WD --reason "reported stolen"',
		call: ({ code, reason }) => ({ method: "POST", path: `/pcodes/${code}/block`, body: { reason } }),
		shows: "pcode",
	},
	{
		name: "codes unblock",
		summary: "lift block and security lock, forget failed attempts",
		takes: ["code"],
		options: REASON,
		example: 'npm run ops -- codes unblock 7K3M-9QXT-2B4C-H8WD --reason "holder identified"',
		call: ({ code, reason }) => ({ method: "POST", path: `/pcodes/${code}/unblock`, body: { reason } }),
		shows: "pcode",
	},
];

/** Only what was given, in the words of the ops calls. */
function settingsOf(given: Given): Record<string, unknown> {
	const flag = (value: string | undefined) => (value === undefined ? undefined : Number(value));
	const list = (value: string | undefined) => value?.split(",").filter((item) => item !== "");
	const nullable = (value: string | undefined) => (value === "none" ? null : value);
	const settings = {
		name: given.name,
		mode: given.mode,
		require_cedula_serie: flag(given["require-cedula-serie"]),
		validate_vencimiento: flag(given["validate-vencimiento"]),
		require_sso: flag(given["require-sso"]),
		allowed_products: list(given.products),
		pfx_profile: given["pfx-profile"],
		key_algorithm: given["key-algorithm"],
		webhook_url: nullable(given["webhook-url"]),
		webhook_events: list(given["webhook-events"]),
		delivery_email: nullable(given["delivery-email"]),
	};
	return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}
