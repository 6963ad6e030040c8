import { type Answer, call as callService } from "../../../support/service.ts";
import type { DeskCall } from "../document/calls.ts";
import type { Names } from "./names.ts";
import { credentials, endOf, keyFields, spell } from "./spell.ts";

/* What a partner does at its desk, as HTTP. */

export async function sendDesk(call: DeskCall, names: Names): Promise<Answer> {
	const send = (method: string, path: string, body?: unknown, accept?: string) =>
		callService(method, `/api/partner/v1${path}`, {
			headers: {
				...credentials(call, names),
				...(body !== undefined && { "content-type": "application/json" }),
				...(accept && { accept }),
			},
			...(body !== undefined && { body: JSON.stringify(body) }),
		});
	const delivery = (name: string) => `/deliveries/${names.valueOf("delivery", name) ?? "unknown"}`;
	const key = (name: string) => `/keys/${names.valueOf("keyId", name) ?? "key_unknown"}`;
	switch (call.kind) {
		case "own deliveries": {
			const code = call.code === undefined ? {} : { p_code: names.valueOf("code", call.code)! };
			const query = { ...call.query, ...code };
			return walk(query, "deliveries", (page) => send("GET", `/deliveries?${new URLSearchParams(page)}`));
		}
		case "own delivery":
			return send("GET", delivery(call.of));
		case "own resend":
			return send("POST", `${delivery(call.of)}/resend`);
		case "own webhook":
			return send("GET", "/webhook");
		case "set webhook":
			return send("PUT", "/webhook", { webhook_url: call.url, webhook_events: call.events });
		case "test webhook":
			return send("POST", "/webhook/test");
		case "own secret":
			return send("POST", "/webhook/secret", { overlap_hours: call.overlapHours });
		case "set email":
			return send("PUT", "/delivery_email", { delivery_email: call.email });
		case "set reminders":
			return send("PUT", "/reminders", { holder_reminders: call.on });
		case "own settings":
			return send("GET", "/settings");
		case "own code":
			return send("GET", `/pcodes/${encodeURIComponent(spell(call.code, names))}`);
		case "own cancel":
			return send("POST", `/pcodes/${encodeURIComponent(spell(call.code, names))}/cancel`, {
				reason: "model",
			});
		case "own certificates":
			return walk(call.query, "certificates", (page) =>
				send("GET", `/certificates?${new URLSearchParams(page)}`),
			);
		case "search by RUT": {
			const { dni, limit } = call;
			const body = { dni, ...(limit !== undefined && { limit }) };
			return walk(body, "certificates", (page) => send("POST", "/certificates/search", page));
		}
		case "own revocation": {
			const serial = names.valueOf("serial", call.of) ?? "0".repeat(32);
			return send("POST", `/certificates/${serial}/revoke`, { reason: call.reason });
		}
		case "own usage":
			return send("GET", call.month === undefined ? "/usage" : `/usage?month=${call.month}`);
		case "own keys":
			return send("GET", "/keys");
		case "add own key":
			return send("POST", "/keys", { label: "own key", ...keyFields(call.asked) });
		case "rotate own key": {
			const { endsIn, overlapHours } = call;
			const end = endsIn == null ? endsIn : endOf(endsIn);
			const body = { label: "next key", overlap_hours: overlapHours, expires_at: end };
			return send("POST", `${key(call.of)}/rotate`, body);
		}
		case "revoke own key":
			return send("DELETE", key(call.of));
		case "set flow":
			return send("PUT", "/sandbox/settings", call.sent);
		case "example of":
			return send("POST", `/sandbox/events/${call.event}`);
		case "own widget":
			return send("GET", "/widget");
		case "set widget":
			return send("PUT", "/widget", call.sent);
		case "advance":
			return send("POST", "/sandbox/clock", { advance: call.advance });
		case "csv": {
			const answer = await send("GET", `/pcodes?${new URLSearchParams(call.query)}`, undefined, "text/csv");
			return answer.status === 200 ? { ...answer, body: { rows: readCsv(answer.text) } } : answer;
		}
	}
}

const WALK_MAX = 200;

/** Every page: the last answer, with what was on any of them. */
async function walk<Query extends object>(
	query: Query,
	field: string,
	ask: (page: Query & { cursor?: string }) => Promise<Answer>,
): Promise<Answer> {
	const found: unknown[] = [];
	let page: Query & { cursor?: string } = query;
	for (let pages = 0; pages < WALK_MAX; pages++) {
		const answer = await ask(page);
		if (answer.status !== 200) return answer;
		const { data } = answer.body;
		found.push(...data[field]);
		if (data.next === null) return { ...answer, body: { ...answer.body, data: { ...data, [field]: found } } };
		page = { ...query, cursor: data.next };
	}
	throw new Error(`${field} do not come to an end`);
}

/** No cell of these sequences has a comma, a quote or a line break in it. */
function readCsv(text: string): Record<string, string>[] {
	const [names, ...rows] = text
		.replace(/^\ufeff/, "")
		.trimEnd()
		.split("\r\n")
		.map((row) => row.split(","));
	return rows.map((row) => Object.fromEntries(row.map((cell, i) => [names![i]!, cell])));
}
