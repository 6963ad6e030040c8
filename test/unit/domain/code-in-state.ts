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

/** Every state of a code that some call tells apart. `busy`: its object holds the lease of a running step. */
export const STATES = {
	"unused, fresh": { busy: false, facts: codeWith() },
	"unused, past its window": { busy: false, facts: codeWith({ createdAt: NOW - CODE_WINDOW_MS }) },
	onboarding: { busy: false, facts: codeWith({ onboardingUntil: NOW + MINUTE_MS }) },
	"validating for the first time": { busy: true, facts: codeWith(running) },
	validated: { busy: false, facts: codeWith(validated) },
	"validated, past the window": {
		busy: false,
		facts: codeWith({ ...validated, createdAt: NOW - 2 * CODE_WINDOW_MS }),
	},
	"validated, busy": { busy: true, facts: codeWith({ ...validated, ...running }) },
	"locked, unused": {
		busy: false,
		facts: codeWith({ validationLockedUntil: NOW + 10 * MINUTE_MS, validationLocks: 1 }),
	},
	"locked, validated": {
		busy: false,
		facts: codeWith({
			...validated,
			validationLockedUntil: NOW + 10 * MINUTE_MS,
			validationLocks: 1,
		}),
	},
	"locked by failed claims": {
		busy: false,
		facts: codeWith({
			...validated,
			claimLockedUntil: NOW + 10 * MINUTE_MS,
			claimLocks: 1,
		}),
	},
	"locked by both": {
		busy: false,
		facts: codeWith({
			...validated,
			validationLockedUntil: NOW + 20 * MINUTE_MS,
			claimLockedUntil: NOW + 10 * MINUTE_MS,
			validationLocks: 1,
			claimLocks: 1,
		}),
	},
	"validated, closed to certificate_request": {
		busy: false,
		facts: codeWith({ ...validated, validationBlockedAt: NOW - MINUTE_MS, validationLocks: 3 }),
	},
	"lock run out, unused": {
		busy: false,
		facts: codeWith({ validationLockedUntil: NOW, validationLocks: 1 }),
	},
	"lock run out, validated": {
		busy: false,
		facts: codeWith({ ...validated, claimLockedUntil: NOW, claimLocks: 1 }),
	},
	"blocked, unused": { busy: false, facts: codeWith({ blockedAt: NOW - MINUTE_MS }) },
	"blocked, validated": { busy: false, facts: codeWith({ ...validated, blockedAt: NOW - MINUTE_MS }) },
	"blocked, holder erased": {
		busy: false,
		facts: codeWith({ ...validated, boundRut: null, blockedAt: NOW - MINUTE_MS }),
	},
	emitted: { busy: false, facts: codeWith(emitted) },
	"emitted, certificate expired": {
		busy: false,
		facts: codeWith({ ...emitted, certificateNotAfter: NOW }),
	},
	"cancelled, unused": { busy: false, facts: codeWith({ cancelledAt: NOW - MINUTE_MS }) },
	"cancelled, validated": { busy: false, facts: codeWith({ ...validated, cancelledAt: NOW - MINUTE_MS }) },
	"cancelled, emitted": { busy: false, facts: codeWith({ ...emitted, cancelledAt: NOW - MINUTE_MS }) },
	"no such code": { busy: false, facts: null },
} as const satisfies Record<string, { busy: boolean; facts: CodeFacts | null }>;

export type State = keyof typeof STATES;
