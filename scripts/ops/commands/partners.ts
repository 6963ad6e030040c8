import { SUBSCRIPTIONS } from "../../../src/domain/webhook-events.ts";
import type { paths } from "../../ops-openapi.ts";
import type { Given, OpsCommand, Option } from "../command.ts";

type Settings = paths["/ops/v1/partners/{id}"]["patch"]["requestBody"]["content"]["application/json"];

const SETTINGS: Record<string, Option> = {
	mode: { help: "B2C or B2B" },
	"require-cedula-serie": { help: "1 reduced flow, 0 full flow" },
	"validate-vencimiento": { help: "1 compares the card's expiration date" },
	"require-sso": { help: "full flow: 1 verifies single sign-on, 0 asks for the card's serial instead" },
	"require-serial-with-sso": {
		help: "full flow with single sign-on: 1 also asks for the card's serial, for a partner that passes credentials on",
	},
	products: { help: "FV00,FV01,FV02,FV03" },
	"pfx-profile": { help: "modern or legacy" },
	"key-algorithm": { help: "rsa-2048 or ec-p256" },
	"max-codes-14-days": { help: "codes that may be created in 14 days, less those issued; 100000 unless set" },
	"webhook-url": { help: "https address, or none" },
	"webhook-events": { help: `${SUBSCRIPTIONS.join(",")}` },
	"delivery-email": { help: "address of B2B deliveries, or none" },
	"holder-reminders": { help: "1 writes to holders 30 and 7 days before their certificate expires" },
	language: { help: "es or en: language of the e-mails to the partner and its holders" },
};

export const PARTNER_COMMANDS: readonly OpsCommand[] = [
	{
		name: "partners list",
		summary: "all partners: who checks what, and where certificates go",
		takes: [],
		options: {},
		example: "npm run ops -- partners list",
		call: (ops) => ops.GET("/ops/v1/partners"),
		shows: "partners",
		columns: [
			"id",
			"name",
			"mode",
			"identity_checks",
			"require_serial_with_sso",
			"delivery_address",
			"webhook_off_since",
			"suspended",
		],
	},
	{
		name: "partners show",
		summary: "one partner, its settings",
		takes: ["partner"],
		options: {},
		example: "npm run ops -- partners show pt_4f…",
		call: (ops, { partner }) => ops.GET("/ops/v1/partners/{id}", { params: { path: { id: partner } } }),
		shows: "partner",
	},
	{
		name: "partners create",
		summary: "a new partner; its API key is shown this once",
		takes: [],
		options: {
			name: { help: "name of the partner", required: true },
			database: { help: "number of the database it will live in; else the open one with most room" },
			...SETTINGS,
		},
		example:
			'npm run ops -- partners create --name "Notaría Uno" --mode B2B --webhook-url https://partner.example/hook',
		call: (ops, given) =>
			ops.POST("/ops/v1/partners", {
				body: {
					name: given.name,
					...settingsOf(given),
					...(given.database !== undefined && { database: Number(given.database) }),
				},
			}),
		shows: "",
	},
	{
		name: "partners change",
		summary: "change settings",
		takes: ["partner"],
		options: { name: { help: "new name" }, ...SETTINGS },
		example: "npm run ops -- partners change pt_4f… --products FV01,FV02",
		call: (ops, given) => ops.PATCH("/ops/v1/partners/{id}", { ...byId(given), body: settingsOf(given) }),
		shows: "partner",
	},
	{
		name: "partners suspend",
		summary: "refuse every call of the partner, within 60 s everywhere",
		takes: ["partner"],
		options: {},
		example: "npm run ops -- partners suspend pt_4f…",
		call: (ops, given) => ops.PATCH("/ops/v1/partners/{id}", { ...byId(given), body: { suspended: true } }),
		confirm: ({ partner }) => `Every call of ${partner} will be refused`,
		shows: "partner",
	},
	{
		name: "partners resume",
		summary: "take the partner's calls again",
		takes: ["partner"],
		options: {},
		example: "npm run ops -- partners resume pt_4f…",
		call: (ops, given) => ops.PATCH("/ops/v1/partners/{id}", { ...byId(given), body: { suspended: false } }),
		shows: "partner",
	},
	{
		name: "partners move",
		summary:
			"to another database, or back; without an option, carry on. The partner works on; at the end its writes wait for seconds",
		takes: ["partner"],
		options: {
			to: { help: "number of the database" },
			back: { help: "1 gives a move up, or goes back to where the partner was" },
		},
		example: "npm run ops -- partners move pt_4f… --to 2",
		call: (ops, given, { cursor }) =>
			ops.POST("/ops/v1/partners/{id}/move", {
				...byId(given),
				body: cursor ? { cursor: "on" } : wishOf(given),
			}),
		pages: true,
		shows: "",
	},
	{
		name: "partners clear",
		summary: "erase the rows that a move left, a week after it at the earliest",
		takes: ["partner"],
		options: {},
		example: "npm run ops -- partners clear pt_4f…",
		call: (ops, given, { cursor }) =>
			ops.POST("/ops/v1/partners/{id}/move", {
				...byId(given),
				body: cursor ? { cursor: "on" } : { clear: true },
			}),
		confirm: ({ partner }) => `The rows of ${partner} from before its move will be gone`,
		pages: true,
		shows: "",
	},
];

function wishOf({ to, back }: Given): { to?: number; back?: boolean } {
	if (back === "1") return { back: true };
	return to === undefined ? {} : { to: Number(to) };
}

function byId({ partner }: Given) {
	return { params: { path: { id: partner } } };
}

/** Takes the given options, by the fields of the ops calls. */
function settingsOf(given: Given): Settings {
	const number = (value: string | undefined) => (value === undefined ? undefined : Number(value));
	const list = (value: string | undefined) => value?.split(",").filter((item) => item !== "");
	const nullable = (value: string | undefined) => (value === "none" ? null : value);
	const settings = {
		name: given.name,
		mode: given.mode,
		require_cedula_serie: number(given["require-cedula-serie"]),
		validate_vencimiento: number(given["validate-vencimiento"]),
		require_sso: number(given["require-sso"]),
		require_serial_with_sso: number(given["require-serial-with-sso"]),
		allowed_products: list(given.products),
		pfx_profile: given["pfx-profile"],
		key_algorithm: given["key-algorithm"],
		max_codes_14_days: number(given["max-codes-14-days"]),
		webhook_url: nullable(given["webhook-url"]),
		webhook_events: list(given["webhook-events"]),
		delivery_email: nullable(given["delivery-email"]),
		holder_reminders: given["holder-reminders"] === undefined ? undefined : given["holder-reminders"] === "1",
		language: given.language,
	};
	return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}
