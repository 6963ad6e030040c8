import { dataOf } from "../../../scripts/data-of.ts";
import type { paths } from "../../../scripts/ops-openapi.ts";
import { checkDigit } from "../../../src/domain/rut.ts";
import type { Client } from "./client.ts";
import type { Holder, Journal, Partner } from "./journal.ts";
import type { Random } from "./random.ts";

type NewPartner = paths["/ops/v1/partners"]["post"]["requestBody"]["content"]["application/json"];

const ALL_EVENTS: Partner["settings"]["webhook_events"] = [
	"certificate.emitted",
	"certificate.revoked",
	"pcode.validated",
	"pcode.locked",
	"pcode.cancelled",
	"onboarding.completed",
	"onboarding.expired",
];

/** The partners of every fixture: each mode, flow, key and channel. `hook` stands for an address of the receiver. */
const KINDS: Record<string, Omit<NewPartner, "name"> & Partner["settings"]> = {
	b2c: { mode: "B2C" },
	"b2c-ec": { mode: "B2C", key_algorithm: "ec-p256" },
	"b2c-events": {
		mode: "B2C",
		key_algorithm: "ec-p256",
		pfx_profile: "legacy",
		webhook_url: "hook",
		webhook_events: ALL_EVENTS,
	},
	b2b: { mode: "B2B", key_algorithm: "ec-p256", webhook_url: "hook", delivery_email: "b2b@partners.example" },
	"b2b-full": {
		mode: "B2B",
		key_algorithm: "ec-p256",
		require_cedula_serie: 0,
		require_sso: 1,
		webhook_url: "hook",
	},
	"b2b-email": { mode: "B2B", key_algorithm: "ec-p256", delivery_email: "b2b-email@partners.example" },
};

/** Number of databases; they are numbered from 1. */
export const DATABASES = 4;

/** Makes them, over the databases in turn. */
export async function createPartners(client: Client, receiverUrl: string): Promise<Partner[]> {
	const partners: Partner[] = [];
	for (const [n, [kind, { webhook_url, ...others }]] of Object.entries(KINDS).entries()) {
		const database = 1 + (n % DATABASES);
		const settings = { ...others, ...(webhook_url && { webhook_url: `${receiverUrl}/hook/${kind}` }) };
		const body = { name: `Crash ${kind}`, database, ...settings };
		const { partner, api_key } = dataOf(await client.ops.POST("/ops/v1/partners", { body }));
		partners.push({ id: partner.id, kind, key: api_key, database, settings });
	}
	return partners;
}

const FIRST_NUMBER = 20_000_000;

/** Somebody of the sandbox's load range, whom no other code of the fixture is for. */
export function createHolder(journal: Journal, random: Random): Holder {
	const number = FIRST_NUMBER + journal.holdersMade++;
	return {
		rut: `${number}-${checkDigit(String(number))}`,
		email: `holder-${number}@example.cl`,
		pin: String(random.below(10_000)).padStart(4, "0"),
		cardSerial: String(number).padStart(9, "0"),
		names: `Titular ${number}`,
	};
}
