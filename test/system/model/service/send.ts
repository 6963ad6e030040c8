import { env } from "cloudflare:workers";
import { forgetKeys } from "../../../../src/db/api-keys.ts";
import { endDueSessions } from "../../../../src/jobs/end-onboarding-sessions.ts";
import { platformOf } from "../../../../src/platform.ts";
import { BOUND } from "../../../support/db.ts";
import { type Answer, call as callService, ops } from "../../../support/service.ts";
import { keepDatabase, setDatabaseBack } from "../../../support/set-back.ts";
import { frame } from "../../../support/widget.ts";
import type {
	Call,
	CallOf,
	CodeName,
	FrameCall,
	Operation,
	OpsCall,
	PartnersCall,
} from "../document/calls.ts";
import { carryMove } from "./carry-move.ts";
import type { Names } from "./compare.ts";
import { judge, publishCrl } from "./judge.ts";

/* Events of the service without a call of HTTP. */

const platform = await platformOf(env);
const { settings, authority } = platform;

export const AUTHORITY = { from: authority.notBefore.getTime(), until: authority.notAfter.getTime() };

export function isOperation(call: Call): call is Operation {
	return ["deploy", "move", "keep database", "set back", "end due sessions"].includes(call.kind);
}

export async function operate(call: Operation, names: Names): Promise<void> {
	switch (call.kind) {
		case "deploy":
			return freeze(call.frozen);
		case "move":
			return carryMove({ id: names.valueOf("partner", call.partner)! }, call.to);
		case "end due sessions":
			await endDueSessions(platform);
			return;
		case "keep database":
			return keepDatabase();
		case "set back":
			await publishCrl();
			await setDatabaseBack();
			// A deployment starts anew, with no key in its memory.
			forgetKeys();
	}
}

/** Worker and objects, as a deployment at once does. */
export function freeze(frozen: boolean): void {
	settings.frozen = frozen;
}

/* Calls of the model as HTTP: names become what the service called those things. */

const SESSIONS = "/api/partners/v1/onboarding_sessions";
const NEVER_MADE = "ZZZZ-ZZZZ-ZZZZ-ZZZZ";
const NO_CODE = "no code looks like this";

/** Names for codes that do not exist. */
export function nameTheUnknown(names: Names): void {
	names.bind("code", "unknown", NEVER_MADE);
	names.bind("code", "impossible", NO_CODE);
}

export async function send(
	call: Exclude<Call, Operation | CallOf<"begin" | "finish">>,
	names: Names,
): Promise<Answer> {
	if (call.kind === "frame") return sendFrame(call, names);
	return "key" in call ? sendPartners(call, names) : sendOps(call, names);
}

async function sendPartners(call: PartnersCall, names: Names): Promise<Answer> {
	const send = (method: string, path: string, body?: object) => {
		const headers = {
			...(call.key !== "none" && { "x-gw": names.valueOf("key", call.key) ?? "gw_dev_unknown" }),
			...(body && { "content-type": "application/json" }),
			...("idempotency" in call && call.idempotency !== undefined && { "Idempotency-Key": call.idempotency }),
		};
		return callService(method, path, { headers, ...(body && { body: JSON.stringify(body) }) });
	};
	const get = (path: string, query: Record<string, string>) => {
		const search = new URLSearchParams(query).toString();
		return send("GET", search === "" ? path : `${path}?${search}`);
	};
	switch (call.kind) {
		case "bulk":
			return send("POST", "/api/partner/v1/pcode/bulk", call.fields);
		case "request": {
			const body = { pCode: spell(call.code, names), ...call.fields };
			return send("POST", "/api/partners/v1/certificate_request", body);
		}
		case "claim": {
			const body = { p_code: spell(call.code, names), ...call.fields };
			return send("POST", "/api/partners/v1/certificate_claim", body);
		}
		case "make session": {
			const { dni, email, ...rest } = call.fields;
			const prefill = dni !== undefined || email !== undefined ? { prefill: { dni, email } } : {};
			return send("POST", SESSIONS, { p_code: spell(call.code, names), ...rest, ...prefill, locale: "en" });
		}
		case "show session":
		case "end session": {
			const path = `${SESSIONS}/${names.valueOf("session", call.session) ?? "os_unknown"}`;
			return send(call.kind === "end session" ? "DELETE" : "GET", path);
		}
		case "status":
			return get("/api/partners/v1/status", call.code ? { p_code: spell(call.code, names) } : {});
		case "list":
			return get("/api/partner/v1/pcodes", { limit: "500" });
		case "advance":
			return send("POST", "/api/partner/v1/sandbox/clock", { advance: call.advance });
	}
}

function spell({ code, spelling }: CodeName, names: Names): string {
	const canonical = names.valueOf("code", code)!;
	if (spelling !== "loose") return canonical;
	return canonical.toLowerCase().replaceAll("-", " ").replaceAll("0", "o").replaceAll("1", "l");
}

function certificate(code: string, names: Names): string {
	return `/certificates/${names.valueOf("serial", code) ?? "0".repeat(32)}`;
}

/** Sends a call like the frame's own code. */
function sendFrame({ step, session, token, fields }: FrameCall, names: Names): Promise<Answer> {
	const made = {
		session: names.valueOf("session", session) ?? `os_${"0".repeat(32)}`,
		token: (token === "right" && names.valueOf("token", session)) || "wt_of_another",
	};
	if (step === "show") return frame(made, "GET");
	if (step === "open") return frame(made, "POST", "/open");
	return frame(made, step === "answers" ? "PUT" : "POST", `/${step}`, fields);
}

async function sendOps(call: OpsCall, names: Names): Promise<Answer> {
	const code = (name: CodeName) => `/pcodes/${encodeURIComponent(spell(name, names))}`;
	switch (call.kind) {
		case "create partner":
			return createPartner(call);
		case "operate": {
			const body = { reason: "model", revocation_reason: call.revocationReason };
			return ops("POST", `${code(call.code)}/${call.verb}`, body);
		}
		case "revoke certificate":
			return ops("POST", `${certificate(call.code, names)}/revoke`, { reason: call.reason });
		case "show code":
			return ops("GET", code(call.code));
		case "show certificate":
			return ops("GET", certificate(call.code, names));
		case "run job":
			return ops("POST", `/upkeep/${call.job}`, {});
		case "judge certificate":
			return judge(names.valueOf("serial", call.code)!);
		case "record restore":
			return ofEach((database) =>
				ops("POST", "/restores", { database, restored_to: call.to, reason: "model" }),
			);
		case "mend":
			return ofEach((database) => walk("/restores/mend", { database, restored_to: call.to }, "mended"));
		case "reconcile":
			return walk("/reconcile", {}, "findings");
		case "verify audit":
			return walk("/audit/verify", {}, "faults");
	}
}

/** Asks about each database, which are set back together. @returns the last answer: its partners are the model's. */
async function ofEach(ask: (database: number) => Promise<Answer>): Promise<Answer> {
	for (let database = 1; database < BOUND.length; database++) await ask(database);
	return ask(BOUND.length);
}

/** Creates a partner whose key has every scope. */
async function createPartner({ settings }: CallOf<"create partner">): Promise<Answer> {
	const created = await ops("POST", "/partners", settings);
	if (created.status !== 201) return created;
	const { data } = created.body;
	const scopes = ["codes", "redeem", "read", "manage"];
	const { body } = await ops("POST", `/partners/${data.partner.id}/keys`, { label: "all", scopes });
	return { ...created, body: { ...created.body, data: { ...data, api_key: body.data.api_key } } };
}

const WALK_MAX = 200;

/** Every page: the last answer, with what was found on any of them. */
async function walk(path: string, body: object, field: string): Promise<Answer> {
	const found: unknown[] = [];
	let cursor: string | null = null;
	for (let pages = 0; pages < WALK_MAX; pages++) {
		const answer: Answer = await ops("POST", path, { ...body, cursor });
		if (answer.status !== 200) return answer;
		const { data } = answer.body;
		found.push(...data[field]);
		cursor = data.next;
		if (cursor === null) return { ...answer, body: { ...answer.body, data: { ...data, [field]: found } } };
	}
	throw new Error(`${path} does not come to an end`);
}
