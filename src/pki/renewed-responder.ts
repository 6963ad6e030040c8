import { DAY_MS, HOUR_MS, MINUTE_MS } from "../domain/durations.ts";
import type { Platform, PublishedAuthority } from "../platform.ts";
import { keyIdOf } from "../secrets/sealing.ts";
import { SignerRefusal } from "../signer/signer-client.ts";
import { describeError } from "../telemetry/describe-error.ts";
import { log } from "../telemetry/log.ts";
import { Unavailable } from "../unavailable.ts";
import type { AuthoritySigner } from "../x509/authority-signer.ts";
import { loadOcspResponder, type OcspResponder } from "../x509/ocsp-responder.ts";
import { encodeResponder, generateResponderKey } from "../x509/responder-certificate.ts";
import { createSerial } from "../x509/serial.ts";
import { frameSigned } from "../x509/signatures.ts";

/*
 * OCSP responders of authorities whose key a signer has. The service makes their keys and asks for certificates of a week;
 * both are in the bucket, the key sealed, since D1 can be set back.
 */

type Context = Pick<Platform, "pki" | "sealer" | "clock">;
type Authority = PublishedAuthority & { signer: AuthoritySigner };

const VALIDITY_MS = 7 * DAY_MS;
/** Age from which a responder is renewed: on its third day, on which a signer makes the next one. */
const RENEW_AFTER_MS = 2 * DAY_MS + HOUR_MS;
/** Time for which an isolate goes on with the responder that it has read. */
const REREAD_MS = HOUR_MS;
/** Time from one attempt of an isolate, for an answer that waits, to its next: strangers' questions are no load on the signer. */
const RETRY_MS = MINUTE_MS;

interface Known {
	responder: OcspResponder | null;
	/** Epoch milliseconds. */
	readAt: number;
	/** The attempt to make one, and when it began. */
	attempt: { begunAt: number; made: Promise<OcspResponder> } | null;
}

const known = new WeakMap<PublishedAuthority, Known>();

/** Renews the responders that are due. Never throws: the next cron repeats what fails now. */
export async function renewResponders(platform: Platform): Promise<void> {
	for (const authority of platform.authorities) {
		if (!isRenewed(authority)) continue;
		try {
			await renew(platform, authority);
		} catch (error) {
			log("error", "ocsp_responder_not_renewed", { key_id: authority.keyId, ...describeError(error) });
		}
	}
}

/**
 * Finds an authority's responder: that of the settings, or the one that is renewed. Before the first one, and where crons
 * fail, the caller's own wait makes it.
 * @returns null: the authority answers no OCSP. @throws {Unavailable}
 */
export async function findResponder(
	platform: Context,
	authority: PublishedAuthority,
): Promise<OcspResponder | null> {
	if (!isRenewed(authority)) return authority.responder;
	const now = platform.clock();
	const state = known.get(authority) ?? { responder: null, readAt: 0, attempt: null };
	known.set(authority, state);
	if (!holds(state.responder, now) || now >= state.readAt + REREAD_MS || now < state.readAt) {
		const kept = await readKept(platform, authority).catch((error: unknown) => {
			if (!holds(state.responder, now)) throw error;
			return state.responder;
		});
		Object.assign(state, { responder: kept, readAt: now });
	}
	if (holds(state.responder, now)) return state.responder;
	const { attempt } = state;
	if (!attempt || now >= attempt.begunAt + RETRY_MS || now < attempt.begunAt)
		state.attempt = { begunAt: now, made: renew(platform, authority) };
	return state.attempt!.made;
}

/** The responder of the settings, or the last one that was renewed; asks no signer. @throws {Unavailable} */
export async function findKeptResponder(
	platform: Context,
	authority: PublishedAuthority,
): Promise<OcspResponder | null> {
	return isRenewed(authority) ? readKept(platform, authority) : authority.responder;
}

function isRenewed(authority: PublishedAuthority): authority is Authority {
	return authority.renewsResponder && authority.signer !== null;
}

function holds(responder: OcspResponder | null, now: number): boolean {
	return responder !== null && now >= responder.notBefore.getTime() && now < responder.notAfter.getTime();
}

/** Renews an authority's responder if it is due. @returns the one in force. @throws {Unavailable} */
async function renew(context: Context, authority: Authority): Promise<OcspResponder> {
	const kept = await readKept(context, authority);
	const now = context.clock();
	if (kept && holds(kept, now) && now < kept.notBefore.getTime() + RENEW_AFTER_MS) return kept;
	const request = await takeRequest(context, authority);
	const { signature } = await signRequest(context, authority, request);
	const files = {
		key: request.pkcs8.toBase64(),
		certificate: frameSigned(authority.signer, request.tbs, signature).toBase64(),
	};
	const responder = await loadOcspResponder(authority, files);
	await context.pki.put(keptKey(authority), JSON.stringify({ ...files, key: request.sealed }));
	await context.pki.delete(requestKey(authority));
	return responder;
}

/**
 * Reads the last responder, and seals its key again where the sealing key is another now. Null before the first, and if its
 * key cannot be opened. @throws {Unavailable}
 */
async function readKept({ pki, sealer }: Context, authority: Authority): Promise<OcspResponder | null> {
	const object = await pki.get(keptKey(authority));
	if (!object) return null;
	const { key, certificate } = await object.json<{ key: string; certificate: string }>();
	const place = placeOf(authority);
	const pkcs8 = await sealer.open(key, place).catch(() => null);
	if (pkcs8 === null) {
		log("error", "unopenable", { table: place.table, row: place.row });
		return null;
	}
	if (keyIdOf(key) !== sealer.currentKeyId) {
		const resealed = JSON.stringify({ key: await sealer.seal(pkcs8, place), certificate });
		await pki.put(keptKey(authority), resealed, { onlyIf: { etagMatches: object.etag } });
	}
	return loadOcspResponder(authority, { key: pkcs8.toBase64(), certificate });
}

interface SigningRequest {
	tbs: Uint8Array;
	pkcs8: Uint8Array;
	sealed: string;
}

/**
 * Takes the request that is under way, or writes down a new one before it is sent: a signer that signed and was not heard
 * signs the same bytes again, and no others for days.
 */
async function takeRequest({ pki, sealer, clock }: Context, authority: Authority): Promise<SigningRequest> {
	const key = requestKey(authority);
	const place = placeOf(authority);
	const written = await pki.get(key);
	if (written) {
		const { sealed, tbs } = await written.json<{ sealed: string; tbs: string }>();
		const pkcs8 = await sealer.open(sealed, place).catch(() => null);
		if (pkcs8) return { tbs: Uint8Array.fromBase64(tbs), pkcs8, sealed };
	}
	const { spki, pkcs8 } = await generateResponderKey(authority.signer.algorithm);
	const begin = Math.floor(clock() / 1000) * 1000;
	const tbs = await encodeResponder(authority, {
		serial: createSerial(crypto.getRandomValues(new Uint8Array(16))),
		publicKey: spki,
		notBefore: new Date(begin),
		notAfter: new Date(begin + VALIDITY_MS),
	});
	const sealed = await sealer.seal(pkcs8, place);
	const onlyIf = written ? { etagMatches: written.etag } : { etagDoesNotMatch: "*" };
	if (!(await pki.put(key, JSON.stringify({ sealed, tbs: tbs.toBase64() }), { onlyIf })))
		throw new Unavailable("bucket", "another request was written meanwhile");
	return { tbs, pkcs8, sealed };
}

/** A request that the signer finds wrong was never signed: the next one is another. */
async function signRequest({ pki }: Context, authority: Authority, { tbs }: SigningRequest) {
	try {
		return await authority.signer.sign("ocsp-responders", tbs);
	} catch (error) {
		if (error instanceof SignerRefusal && error.status === 422) await pki.delete(requestKey(authority));
		throw error;
	}
}

function keptKey({ keyId }: PublishedAuthority): string {
	return `ocsp/${keyId}`;
}

function requestKey({ keyId }: PublishedAuthority): string {
	return `ocsp/${keyId}/next`;
}

function placeOf({ keyId }: PublishedAuthority) {
	return { table: "ocsp_responders", row: keyId, column: "key" };
}
