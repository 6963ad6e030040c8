import { WorkerEntrypoint } from "cloudflare:workers";
import { type IdentityCheckAnswer, identityCheckRequest } from "../identity/civil-registry-wire.ts";
import { findIdentity, type SandboxIdentity } from "./identities.ts";
import { pause } from "./pause.ts";

/** Delay of the slow registry in milliseconds: half the client's deadline. */
const SLOW_MS = 4_000;

/** Length of "never" in milliseconds. Finite because the runtime kills a call that cannot finish. */
const NEVER_MS = 60_000;

/** The civil registry of local and dev deployments, bound as a service. Speaks docs/operators/civil-registry.md. */
export class CivilRegistrySandbox extends WorkerEntrypoint {
	override fetch(request: Request): Promise<Response> {
		return answerIdentityCheck(request);
	}
}

/** `POST /v1/identity-checks` for the sandbox identities. Any bearer token will do, and none. */
export async function answerIdentityCheck(request: Request): Promise<Response> {
	if (new URL(request.url).pathname !== "/v1/identity-checks") return new Response(null, { status: 404 });
	if (request.method !== "POST") return new Response(null, { status: 405, headers: { allow: "POST" } });
	const asked = identityCheckRequest.safeParse(await request.json().catch(() => undefined));
	if (!asked.success) return new Response(null, { status: 400 });

	const { rut, cardSerial } = asked.data;
	const identity = findIdentity(rut);
	switch (identity?.behaviour) {
		case "answers_503":
			return new Response(null, { status: 503 });
		case "never_answers":
			await pause(NEVER_MS, request.signal);
			return new Response(null, { status: 504 });
		case "answers_rubbish":
			return Response.json({ resultado: "OK", nombre: "HUGO BASURA PRUEBA" });
		case "slow":
			await pause(SLOW_MS, request.signal);
	}
	return Response.json({ rut, cardSerial, ...judge(identity, cardSerial) });
}

type Verdict =
	| Pick<Extract<IdentityCheckAnswer, { status: "valid" }>, "status" | "person">
	| Pick<Extract<IdentityCheckAnswer, { status: "rejected" }>, "status" | "reason">;

/** The contract's order: the person, then the serial when one was sent, then the state of the card. */
function judge(identity: SandboxIdentity | null, cardSerial: string | null): Verdict {
	if (identity === null) return { status: "rejected", reason: "not_found" };
	const { behaviour, person } = identity;
	if (behaviour === "holder_deceased") return { status: "rejected", reason: behaviour };
	if (cardSerial !== null && cardSerial !== identity.cardSerial) {
		return { status: "rejected", reason: "serial_mismatch" };
	}
	// Decided by the row, not the clock: the table must read the same in years to come.
	if (behaviour === "card_reported_lost" || behaviour === "card_expired") {
		return { status: "rejected", reason: behaviour };
	}
	return { status: "valid", person };
}
