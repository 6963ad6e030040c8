import { vi } from "vitest";
import { readLease } from "../../../src/objects/lease.ts";
import { PurchaseCodeObject } from "../../../src/objects/purchase-code.ts";
import { DerReader, tag } from "../../../src/x509/der.ts";
import { serialToHex } from "../../../src/x509/serial.ts";
import { watchEveryTrip } from "../../support/failing-db.ts";
import type { Receiver, SentEmail } from "../../support/receiver.ts";

/* Records of the fixture while the service works. They do not change what the service does. */

/** A certificate that left the service. */
export interface Departure {
	pCode: string;
	serial: string;
	how: "claim" | "webhook" | "e-mail";
}

export interface Statement {
	sql: string;
	params: readonly unknown[];
	/** Partners whose calls ran at that moment; none: ops', the cron's or the queue's. */
	callers: readonly string[];
}

/** Public keys of certificates, hex, by serial, in the order in which they were signed. */
export type SignedKeys = Map<string, string>;

/** Notes serial and key of every certificate that the authority's key signs, at the moment it is asked to. */
export function spyOnSigning(signed: SignedKeys): void {
	const sign = crypto.subtle.sign.bind(crypto.subtle) as (...of: unknown[]) => Promise<ArrayBuffer>;
	vi.spyOn(crypto.subtle, "sign").mockImplementation((...of: unknown[]) => {
		const certificate = readTbs(new Uint8Array(of[2] as Uint8Array));
		if (certificate !== null) signed.set(certificate.serial, certificate.key);
		return sign(...of);
	});
}

/** @returns a line for each certificate whose key was signed in another one before. */
export function checkKeys(signed: SignedKeys): string[] {
	const serials = Map.groupBy(signed.keys(), (serial) => signed.get(serial)!);
	return [...serials.values()].flatMap(([, ...again]) =>
		again.map((serial) => `key: ${serial} has that of another certificate`),
	);
}

/** Serial and public key of a TBSCertificate; null for anything else that is signed (CRL, OCSP answer, keyed hash). */
function readTbs(bytes: Uint8Array): { serial: string; key: string } | null {
	try {
		const tbs = new DerReader(bytes).enter(tag.sequence);
		const version = tag.explicit(0);
		if (!tbs.nextIs(version)) return null;
		tbs.read(version);
		const serial = serialToHex(tbs.read(tag.integer));
		// Algorithm, issuer, validity, subject.
		for (let i = 0; i < 4; i++) tbs.read(tag.sequence);
		return { serial, key: tbs.read(tag.sequence).toHex() };
	} catch {
		return null;
	}
}

export function spyOnLog(lines: string[]): void {
	for (const sink of ["log", "warn", "error"] as const)
		vi.spyOn(console, sink).mockImplementation((...words: unknown[]) => {
			lines.push(words.map(String).join(" "));
		});
}

/** @param callers - partners whose calls run. What nobody looks on, the queue's, is no call's. */
export function spyOnStatements(noted: Statement[], callers: () => readonly string[]): void {
	watchEveryTrip((trip, look) => {
		for (const { statement, params } of trip)
			noted.push({ sql: statement, params, callers: look === null ? [] : callers() });
	});
}

/** Certificates that go out by webhook and e-mail leave at the moment the other side has them. */
export function spyOnDepartures({
	left,
	receiver,
	emails,
}: {
	left: Departure[];
	receiver: Receiver;
	emails: SentEmail[];
}): void {
	const { received } = receiver;
	Object.defineProperty(received, "push", {
		value: (item: (typeof received)[number]) => {
			const { type, data } = JSON.parse(item.body);
			if (type === "certificate.emitted" && data.certificate !== undefined)
				left.push({ pCode: data.p_code, serial: data.serialNumber, how: "webhook" });
			return Array.prototype.push.call(received, item);
		},
	});
	Object.defineProperty(emails, "push", {
		value: (email: SentEmail) => {
			const serial = /\b[0-9A-F]{32}\b/.exec(email.text)?.[0];
			const pCode = email.subject.split(": ").at(-1);
			if (serial && pCode && email.attachments.length > 0) left.push({ pCode, serial, how: "e-mail" });
			return Array.prototype.push.call(emails, email);
		},
	});
}

/** Notes the partners whose alarms run. One whose object dies never ends: the matrix empties the set when it kills the objects. */
export function spyOnAlarms(ringing: Set<string>): void {
	const prototype = PurchaseCodeObject.prototype as unknown as {
		ctx: DurableObjectState;
		alarm(): Promise<void>;
	};
	const original = prototype.alarm;
	vi.spyOn(prototype, "alarm").mockImplementation(async function (this: typeof prototype) {
		const partnerId = readLease(this.ctx.storage)?.partnerId;
		if (partnerId !== undefined) ringing.add(partnerId);
		return original.call(this).finally(() => {
			if (partnerId !== undefined) ringing.delete(partnerId);
		});
	});
}
