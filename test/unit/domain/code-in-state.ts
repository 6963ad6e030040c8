import type { CodeFacts } from "../../../src/domain/code-facts.ts";
import type { CertificateFacts } from "../../../src/domain/decide-revocation.ts";
import { DAY_MS, MINUTE_MS } from "../../../src/domain/durations.ts";
import { CODE_WINDOW_MS } from "../../../src/domain/limits.ts";

/** The moment at which the domain's tests look. */
export const NOW = Date.UTC(2026, 10, 21, 12);

export const HOLDER = "index of the holder's RUT";
export const OTHER_HOLDER = "index of another RUT";

/** A fresh purchase code, but for what is given. */
export function codeWith(facts: Partial<CodeFacts> = {}): CodeFacts {
	return {
		partnerId: "pt_1",
		code: "7K3M-9QXT-2B4C-H8WD",
		version: 0,
		product: "FV01",
		createdAt: NOW - DAY_MS,
		updatedAt: NOW - DAY_MS,
		externalReferenceId: null,
		validatedAt: null,
		boundRut: null,
		issuedAt: null,
		certificateSerial: null,
		certificateNotAfter: null,
		cancelledAt: null,
		blockedAt: null,
		validationLockedUntil: null,
		validationBlockedAt: null,
		claimLockedUntil: null,
		onboardingUntil: null,
		processingUntil: null,
		validationFailures: 0,
		validationLocks: 0,
		claimFailures: 0,
		claimLocks: 0,
		...facts,
	};
}

/** An issued certificate that is in force, but for what is given. */
export function certificateWith(facts: Partial<CertificateFacts> = {}): CertificateFacts {
	return {
		serial: "4F0C6D1E9A3B5C7D8E9F0A1B2C3D4E5F",
		issuerKeyId: "c0ffee",
		partnerId: "pt_1",
		code: "7K3M-9QXT-2B4C-H8WD",
		issuedAt: NOW - DAY_MS,
		notBefore: NOW - DAY_MS,
		notAfter: NOW + DAY_MS,
		revokedAt: null,
		revocationReason: null,
		renews: null,
		signerEntry: null,
		signerHead: null,
		signerHeadSignature: null,
		...facts,
	};
}

const validated = { validatedAt: NOW - 5 * MINUTE_MS, boundRut: HOLDER, externalReferenceId: "order-1001" };
const emitted = {
	...validated,
	issuedAt: NOW - 4 * MINUTE_MS,
	certificateSerial: "4F0C6D1E9A3B5C7D8E9F0A1B2C3D4E5F",
	certificateNotAfter: NOW + 365 * DAY_MS,
};
const running = { processingUntil: NOW + 30_000 };
const validationLock = { validationLockedUntil: NOW + 10 * MINUTE_MS, validationLocks: 1 };
const claimLock = { claimLockedUntil: NOW + 10 * MINUTE_MS, claimLocks: 1 };
const resting = (facts: Partial<CodeFacts> = {}) => ({ busy: false, facts: codeWith(facts) });

/** Every state of a code that some call tells apart. `busy`: its object holds the lease of a running step. */
export const STATES = {
	"unused, fresh": resting(),
	"unused, past its window": resting({ createdAt: NOW - CODE_WINDOW_MS }),
	onboarding: resting({ onboardingUntil: NOW + MINUTE_MS }),
	"validating for the first time": { busy: true, facts: codeWith(running) },
	validated: resting(validated),
	"validated, past the window": resting({ ...validated, createdAt: NOW - 2 * CODE_WINDOW_MS }),
	"validated, busy": { busy: true, facts: codeWith({ ...validated, ...running }) },
	"locked, unused": resting(validationLock),
	"locked, validated": resting({ ...validated, ...validationLock }),
	"locked by failed claims": resting({ ...validated, ...claimLock }),
	"locked by both": resting({
		...validated,
		...validationLock,
		...claimLock,
		validationLockedUntil: NOW + 20 * MINUTE_MS,
	}),
	"validated, closed to certificate_request": resting({
		...validated,
		validationBlockedAt: NOW - MINUTE_MS,
		validationLocks: 3,
	}),
	"lock run out, unused": resting({ validationLockedUntil: NOW, validationLocks: 1 }),
	"lock run out, validated": resting({ ...validated, claimLockedUntil: NOW, claimLocks: 1 }),
	"blocked, unused": resting({ blockedAt: NOW - MINUTE_MS }),
	"blocked, validated": resting({ ...validated, blockedAt: NOW - MINUTE_MS }),
	"blocked, holder erased": resting({ ...validated, boundRut: null, blockedAt: NOW - MINUTE_MS }),
	emitted: resting(emitted),
	"emitted, certificate expired": resting({ ...emitted, certificateNotAfter: NOW }),
	"cancelled, unused": resting({ cancelledAt: NOW - MINUTE_MS }),
	"cancelled, validated": resting({ ...validated, cancelledAt: NOW - MINUTE_MS }),
	"cancelled, emitted": resting({ ...emitted, cancelledAt: NOW - MINUTE_MS }),
	"no such code": { busy: false, facts: null },
} as const satisfies Record<string, { busy: boolean; facts: CodeFacts | null }>;

export type State = keyof typeof STATES;
