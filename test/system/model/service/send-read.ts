import { type Answer, call as callService, ops } from "../../../support/service.ts";
import { subjectOf } from "../document/apply-audit.ts";
import type { CallOf, CodeName, LookCall } from "../document/calls.ts";
import { flawOf, OPS_ROUTES } from "../document/misuse.ts";
import type { Names } from "./names.ts";

const WALK_MAX = 200;

export async function sendRead(call: LookCall, names: Names): Promise<Answer> {
	const partner = (name: string) => names.valueOf("partner", name) ?? "pt_unknown";
	const evidence = ({ code }: CodeName) => `/evidence/${encodeURIComponent(names.valueOf("code", code)!)}`;
	switch (call.kind) {
		case "list partners":
			return ops("GET", "/partners");
		case "show partner":
			return ops("GET", `/partners/${partner(call.partner)}`);
		case "rotate secret":
			return ops("POST", `/partners/${partner(call.partner)}/webhook-secret`, {
				overlap_hours: call.overlapHours,
			});
		case "show audit": {
			const { what, made, name } = subjectOf(call.entity);
			return ops("GET", `/audit/${what}:${encodeURIComponent(names.valueOf(made, name) ?? "unknown")}`);
		}
		case "verify audit":
			return walk("/audit/verify", {});
		case "list deliveries": {
			const { state, limit } = call;
			const query = { partner_id: partner(call.partner), ...(state && { state }), ...(limit && { limit }) };
			return ops("GET", `/deliveries?${new URLSearchParams(query)}`);
		}
		case "resend":
			// It has its id from the list of its partner: the sequence lists before it resends.
			return ops("POST", `/deliveries/${names.valueOf("delivery", call.delivery) ?? "unknown"}/resend`);
		case "list evidence":
			return ops("GET", evidence(call.code));
		case "show picture": {
			const query = call.validation === undefined ? "" : `?validation=${call.validation}`;
			return ops("GET", `${evidence(call.code)}/${call.side}${query}`);
		}
		case "reconcile":
			return walk("/reconcile", { repair: call.repair });
		case "list jobs":
			return ops("GET", "/upkeep");
		case "run job":
			return ops("POST", `/upkeep/${call.job}`, {});
		case "record restore":
			return ops("POST", "/restores", { restored_to: call.to, reason: "model" });
		case "mend":
			return walk("/restores/mend", { restored_to: call.to });
		case "misuse":
			return misuse(call, names);
	}
}

/** Every page: the last answer, with what was found on any of them. */
async function walk(path: string, body: object): Promise<Answer> {
	const found: unknown[] = [];
	let cursor: string | null = null;
	for (let pages = 0; pages < WALK_MAX; pages++) {
		const answer: Answer = await ops("POST", path, { ...body, cursor });
		if (answer.status !== 200) return answer;
		const { data } = answer.body;
		const field = ["faults", "findings", "mended"].find((name) => name in data)!;
		found.push(...data[field]);
		cursor = data.next;
		if (cursor === null) return { ...answer, body: { ...answer.body, data: { ...data, [field]: found } } };
	}
	throw new Error(`${path} does not come to an end`);
}

async function misuse({ route, flaw }: CallOf<"misuse">, names: Names): Promise<Answer> {
	const { method, path, body } = OPS_ROUTES[route]!;
	const wrong = typeof flaw === "number" ? flawOf(route, flaw) : undefined;
	const target = fillIn(wrong?.path ?? path, names);
	const sent = wrong?.body ?? body;
	if (flaw === "no token") {
		const json = sent && { headers: { "content-type": "application/json" }, body: JSON.stringify(sent) };
		return callService(method, `/ops/v1${target}`, json);
	}
	if (flaw === "wrong token") return ops(method, target, sent, "not-the-token-of-ops");
	if (flaw === "partner's key") return ops(method, target, sent, names.valueOf("key", "k1"));
	return ops(method, target, sent);
}

function fillIn(path: string, names: Names): string {
	return path
		.replaceAll("{partner}", names.valueOf("partner", "p1")!)
		.replaceAll("{key}", names.valueOf("keyId", "k1") ?? "key_unknown")
		.replaceAll("{code}", names.valueOf("code", "c1")!)
		.replaceAll("{serial}", names.valueOf("serial", "c1") ?? "0".repeat(32))
		.replaceAll("{delivery}", names.valueOf("delivery", "d1") ?? "unknown");
}
