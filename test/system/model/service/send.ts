import { type Answer, call as callService, ops } from "../../../support/service.ts";
import { frame } from "../../../support/widget.ts";
import { isDeskCall } from "../document/apply-desk.ts";
import { scopeOf } from "../document/authenticate.ts";
import type { CallOf, CodeName, FrameCall, OnPartnerCalls, OpsCall } from "../document/calls.ts";
import type { Names } from "./names.ts";
import { sendDesk } from "./send-desk.ts";
import { sendRead } from "./send-read.ts";
import { type Credentials, credentials, keyFields, spell } from "./spell.ts";

/* Calls of the model as HTTP: names become what the service called those things. */

const SESSIONS = "/api/partners/v1/onboarding_sessions";
const NEVER_MADE = "ZZZZ-ZZZZ-ZZZZ-ZZZZ";
const NO_CODE = "no code looks like this";

/** What stands for codes that are none. */
export function nameTheUnknown(names: Names): void {
	names.bind("code", "unknown", NEVER_MADE);
	names.bind("code", "impossible", NO_CODE);
}

export async function send(
	call: OnPartnerCalls | OpsCall | FrameCall | CallOf<"page">,
	names: Names,
): Promise<Answer> {
	if (call.kind === "page") return sendPage(call, names);
	if (call.kind === "frame") return sendFrame(call, names);
	if (!isPartnerCall(call)) return sendOps(call, names);
	if (isDeskCall(call)) return sendDesk(call, names);
	switch (call.kind) {
		case "bulk":
			return post("/api/partner/v1/pcode/bulk", call, call.fields, names);
		case "request":
			return post(
				"/api/partners/v1/certificate_request",
				call,
				{ pCode: spell(call.code, names), ...call.fields },
				names,
			);
		case "claim":
			return post(
				"/api/partners/v1/certificate_claim",
				call,
				{ p_code: spell(call.code, names), ...call.fields },
				names,
			);
		case "make session": {
			const { dni, email, ...rest } = call.fields;
			const prefill = dni !== undefined || email !== undefined ? { prefill: { dni, email } } : {};
			return post(SESSIONS, call, { p_code: spell(call.code, names), ...rest, ...prefill }, names);
		}
		case "show session":
		case "end session": {
			const path = `${SESSIONS}/${names.valueOf("session", call.session) ?? "os_unknown"}`;
			const method = call.kind === "end session" ? "DELETE" : "GET";
			return callService(method, path, { headers: credentials(call, names) });
		}
		case "status": {
			const query: Record<string, string> = call.code ? { p_code: spell(call.code, names) } : {};
			return get("/api/partners/v1/status", query, call, names);
		}
		case "list": {
			const { batch_id: batch, ...query } = call.query;
			const named = batch === undefined ? {} : { batch_id: names.valueOf("batch", batch) ?? batch };
			return get("/api/partner/v1/pcodes", { ...query, ...named }, call, names);
		}
	}
}

function isPartnerCall(call: OnPartnerCalls | OpsCall): call is OnPartnerCalls {
	return scopeOf(call) !== null;
}

/** What the page's own code reads, for a body. */
async function sendPage({ session }: CallOf<"page">, names: Names): Promise<Answer> {
	const id = names.valueOf("session", session) ?? `os_${"0".repeat(32)}`;
	const answer = await callService("GET", `/widget/frame/${id}`);
	const [, data = "null"] = /<script type="application\/json"[^>]*>(.*?)<\/script>/.exec(answer.text) ?? [];
	return { ...answer, body: JSON.parse(data).session };
}

/** As the frame's own code has it. */
function sendFrame({ step, session, token, fields }: FrameCall, names: Names): Promise<Answer> {
	const made = {
		session: names.valueOf("session", session) ?? `os_${"0".repeat(32)}`,
		token: (token === "right" && names.valueOf("token", session)) || "wt_of_another",
	};
	if (step === "show") return frame(made, "GET");
	if (step === "open") return frame(made, "POST", "/open");
	return frame(made, step === "answers" ? "PUT" : "POST", `/${step}`, fields);
}

function post(
	path: string,
	call: Credentials & { idempotency?: string },
	body: object,
	names: Names,
): Promise<Answer> {
	const headers = {
		...credentials(call, names),
		"content-type": "application/json",
		...(call.idempotency !== undefined && { "Idempotency-Key": call.idempotency }),
	};
	return callService("POST", path, { headers, body: JSON.stringify(body) });
}

function get(path: string, query: Record<string, string>, by: Credentials, names: Names): Promise<Answer> {
	const search = new URLSearchParams(query).toString();
	const target = search === "" ? path : `${path}?${search}`;
	return callService("GET", target, { headers: credentials(by, names) });
}

async function sendOps(call: OpsCall, names: Names): Promise<Answer> {
	const partner = (name: string) => `/partners/${names.valueOf("partner", name) ?? "pt_unknown"}`;
	const code = (name: CodeName) => `/pcodes/${encodeURIComponent(spell(name, names))}`;
	const certificate = (name: string) => `/certificates/${names.valueOf("serial", name) ?? "0".repeat(32)}`;
	switch (call.kind) {
		case "create partner":
			return ops("POST", "/partners", call.settings);
		case "change partner":
			return ops("PATCH", partner(call.partner), call.change);
		case "add key":
			return ops("POST", `${partner(call.partner)}/keys`, { label: "another key", ...keyFields(call.asked) });
		case "rotate key":
			return ops("POST", `${await keyPath(call, names)}/rotate`, {
				label: "next key",
				overlap_hours: call.overlapHours,
			});
		case "revoke key":
			return ops("DELETE", await keyPath(call, names));
		case "operate": {
			const reason = { revocation_reason: call.revocationReason };
			return ops("POST", `${code(call.code)}/${call.verb}`, { reason: "model", ...reason });
		}
		case "replace":
			return ops("POST", `${code(call.code)}/replace`, { reason: "model" });
		case "revoke certificate":
			return ops("POST", `${certificate(call.code)}/revoke`, { reason: call.reason });
		case "show code":
			return ops("GET", code(call.code));
		case "show certificate":
			return ops("GET", certificate(call.code));
		default:
			return sendRead(call, names);
	}
}

/** The first key of a partner is answered without its id: it is the one that has no name yet. */
async function keyPath({ key, partner }: { key: string; partner: string }, names: Names): Promise<string> {
	const path = `/partners/${names.valueOf("partner", partner) ?? "pt_unknown"}`;
	if (names.valueOf("key", key) && !names.valueOf("keyId", key)) {
		const { body } = await ops("GET", path);
		const [first] = body.data.keys.filter(({ label }: { label: string }) => label === "first key");
		names.bind("keyId", key, first.id);
	}
	return `${path}/keys/${names.valueOf("keyId", key) ?? "key_unknown"}`;
}
