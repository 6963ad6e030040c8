import { env } from "cloudflare:workers";
import { X509Certificate } from "node:crypto";
import { inflateSync } from "node:zlib";
import forge from "node-forge";
import { beforeAll, expect, test } from "vitest";
import { DAY_MS, MINUTE_MS } from "../../../../../src/domain/durations.ts";
import { platformOf } from "../../../../../src/platform.ts";
import { openWithForge, openWithPkijs } from "../../../../interop/pfx-library-openers.ts";
import { passTime, setTime, yearOfNext } from "../../../../support/clock.ts";
import { activeCode, validatedCode } from "../../../../support/codes.ts";
import {
	auditOf,
	certificatesOf,
	codeRow,
	heldAtRegistry,
	outboxOf,
	type Row,
} from "../../../../support/look-inside.ts";
import { errorOf } from "../../../../support/refusal.ts";
import { type Answer, freshService, JUANA, ops, Partner, PEDRO } from "../../../../support/service.ts";
import { rowsOfCode } from "../../../../support/tables.ts";

const YEAR = yearOfNext("01-15");

const WRONG_PIN = { pin: "0000" };
const LOCK = 30 * MINUTE_MS;
/** 09:00 in Chile. */
const AT_NINE = Date.UTC(YEAR, 0, 15, 12);

beforeAll(freshService);

/** Keys of a kind that node-forge reads. */
const RSA = { key_algorithm: "rsa-2048" };

async function claimWrongly(partner: Partner, pCode: string, times: number): Promise<void> {
	for (let i = 0; i < times; i++) expect((await partner.claim(pCode, WRONG_PIN)).status).toBe(406);
}

function pfxOf(answer: Answer): Uint8Array {
	expect(answer.status).toBe(200);
	return Uint8Array.fromBase64(answer.body.data.certificate);
}

/** Opens a leaf as docs/operators/storage.md describes. */
async function openLeaf(row: Row): Promise<Uint8Array> {
	const { sealer, authority } = await platformOf(env);
	const leaf = await env.DB_2.prepare("SELECT sealed FROM leaves WHERE id = ?")
		.bind(row.leaf_id)
		.first("sealed");
	const place = { table: "leaves", row: row.serial, column: "sealed" };
	const packed = await sealer.open(Uint8Array.from(leaf as number[]), place);
	return Uint8Array.from(inflateSync(packed, { dictionary: authority.certificate }));
}

test("§4.2 200: success true, data as in 2.4 and nothing else; then 201: error ALREADY_ISSUED, nothing regenerated, whatever RUT and PIN", {
	tags: ["claim-answer", "claim-issues", "claim-already-issued", "idempotency-without-header"],
}, async () => {
	const { partner, pCode } = await validatedCode();
	const { status, body, headers } = await partner.claim(pCode);
	expect(status).toBe(200);
	expect(headers.get("Content-Type")).toContain("application/json");
	expect(headers.get("Cache-Control")).toBe("no-store");
	expect(body).toEqual({
		success: true,
		data: {
			p_code: pCode,
			certificate: expect.stringMatching(/^[A-Za-z0-9+/]+={0,2}$/),
			validFrom: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/),
			validTo: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/),
			serialNumber: expect.stringMatching(/^[0-9A-F]{32}$/),
		},
	});
	const before = [await codeRow(pCode), await certificatesOf(pCode), await outboxOf(pCode)];
	const again = await partner.claim(pCode);
	expect(again.status).toBe(201);
	expect(again.body).toEqual({ success: false, error: "ALREADY_ISSUED", message: expect.any(String) });
	for (const wrong of [WRONG_PIN, { dni: PEDRO.dni }]) {
		const answered = await partner.claim(pCode, wrong);
		expect([answered.status, answered.text]).toEqual([201, again.text]);
	}
	expect([await codeRow(pCode), await certificatesOf(pCode), await outboxOf(pCode)]).toEqual(before);
	expect(await partner.status(pCode)).toBe("EMITTED");
	expect(await partner.listed(pCode)).toMatchObject({ status: "emitido", processing: 0 });
	expect(await auditOf(pCode)).toEqual(["validated ok", "emitted ok"]);
});

test("§1.5: the PFX opens with the PIN of the request and no other, and holds the holder's certificate and its chain", {
	tags: ["claim-pfx-opens"],
}, async () => {
	const { partner, pCode } = await validatedCode(RSA);
	const claimed = await partner.claim(pCode);
	const opened = openWithForge(pfxOf(claimed), JUANA.pin);
	expect(opened.friendlyName).toBe("JUANA ANDREA PÉREZ SOTO");
	expect(() => openWithForge(pfxOf(claimed), "4822")).toThrow();

	const [leaf, issuing, root] = opened.certificates;
	expect([issuing, root]).toEqual(
		[env.ISSUING_CERTIFICATE, env.ROOT_CERTIFICATE].map((text) => Uint8Array.fromBase64(text)),
	);
	const certificate = forge.pki.certificateFromAsn1(
		forge.asn1.fromDer(forge.util.createBuffer(leaf as unknown as ArrayBuffer)),
	);
	const { serialNumber, validFrom, validTo } = claimed.body.data;
	expect(certificate.serialNumber.toUpperCase()).toBe(serialNumber);
	expect(certificate.validity.notBefore.toISOString()).toBe(validFrom);
	expect(certificate.validity.notAfter.toISOString()).toBe(validTo);
	const issuer = forge.pki.certificateFromAsn1(
		forge.asn1.fromDer(forge.util.createBuffer(issuing as unknown as ArrayBuffer)),
	);
	expect(issuer.verify(certificate)).toBe(true);
});

test("§3.3: a claim while a validation of the code runs is 202 with Retry-After, and leaves the code unchanged", {
	tags: ["claim-while-validating"],
}, async () => {
	const { partner, pCode } = await validatedCode();
	const before = await codeRow(pCode);
	const { registry, running } = await heldAtRegistry(() => partner.request({ pCode, ...JUANA }));

	for (const fields of [{}, WRONG_PIN]) {
		const answered = await partner.claim(pCode, fields);
		expect(answered.status).toBe(202);
		expect(answered.headers.get("Retry-After")).toBe("3");
		expect(answered.body).toEqual({
			success: false,
			error: "VALIDATION_IN_PROGRESS",
			message: expect.any(String),
		});
	}
	expect(await codeRow(pCode)).toMatchObject({ version: before.version, claim_failures: 0 });
	registry.release();
	expect((await running).status).toBe(200);
	expect((await partner.claim(pCode)).status).toBe(200);
});

test('decision "Order of checks": unknown, never validated, malformed and another partner\'s code answer 404, byte for byte alike', {
	tags: ["claim-not-found"],
}, async () => {
	const { partner, pCode: neverValidated } = await activeCode();
	const { pCode: strangers } = await validatedCode();
	const codes = [neverValidated, strangers, "0000-0000-0000-0000", "no such code", "\u0000", "🂡".repeat(65)];
	const answers: Answer[] = [];
	for (const pCode of codes) answers.push(await partner.claim(pCode));
	const seen = answers.map(({ status, text, headers }) => {
		const { "x-request-id": _, ratelimit: __, "server-timing": ___, ...alike } = Object.fromEntries(headers);
		return JSON.stringify([status, text, alike]);
	});
	expect(new Set(seen).size).toBe(1);
	const steps = answers.map(({ headers }) => headers.get("server-timing")?.replaceAll(/;dur=[0-9.]+/g, ""));
	expect(new Set(steps.slice(0, 3)).size).toBe(1);
	expect(errorOf(answers[0]!)).toEqual([404, "NOT_FOUND"]);
	expect(await codeRow(strangers)).toMatchObject({ claim_failures: 0, processing_until: null });
	expect(await partner.status(neverValidated)).toBe("ACTIVE");
});

test("§7 406: RUT or PIN differs; the answer never says which", {
	tags: ["claim-credentials-mismatch"],
}, async () => {
	const partner = await Partner.create();
	const answers: Answer[] = [];
	for (const wrong of [WRONG_PIN, { dni: PEDRO.dni }, { dni: PEDRO.dni, pin: PEDRO.pin }]) {
		const pCode = await partner.code();
		await partner.request({ pCode, ...JUANA });
		answers.push(await partner.claim(pCode, wrong));
		expect(await partner.status(pCode)).toBe("VALIDATED");
		expect(await codeRow(pCode)).toMatchObject({ claim_failures: 1, claim_locks: 0 });
		expect(await auditOf(pCode)).toEqual(["validated ok", "claim_failed credentials_mismatch"]);
	}
	for (const { status, body, text } of answers) {
		expect(status).toBe(406);
		expect(body.error).toBe("VALIDATION_ERROR");
		expect(body.details).toEqual([{ code: "CREDENTIALS_MISMATCH", message: expect.any(String) }]);
		expect(text).toBe(answers[0]!.text);
	}
});

test('decision "wrong RUT or PIN": each wrong claim says what is left, the 5th in a row opens a lock of 30 minutes, which a certificate_request ends, and the third, whatever ended the others, is for good until ops lift it', {
	tags: [
		"claim-lock-cure",
		"attempts-left",
		"claim-lock",
		"claim-security-lock",
		"claim-lock-permanent",
		"claim-failures-cleared",
	],
}, async () => {
	const { partner, pCode } = await validatedCode();
	const said: string[] = [];
	for (let lock = 1; lock <= 3; lock++) {
		setTime(AT_NINE + lock * DAY_MS);
		const keyed = { "idempotency-key": `lock-${lock}` };
		for (let i = 1; i <= 5; i++) {
			const { body, headers } = await partner.claim(pCode, WRONG_PIN, i === 5 ? keyed : {});
			expect(headers.get("Retry-After")).toBe(i === 5 && lock < 3 ? "1800" : null);
			expect(body.details[0].message).toBe(body.message);
			said.push(body.message.replace(/^.*certificate_request\. /, ""));
		}
		const again = await partner.claim(pCode, WRONG_PIN, keyed);
		expect([again.body.message.endsWith(said.at(-1)!), again.headers.get("Retry-After")]).toEqual([
			true,
			null,
		]);
		expect([await partner.status(pCode), (await partner.listed(pCode)).status]).toEqual([
			"LOCKED",
			"bloqueado",
		]);
		const { pcode } = (await partner.get(`/api/partner/v1/pcodes/${pCode}`)).body.data;
		expect(pcode).toMatchObject({ claim_failures: 0, claim_locks: lock, validation_locks: 0 });
		passTime(LOCK - 1);
		for (const fields of [{}, WRONG_PIN]) {
			const locked = await partner.claim(pCode, fields);
			expect([...errorOf(locked), locked.headers.get("Retry-After")]).toEqual(
				lock < 3 ? [429, "ATTEMPT_LIMIT_REACHED", "1"] : [423, "LOCKED", null],
			);
		}
		if (lock === 2) {
			expect((await partner.request({ pCode, ...JUANA, serialNumber: "999999999" })).status).toBe(406);
			expect(await partner.status(pCode)).toBe("LOCKED");
			expect((await partner.request({ pCode, ...JUANA })).status).toBe(200);
			expect(await codeRow(pCode)).toMatchObject({ claim_locked_until: null, claim_locks: 2 });
		} else passTime(1);
		expect(await partner.status(pCode)).toBe(lock < 3 ? "VALIDATED" : "LOCKED");
	}
	const counted = [4, 3, 2].map((n) => `${n} attempts are left.`).concat("1 attempt is left.");
	const until = (day: number) =>
		`Too many failed attempts: locked until ${day} January ${YEAR}, 09:30 (Chile time).`;
	const forGood = "Too many failed attempts: this purchase code is now permanently blocked.";
	expect(said).toEqual([16, 17, 0].flatMap((day) => [...counted, day ? until(day) : forGood]));

	expect((await partner.request({ pCode, ...JUANA })).status).toBe(423);
	await ops("POST", `/pcodes/${pCode}/unblock`, { reason: "holder identified" });
	await claimWrongly(partner, pCode, 4);
	expect((await partner.request({ pCode, ...JUANA })).status).toBe(200);
	await claimWrongly(partner, pCode, 4);
	expect((await partner.claim(pCode)).status).toBe(200);
});

test('decision "product": an FV03 of a leap day is valid to the end of February three years on, on the wire, in D1 and in the certificate', {
	tags: ["product-validity"],
}, async () => {
	const leap = YEAR + ((4 - (YEAR % 4)) % 4);
	const [at, validTo] = [`${leap}-02-29T23:59:59.999Z`, `${leap + 3}-02-28T23:59:59.000Z`];
	setTime(Date.parse(at));
	const partner = await Partner.create();
	const pCode = await partner.code("FV03");
	await partner.request({ pCode, ...JUANA });
	const claimed = await partner.claim(pCode);
	const validFrom = new Date(Math.floor(Date.parse(at) / 1000) * 1000 - 5 * MINUTE_MS).toISOString();
	expect(claimed.body.data).toMatchObject({ validFrom, validTo });
	const { serialNumber: serial } = claimed.body.data;
	const [not_before, not_after] = [Date.parse(validFrom), Date.parse(validTo)];
	expect(await codeRow(pCode)).toMatchObject({
		certificate_not_after: not_after,
		certificate_serial: serial,
	});
	const [row, ...others] = await certificatesOf(pCode);
	expect(others).toEqual([]);
	const unrevoked = { revoked_at: null, revocation_reason: null };
	expect(row).toMatchObject({ serial, partner_id: partner.id, not_before, not_after, ...unrevoked });
	expect(Date.parse(new X509Certificate(await openLeaf(row!)).validTo)).toBe(not_after);
});

/** DER of the object identifiers, hex. */
const PBES2 = "06092a864886f70d01050d";
const PBE_SHA_3DES = "060a2a864886f70d010c0103";
const EC_PUBLIC_KEY = "06072a8648ce3d0201";

test.each([
	["modern", "ec-p256"],
	["legacy", "rsa-2048"],
])(
	"§2.7: the PFX is %s and the key %s by the partner's settings at the moment of the claim",
	async (pfx_profile, key_algorithm) => {
		const other = {
			pfx_profile: pfx_profile === "modern" ? "legacy" : "modern",
			key_algorithm: key_algorithm === "ec-p256" ? "rsa-2048" : "ec-p256",
		};
		const { partner, pCode } = await validatedCode(other);
		await partner.change({ pfx_profile, key_algorithm });

		const pfx = pfxOf(await partner.claim(pCode));
		expect(pfx.toHex().includes(PBES2)).toBe(pfx_profile === "modern");
		expect(pfx.toHex().includes(PBE_SHA_3DES)).toBe(pfx_profile === "legacy");
		const [row] = await certificatesOf(pCode);
		const leaf = await openLeaf(row!);
		expect(leaf.toHex().includes(EC_PUBLIC_KEY)).toBe(key_algorithm === "ec-p256");
		if (pfx_profile === "modern") expect((await openWithPkijs(pfx, JUANA.pin)).certificates[0]).toEqual(leaf);
		else expect(openWithForge(pfx, JUANA.pin).certificates[0]).toEqual(leaf);
	},
);

const holderOf = async (pCode: string) => (await rowsOfCode("holders", pCode))[0]!;

test('decision "stored PIN": never; a keyed hash with a salt per code, gone once the certificate is issued', {
	tags: ["pin-not-stored"],
}, async () => {
	const { partner, pCode } = await validatedCode();
	const other = await partner.code();
	await partner.request({ pCode: other, ...JUANA });
	const [holder, second] = [await holderOf(pCode), await holderOf(other)];
	expect(holder.pin_hash).toMatch(/^[A-Za-z0-9_-]{43}$/);
	expect(holder.pin_salt).toMatch(/^[A-Za-z0-9_-]{22}$/);
	expect([holder.pin_hash, holder.pin_salt]).not.toContain(second.pin_hash);
	expect(holder.pin_salt).not.toBe(second.pin_salt);
	expect(holder.rut_index).toBe(second.rut_index);

	await partner.claim(pCode);
	expect(await holderOf(pCode)).toMatchObject({ pin_hash: null, pin_salt: null });
	expect((await holderOf(other)).pin_hash).toBe(second.pin_hash);
});
