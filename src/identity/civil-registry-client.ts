import { callUpstream, type Fetcher, UPSTREAM_TIMEOUT_MS } from "./call-upstream.ts";
import { identityCheckAnswer } from "./civil-registry-wire.ts";
import type { CivilRegistry, NoAnswer, RegistryAnswer, RegistryQuery } from "./ports.ts";

interface CivilRegistryClientOptions {
	fetcher: Fetcher;
	/** Absolute URL before `/v1/identity-checks`, with or without a trailing slash. */
	baseUrl: string;
	/** Bearer token; null for the sandbox, which needs none. */
	token: string | null;
	/** Deadline of one attempt in milliseconds, including reading the answer. Default 8,000. */
	timeoutMs?: number;
}

/**
 * The civil registry over HTTP, as documented in docs/operators/civil-registry.md. Only an answer that follows the contract
 * exactly and repeats the question is `found` or `mismatch`; everything else is `unavailable`.
 *
 * @throws TypeError when the URL is not absolute or the token is not a valid header value
 */
export function createCivilRegistryClient(options: CivilRegistryClientOptions): CivilRegistry {
	const { fetcher, baseUrl, token, timeoutMs = UPSTREAM_TIMEOUT_MS } = options;
	const url = new URL("v1/identity-checks", `${baseUrl.replace(/\/+$/, "")}/`);
	const headers = new Headers({ accept: "application/json", "content-type": "application/json" });
	if (token !== null) headers.set("authorization", `Bearer ${token}`);

	return {
		async lookUp({ rut, cardSerial }) {
			// The RUT is in the body because URLs appear in access logs.
			const body = JSON.stringify({ rut, cardSerial });
			const makeRequest = (signal: AbortSignal) =>
				new Request(url, { method: "POST", headers, body, redirect: "manual", signal });
			const answer = await callUpstream({ fetcher, makeRequest, timeoutMs });
			switch (answer.kind) {
				case "json":
					return readAnswer(answer.value, { rut, cardSerial });
				case "status":
					return { kind: "unavailable", reason: "status", detail: `status ${answer.status}` };
				case "unavailable":
					return answer;
			}
		},
	};
}

function readAnswer(value: unknown, query: RegistryQuery): RegistryAnswer {
	const parsed = identityCheckAnswer.safeParse(value);
	if (!parsed.success) {
		const where = parsed.error.issues[0]?.path.join(".") || "the top level";
		return malformed(`the answer departs from the contract at ${where}`);
	}
	const answer = parsed.data;
	if (answer.rut !== query.rut) return malformed("the answer is about another RUT");
	if (answer.cardSerial !== query.cardSerial) return malformed("the answer is about another card serial");
	if (answer.status === "valid") return { kind: "found", person: answer.person };
	if (answer.reason === "serial_mismatch" && query.cardSerial === null) {
		return malformed("a serial mismatch, though no serial was sent");
	}
	return { kind: "mismatch", reason: answer.reason };
}

function malformed(detail: string): NoAnswer {
	return { kind: "unavailable", reason: "format", detail };
}
