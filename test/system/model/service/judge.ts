import { vi } from "vitest";
import { refreshCrl } from "../../../../src/pki/publish-crl.ts";
import { encodeRequest, readResponse } from "../../../support/ocsp-client.ts";
import { context, fetchPki, hasAllMarks, readCrl, responder } from "../../../support/pki.ts";
import type { Answer } from "../../../support/service.ts";

/* The view of a relying party that has no answer of before. */

const TRIES = 500;

/** Does what the cron of the minute does. A build that another call began may hold the turn. */
export async function publishCrl(): Promise<void> {
	for (let attempt = 0; attempt < TRIES; attempt++) {
		await refreshCrl(context());
		if (await hasAllMarks()) return;
	}
	throw new Error("no CRL is published");
}

/** Asks OCSP and reads the CRL of the minute. */
export async function judge(serial: string): Promise<Answer> {
	await publishCrl();
	const { serials } = await readCrl();
	const kept = vi.spyOn(Object.getPrototypeOf(caches.default), "match").mockResolvedValue(undefined);
	const nonce = crypto.getRandomValues(new Uint8Array(16));
	const body = encodeRequest(responder, [{ serial }], nonce);
	const answered = await fetchPki("/ocsp", { method: "POST", body });
	kept.mockRestore();
	const { statuses } = readResponse(answered.body);
	const said = { ocsp: statuses[0]?.split(" ")[0] ?? "tryLater", listed: serials.includes(serial) };
	return { status: 200, headers: answered.response.headers, body: said, text: JSON.stringify(said) };
}
