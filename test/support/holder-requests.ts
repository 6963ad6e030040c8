import { env } from "cloudflare:workers";
import { platformOf } from "../../src/platform.ts";
import { makeRequest } from "../../src/services/holder-requests.ts";
import { Browser } from "./browser.ts";
import { until } from "./clock.ts";
import type { SentEmail } from "./receiver.ts";
import { JUANA } from "./service.ts";

/** A request that a holder made about a code, for ops to answer. */
export async function requestOf(partnerId: string, code: string, detail: string): Promise<void> {
	const at = Date.now();
	const caller = {
		platform: await platformOf(env),
		partnerId,
		actor: "holder:rv_test" as const,
		requestId: "test",
	};
	const whole = { ...caller, at, now: at, later: () => undefined };
	await makeRequest(whole, [partnerId, code], { kind: "correct", detail });
}

/** Goes through the holders' pages to the list of certificates, by the code of the last e-mail that was sent. */
export async function enterRevocar(
	sent: SentEmail[],
	{ dni, email }: Pick<typeof JUANA, "dni" | "email"> = JUANA,
	browser = new Browser(),
): Promise<Browser> {
	await browser.open("/revocar");
	await browser.submit({ rut: dni, email });
	if (browser.status === 200) await browser.submit({ code: await codeFrom(sent) });
	return browser;
}

export async function codeFrom(sent: SentEmail[]): Promise<string> {
	await until(() => sent.length > 0);
	return /\b(\d{4} \d{4} \d{4})\b/.exec(sent.at(-1)!.text)![1]!;
}
