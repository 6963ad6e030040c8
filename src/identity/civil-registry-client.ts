import { askUpstream, type Fetcher, UPSTREAM_TIMEOUT_MS } from "./ask-upstream.ts";
import { identityCheckAnswer } from "./civil-registry-wire.ts";
import type { CivilRegistry, RegistryAnswer, RegistryQuery, Unavailable } from "./ports.ts";

interface CivilRegistryClientOptions {
	fetcher: Fetcher;
	/** Absolute URL before `/v1/identity-checks`, with or without a slash at its end. */
	baseUrl: string;
	/** Bearer token; null for the sandbox, which asks for none. */
	token: string | null;
	/** Deadline of one attempt in milliseconds, reading the answer included. 8,000 when not given. */
	timeoutMs?: number;
}

/**
 * The civil registry over HTTP, as docs/civil-registry.md has it. Only an answer that follows the contract to the
 * letter, and repeats the question, is `found` or `mismatch`; everything else is `unavailable`.
 *
 * @throws TypeError at once when the URL is not absolute or the token cannot stand in a header
 */
export function createCivilRegistryClient(options: CivilRegistryClientOptions): CivilRegistry {
	const { fetcher, baseUrl, token, timeoutMs = UPSTREAM_TIMEOUT_MS } = options;
	const url = new URL("v1/identity-checks", `${baseUrl.replace(/\/+$/, "")}/`);
	const headers = new Headers({ accept: "application/json", "content-type": "application/json" });
	if (token !== null) headers.set("authorization", `Bearer ${token}`);

	return {
		async lookUp({ rut, cardSerial }) {
			// The RUT goes in the body: URLs end up in the access logs of every hop.
			const body = JSON.stringify({ rut, cardSerial });
			const makeRequest = (signal: AbortSignal) =>
				new Request(url, { method: "POST", headers, body, redirect: "manual", signal });
			const answer = await askUpstream({ fetcher, makeRequest, timeoutMs });
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

function readAnswer(value: unknown, asked: RegistryQuery): RegistryAnswer {
	const parsed = identityCheckAnswer.safeParse(value);
	if (!parsed.success) {
		const where = parsed.error.issues[0]?.path.join(".") || "the top level";
		return malformed(`the answer departs from the contract at ${where}`);
	}
	const answer = parsed.data;
	if (answer.rut !== asked.rut) return malformed("the answer is about another RUT");
	if (answer.cardSerial !== asked.cardSerial) return malformed("the answer is about another card serial");
	if (answer.status === "valid") return { kind: "found", person: answer.person };
	if (answer.reason === "serial_mismatch" && asked.cardSerial === null) {
		return malformed("a serial mismatch, though no serial was sent");
	}
	return { kind: "mismatch", reason: answer.reason };
}

function malformed(detail: string): Unavailable {
	return { kind: "unavailable", reason: "format", detail };
}
