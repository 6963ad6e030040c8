import { enterWithLeaf, leafPlace } from "../db/certificates.ts";
import { forgetPin } from "../db/holders.ts";
import type { Statement } from "../db/query.ts";
import { type CreatedDeliveries, createDeliveries } from "../delivery/outbox.ts";
import { validityOf } from "../domain/certificate-dates.ts";
import type { CodeFacts } from "../domain/code-facts.ts";
import type { PartnerSettings } from "../domain/partner-settings.ts";
import { pfxFileName } from "../domain/pfx-file-name.ts";
import { timed } from "../telemetry/timings.ts";
import { Unavailable } from "../unavailable.ts";
import type { LogReceipt } from "../x509/authority-signer.ts";
import { issueCertificate as issuePfx } from "../x509/issue-certificate.ts";
import { packLeaf } from "../x509/leaf.ts";
import { serialToHex } from "../x509/serial.ts";
import { noteOnLease } from "./lease.ts";
import type { EmittedCertificate } from "./rpc.ts";
import type { Step } from "./use-case.ts";

/** An issued certificate that is not committed yet. */
interface IssuedCertificate {
	certificate: EmittedCertificate;
	/** Base64. */
	pfx: string;
	/** Fields of the code that the commit sets, and the rows that go with them. */
	set: { issuedAt: number; certificateSerial: string; certificateNotAfter: number; claimFailures: 0 };
	alongside: Statement[];
	/** The deliveries that those rows create: tried by this call, or queued. */
	deliveries: Pick<CreatedDeliveries, "atOnce" | "queued">;
}

interface Order {
	facts: CodeFacts;
	settings: PartnerSettings;
	holder: { rut: string; fullName: string; email: string };
	pin: string;
	reference: string | null;
	/** Serial of the certificate that this one renews. */
	renews: string | null;
	partnerCopy: string | null;
	/** Language that the holder chose in the widget. */
	language: "es" | "en" | null;
}

/**
 * Issues the certificate of a code: the serial is durably on the lease before anything is signed; the key and the PFX
 * exist in memory only.
 * @throws {Unavailable} before the serial is noted, when the certificate would outlive its authority.
 * @throws when the finished certificate does not match the profile: a bug, and nothing may leave.
 */
export async function issueCertificate(step: Step, order: Order): Promise<IssuedCertificate> {
	const { storage, lease, db, platform, waitingKey } = step;
	const { clock, sealer, authority } = platform;
	const { settings, holder } = order;
	const { partnerId, code, product, validatedAt } = order.facts;
	const validity = validityOf(product, clock(), authority);
	// The decision saw that it could be issued; the registry's answer may have taken until the last second.
	if (validity === null) throw new Unavailable("authority", "the certificate would outlive it");
	const { notBefore, notAfter } = validity;
	const bytes = platform.serials.create(step.partnerNumber);
	const serial = serialToHex(bytes);
	noteOnLease(storage, lease, { serial, issuerKeyId: authority.keyId });
	const [keyPair] = await Promise.all([waitingKey.take(settings.keyAlgorithm, clock()), storage.sync()]);

	// The certificate's dates are real, the code's go by the partner's clock.
	const now = step.now();
	// Later than the validation even by a clock that was set back: this order distinguishes a claim from a B2B request.
	const issuedAt = settings.mode === "B2B" ? now : Math.max(now, (validatedAt ?? 0) + 1);
	const issued = await timed("issue", () =>
		issuePfx(authority, {
			serial: bytes,
			notBefore: new Date(notBefore),
			notAfter: new Date(notAfter),
			holder,
			keyAlgorithm: settings.keyAlgorithm,
			pfxProfile: settings.pfxProfile,
			pin: order.pin,
			keyPair,
		}),
	);
	if (!issued.ok) throw new Error(`certificate against profile: ${issued.failures.join("; ")}`);

	const certificate = { serial, validFrom: notBefore, validTo: notAfter };
	const pfx = issued.pfx.toBase64();
	const leaf = await sealer.sealBytes(packLeaf(authority, issued.leaf), leafPlace(serial));
	const { renews } = order;
	const entered = { issuedAt, notBefore, notAfter, renews, ...logged(issued.receipt) };
	noteOnLease(storage, lease, { issue: { ...entered, leaf } });
	const { statements, ...deliveries } = await createDeliveries(
		{ ...platform, db },
		{
			partnerId,
			settings,
			partnerCopy: order.partnerCopy,
			payload: {
				code,
				reference: order.reference,
				holder,
				...certificate,
				fileName: pfxFileName(holder.rut),
				pfx,
			},
			issuer: authority.commonName,
			language: order.language,
			now,
			triedAtOnce: settings.mode === "B2B",
		},
	);
	return {
		certificate,
		pfx,
		set: { issuedAt, certificateSerial: serial, certificateNotAfter: notAfter, claimFailures: 0 },
		alongside: [
			...enterWithLeaf(db, { serial, issuerKeyId: authority.keyId, partnerId, code, ...entered }, leaf),
			forgetPin(db, partnerId, code),
			...statements,
		],
		deliveries,
	};
}

/** The signer's entry and head as the certificate's row has them. */
function logged(receipt: LogReceipt | null) {
	const { entry = null, head = null, headSignature = null } = receipt ?? {};
	return { signerEntry: entry, signerHead: head, signerHeadSignature: headSignature };
}
