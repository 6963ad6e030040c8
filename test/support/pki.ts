import { env, exports } from "cloudflare:workers";
import { DAY_MS } from "../../src/domain/durations.ts";
import "reflect-metadata";
import * as x509 from "@peculiar/x509";
import { afterEach, beforeEach, expect, vi } from "vitest";
import { homeOf } from "../../src/directory.ts";
import { refreshCrl } from "../../src/pki/publish-crl.ts";
import { crlKey, findPublishedCrl } from "../../src/pki/published-crl.ts";
import { platformOf } from "../../src/platform.ts";
import { serialToHex } from "../../src/x509/serial.ts";
import { BOUND, execute, executeOfNobody, openDatabases } from "./db.ts";
import { codeRow, selectOfNobody } from "./look-inside.ts";
import { type Asked, encodeRequest, readResponse } from "./ocsp-client.ts";
import { openPlaces } from "./places.ts";
import { freshService, JUANA, Partner } from "./service.ts";

/* Revoked certificates, and what ops, the CRL and OCSP report of them. */

const platform = await platformOf(env);
export const { authority } = platform;
export const responder = platform.authorities[0]!.responder!;
/** Path of its CRL under /pki. */
export const CRL = `/${authority.keyId}/crl`;

/** A partner's emitted code and its certificate's serial. */
export async function emitted(partner?: Partner, holder: object = JUANA) {
	const by = partner ?? (await Partner.create({ mode: "B2B" }));
	const pCode = await by.code();
	const { status, text } = await by.request({ pCode, ...holder });
	if (status !== 200) throw new Error(text);
	const serial = String((await codeRow(pCode)).certificate_serial);
	return { partner: by, pCode, serial };
}

/** A serial as the partner's next certificate may have it. */
export async function serialOf({ id }: Partner): Promise<string> {
	return serialToHex(platform.serials.create((await homeOf(platform, id)).number));
}

/** Number of a partner that no test makes. */
const NUMBER = 4_000_000_000;

/** Adds revoked certificates without codes, as years of revocations leave them. @returns their serials, sorted. */
export async function enterRevoked(
	count: number,
	{ notAfter = Date.now() + 300 * DAY_MS, revokedAt = Date.now(), issuer = authority.keyId } = {},
) {
	const serials = Array.from({ length: count }, () => serialToHex(platform.serials.create(NUMBER)));
	await executeOfNobody(
		"INSERT OR IGNORE INTO directory_partners (partner_id, number, database, state, epoch, updated_at) VALUES ('pt_x', ?, 2, 'open', 1, 0)",
		NUMBER,
	);
	await openPlaces("pt_x");
	await execute(
		`INSERT INTO certificates (serial, issuer_key_id, partner_id, code, issued_at, not_before, not_after, revoked_at, revocation_reason)
		SELECT value, ?4, 'pt_x', 'x', 1, 1, ?2, ?3, 'superseded' FROM json_each(?1)`,
		...[JSON.stringify(serials), notAfter, revokedAt, issuer],
	);
	return serials.sort();
}

export async function fetchPki(path: string, init: RequestInit = {}) {
	const response = await exports.default.fetch(new Request(`http://service.test/pki${path}`, init));
	return { response, body: new Uint8Array(await response.arrayBuffer()) };
}

/** OCSP's answer to a POST. */
export async function askByPost(asked: readonly Asked[], nonce?: Uint8Array) {
	const { response, body } = await fetchPki("/ocsp", {
		method: "POST",
		headers: { "content-type": "application/ocsp-request" },
		body: encodeRequest(responder, asked, nonce),
	});
	return { response, ...readResponse(body) };
}

/** The CRL as a caller gets it whose cache has none. */
export async function readCrl() {
	await caches.default.delete(`${env.PKI_URL}/kept/crl/${authority.keyId}`);
	return parseCrl((await fetchPki(CRL)).body);
}

function parseCrl(body: BufferSource) {
	const crl = new x509.X509Crl(body);
	const bytes = new Uint8Array(crl.getExtension("2.5.29.20")!.value).subarray(2);
	return {
		number: bytes.reduce((value, byte) => value * 256 + byte, 0),
		serials: crl.entries.map(({ serialNumber }) => serialNumber.toUpperCase()),
		entries: crl.entries,
		crl,
	};
}

/** Waits until the published CRL lists the serial, in the bucket: a call for it would build it. @returns its entry. */
export function listed(serial: string) {
	return vi.waitFor(
		async () => {
			const object = await env.PKI.get(crlKey(authority));
			const { entries = [] } = object ? parseCrl(await object.bytes()) : {};
			const entry = entries.find(({ serialNumber }) => serialNumber.toUpperCase() === serial);
			if (!entry) throw new Error("not listed yet");
			return entry;
		},
		{ interval: 50 },
	);
}

export const context = (clock = Date.now) => ({ ...openDatabases(), pki: env.PKI, authority, clock });

export const published = () => findPublishedCrl(env.PKI, crlKey(authority));

/** Tells whether the published CRL was built of the rows that each database has now. */
export async function hasAllMarks(): Promise<boolean> {
	const marks = (await published())?.marks ?? {};
	const now = BOUND.map((database) => database.prepare("SELECT mark FROM revocation_mark").first("mark"));
	return (await Promise.all(now)).every((mark, i) => marks[i + 1]?.mark === mark);
}

/** Begins each test of the file with an empty service in real time, and ends it when its CRLs are built. */
export function usePki(): void {
	beforeEach(async () => {
		vi.useRealTimers();
		await freshService();
	});
	afterEach(untilCrlIsBuilt);
}

/** Waits until no CRL build is left from a test: one that ends after the database was reset would fail. */
export async function untilCrlIsBuilt(): Promise<void> {
	vi.useRealTimers();
	await vi.waitFor(async () => {
		await refreshCrl(context());
		const [state] = await selectOfNobody(
			"SELECT building_until FROM crl_state WHERE key_id = ?",
			authority.keyId,
		);
		expect([state?.building_until, await hasAllMarks()]).toEqual([0, true]);
	});
}
