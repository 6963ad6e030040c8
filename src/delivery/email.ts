import type { Platform } from "../platform.ts";
import type { Settings } from "../settings/settings.ts";
import type { ComposedEmail } from "./compose-email.ts";
import { failed, type Outcome } from "./outcome.ts";

type Context = Pick<Platform, "email" | "settings">;

let keepCopy: ((message: ComposedEmail) => Promise<void>) | null = null;

/** Sets what keeps a copy of each sent e-mail; the Worker of local and dev calls it once, and dev has no place for them. */
export function keepCopiesBy(how: NonNullable<typeof keepCopy>): void {
	keepCopy = how;
}

/**
 * Sends one message through the platform's `send_email` binding, which builds and signs it. In dev, where partners try
 * things out, the subject says so and only addresses of EMAIL_RECIPIENTS get anything.
 * @param message - null: its address cannot be written to.
 */
export async function sendEmail(
	{ email, settings }: Context,
	message: ComposedEmail | null,
	timeoutMs: number,
): Promise<Outcome> {
	if (message === null) return { kind: "parked", label: "address_refused" };
	const { environment } = settings;
	if (!isRecipient(settings, message.to)) return { kind: "parked", label: "address_not_listed" };
	const subject = environment === "dev" ? `[PRUEBA] ${message.subject}` : message.subject;
	const sent = { ...message, subject };
	const { promise: deadline, resolve: expire } = Promise.withResolvers<Outcome>();
	const timer = setTimeout(() => expire(failed("timeout")), timeoutMs);
	try {
		const outcome = await Promise.race([email.send(sent).then(delivered, refused), deadline]);
		if (outcome.kind === "delivered") await keepCopy?.(sent);
		return outcome;
	} finally {
		clearTimeout(timer);
	}
}

/** Whether EMAIL_RECIPIENTS, addresses and `@domain`s in lower case, or null for everybody, names the address. */
export function isRecipient(
	{ emailRecipients: recipients }: Pick<Settings, "emailRecipients">,
	address: string,
): boolean {
	if (recipients === null) return true;
	const wanted = address.toLowerCase();
	return recipients.includes(wanted) || recipients.includes(wanted.slice(wanted.lastIndexOf("@")));
}

function delivered(): Outcome {
	return { kind: "delivered" };
}

/** The platform's code, never its message, which may quote the address. */
function refused(error: unknown): Outcome {
	const code = String((error as { code?: unknown } | null)?.code ?? "");
	return failed(/^E_[A-Z_]{1,60}$/.test(code) ? `email ${code}` : "email refused");
}
