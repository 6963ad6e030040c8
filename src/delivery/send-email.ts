import type { Platform } from "../platform.ts";
import { composeEmail } from "./compose-email.ts";
import { failed, type Outcome } from "./outcome.ts";
import type { EmittedPayload } from "./webhook-bodies.ts";

/** Hands one message to the platform, which builds it, signs it and carries it on. */
export async function sendEmail(
	{ email, settings }: Pick<Platform, "email" | "settings">,
	{ id, address, payload, timeoutMs }: { id: string; address: string; payload: string; timeoutMs: number },
): Promise<Outcome> {
	const message = composeEmail(JSON.parse(payload) as EmittedPayload, {
		id,
		from: settings.emailFrom,
		to: address,
	});
	if (message === null) return { kind: "parked", label: "address_refused" };
	const { promise: deadline, resolve: expire } = Promise.withResolvers<Outcome>();
	const timer = setTimeout(() => expire(failed("timeout")), timeoutMs);
	try {
		return await Promise.race([email.send(message).then(delivered, refused), deadline]);
	} finally {
		clearTimeout(timer);
	}
}

function delivered(): Outcome {
	return { kind: "delivered" };
}

/** The platform's code, never its message: that may quote the address. */
function refused(error: unknown): Outcome {
	const code = String((error as { code?: unknown } | null)?.code ?? "");
	return failed(/^E_[A-Z_]{1,60}$/.test(code) ? `email ${code}` : "email refused");
}
