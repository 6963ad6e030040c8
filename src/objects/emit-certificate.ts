import { enterCertificate, forgetPin } from "../db/certificate-register.ts";
import type { Statement } from "../db/query.ts";
import type { CodeRow } from "../db/read-code.ts";
import { createDeliveries, type Delivery } from "../delivery/outbox.ts";
import type { PartnerSettings } from "../domain/partner-settings.ts";
import { pfxFileName } from "../domain/pfx-file-name.ts";
import { validityOf } from "../domain/products.ts";
import { timed } from "../telemetry/timings.ts";
import { generateHolderKeyPair } from "../x509/holder-key.ts";
import { issueCertificate } from "../x509/issue-certificate.ts";
import { createSerial, serialToHex } from "../x509/serial.ts";
import type { CodeContext } from "./code-context.ts";
import { type Lease, noteOnLease } from "./lease.ts";
import type { EmittedCertificate } from "./rpc.ts";

export interface Emission {
	certificate: EmittedCertificate;
	/** Base64. */
	pfx: string;
	/** What the emitting commit sets on the code, and the rows that go with it. */
	set: { issuedAt: number; certificateSerial: string; certificateNotAfter: number; claimFailures: 0 };
	alongside: Statement[];
	/** What those rows owe, for after the commit. */
	deliveries: Delivery[];
}

interface EmissionOrder {
	row: CodeRow;
	settings: PartnerSettings;
	holder: { rut: string; fullName: string; email: string };
	pin: string;
	reference: string | null;
	partnerCopy: string | null;
}

/**
 * Issues the certificate of a code: the serial is durably on the lease before anything is signed, the key and the
 * PFX exist in memory only.
 * @throws when the finished certificate does not match the profile: a bug, and nothing may leave.
 */
export async function emitCertificate(
	context: CodeContext,
	lease: Lease,
	order: EmissionOrder,
): Promise<Emission> {
	const { call, storage, platform, db, clock } = context;
	const { partnerId, code, product, validatedAt } = order.row.facts;
	const serial = createSerial(crypto.getRandomValues(new Uint8Array(16)));
	noteOnLease(storage, lease, { serial: serialToHex(serial) });
	const [keyPair] = await Promise.all([generateHolderKeyPair(order.settings.keyAlgorithm), storage.sync()]);

	const now = clock();
	const { notBefore, notAfter } = validityOf(product, now);
	// Later than its validation, by a clock that was set back too: that order tells a claim from a B2B request.
	const issuedAt = order.settings.mode === "B2B" ? now : Math.max(now, (validatedAt ?? 0) + 1);
	const issued = await timed("issue", () =>
		issueCertificate(platform.authority, {
			serial,
			notBefore: new Date(notBefore),
			notAfter: new Date(notAfter),
			holder: order.holder,
			keyAlgorithm: order.settings.keyAlgorithm,
			pfxProfile: order.settings.pfxProfile,
			pin: order.pin,
			keyPair,
		}),
	);
	if (!issued.ok) throw new Error(`certificate against profile: ${issued.failures.join("; ")}`);

	const certificate = { serial: serialToHex(serial), validFrom: notBefore, validTo: notAfter };
	const pfx = issued.pfx.toBase64();
	const place = { table: "certificates", row: certificate.serial, column: "leaf_sealed" };
	const entry = enterCertificate(db, {
		serial: certificate.serial,
		partnerId,
		code,
		issuedAt,
		notBefore,
		notAfter,
		leafSealed: await platform.sealer.seal(issued.leaf, place),
	});
	const created = await createDeliveries(
		{ db, sealer: platform.sealer },
		{
			partnerId: call.partnerId,
			settings: order.settings,
			partnerCopy: order.partnerCopy,
			payload: {
				code,
				reference: order.reference,
				holder: order.holder,
				...certificate,
				fileName: pfxFileName(order.holder.rut),
				pfx,
			},
			now,
			triedAtOnce: order.settings.mode === "B2B",
		},
	);
	return {
		certificate,
		pfx,
		set: {
			issuedAt,
			certificateSerial: certificate.serial,
			certificateNotAfter: notAfter,
			claimFailures: 0,
		},
		alongside: [entry, forgetPin(db, partnerId, code), ...created.statements],
		deliveries: created.deliveries,
	};
}
