import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../src/domain/durations.ts";
import { CivilRegistrySandbox } from "../../../src/sandbox/civil-registry-sandbox.ts";
import { passTime } from "../../support/clock.ts";
import { activeCode, validatedCode } from "../../support/codes.ts";
import { dyingAt, failingAt, failingFrom, interceptDb } from "../../support/failing-db.ts";
import {
	certificatesOf,
	codeObject,
	codeRow,
	holdRegistry,
	LEASE_OVER,
	readable,
	select,
	storedIn,
	unsettledIn,
} from "../../support/look-inside.ts";
import { dropQueue, runCron } from "../../support/receiver.ts";
import { errorOf } from "../../support/refusal.ts";
import { type Answer, freshService, JUANA, loadHolder, ops, Partner, PNG } from "../../support/service.ts";
import { readTables } from "../../support/tables.ts";

beforeAll(freshService);
beforeEach(dropQueue);

type Headers = Record<string, string>;

let keys = 0;
/** A fresh Idempotency-Key. */
function freshKey(): Headers {
	keys += 1;
	return { "Idempotency-Key": `order-${keys}-8e03978e-40d5-43dd-bc93-6894a57f9324` };
}

function isReplay({ headers }: Answer): boolean {
	return headers.get("Idempotency-Replayed") === "true";
}

/** `repeat` is `first` again: bytes, status, and the mark. */
function expectSame(first: Answer, repeat: Answer): void {
	expect(isReplay(first)).toBe(false);
	expect(isReplay(repeat)).toBe(true);
	expect([repeat.status, repeat.text]).toEqual([first.status, first.text]);
}

/* ---------------------------------------------------------------- kept answers */

type Ready = { partner: Partner; pCode: string };
type Call = (ready: Ready, headers: Headers) => Promise<Answer>;

const request =
	(fields: object): Call =>
	({ partner, pCode }, headers) =>
		partner.request({ pCode, ...JUANA, ...fields }, headers);
const claim =
	(fields = {}): Call =>
	({ partner, pCode }, headers) =>
		partner.claim(pCode, fields, headers);

test('decision "Idempotency": each kept answer is given again, bytes, status and language, whatever became of its code, and changes nothing more', {
	tags: ["idempotency-replay"],
}, async () => {
	const ready = await activeCode();
	const b2b = await activeCode({ mode: "B2B" });
	const calls: [status: number, what: string | undefined, call: Call][] = [
		[201, undefined, ({ partner }, headers) => partner.bulk(3, "FV02", headers)],
		[406, "ID_CARD_MISMATCH", request({ serialNumber: "999999999" })],
		[406, "SERIAL_NUMBER_REQUIRED", request({ serialNumber: undefined })],
		[200, "VALIDATED", request({})],
		[406, "CREDENTIALS_MISMATCH", claim({ pin: "0000" })],
		[200, undefined, claim()],
		[201, "ALREADY_ISSUED", claim()],
		[200, "EMITTED", (_, headers) => request({})(b2b, headers)],
	];
	const kept: [first: Answer, call: Call, key: Headers][] = [];
	for (const [status, what, call] of calls) {
		const key = freshKey();
		const first = await call(ready, { ...key, "Accept-Language": "es" });
		const { details, error, data } = first.body;
		expect([first.status, details?.[0].code ?? error ?? data.status]).toEqual([status, what]);
		if (what === "CREDENTIALS_MISMATCH") expect(first.body.message).toContain("no coincide");
		kept.push([first, call, key]);
	}
	const read = ({ pCode }: Ready) => Promise.all([codeRow(pCode), certificatesOf(pCode)]);
	const after = await Promise.all([ready, b2b].map(read));
	for (const [first, call, key] of kept) {
		expectSame(first, await call(ready, { ...key, "Accept-Language": "en" }));
		expectSame(first, await call(ready, key));
	}
	expect(await Promise.all([ready, b2b].map(read))).toEqual(after);
});

test('decision "Idempotency": ten bulks at once with one key make one batch', async () => {
	const partner = await Partner.create();
	const key = freshKey();
	const answered = await Promise.all(Array.from({ length: 10 }, () => partner.bulk(5, "FV01", key)));
	expect(new Set(answered.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
	expect(answered.filter(isReplay)).toHaveLength(9);
	expect((await partner.list()).body.data.pagination.total).toBe(5);
});

test('decision "Idempotency": 403 of a bulk is never kept; a batch is told again even when the product was taken from the partner since', {
	tags: ["idempotency-not-4xx"],
}, async () => {
	const partner = await Partner.create({ allowed_products: ["FV01"] });
	const key = freshKey();
	expect(errorOf(await partner.bulk(2, "FV03", key))).toEqual([403, "PRODUCT_NOT_ENABLED"]);
	await partner.change({ allowed_products: ["FV03"] });
	const first = await partner.bulk(2, "FV03", key);
	expect(first.status).toBe(201);
	await partner.change({ allowed_products: ["FV01"] });
	expectSame(first, await partner.bulk(2, "FV03", key));
	expect(errorOf(await partner.bulk(1, "FV03", key))).toEqual([422, "IDEMPOTENCY_MISMATCH"]);
	expect((await partner.bulk(2, "FV03", freshKey())).status).toBe(403);
});

/* ---------------------------------------------------------------- another body */

test('decision "Idempotency": same key, other body, code or route is 422, and leaves every code at rest', {
	tags: ["idempotency-other-body", "idempotency-other-code", "idempotency-other-route"],
}, async () => {
	const { partner, pCode } = await validatedCode();
	const fresh = await partner.code();
	const notACode = "no code looks like this";
	const [requestKey, claimKey, bulkKey] = [freshKey(), freshKey(), freshKey()];
	const other = await partner.code();
	expect((await partner.request({ pCode: other, ...JUANA }, requestKey)).status).toBe(200);
	expect((await partner.claim(pCode, {}, claimKey)).status).toBe(200);
	await partner.bulk(1, "FV01", bulkKey);

	for (const misuse of [
		await partner.request({ pCode: other, ...JUANA, referenceId: "order-1002" }, requestKey),
		await partner.claim(other, {}, claimKey),
		await partner.claim(notACode, {}, claimKey),
		await partner.request({ pCode: notACode, ...JUANA }, claimKey),
		await partner.request({ pCode: other, ...JUANA }, claimKey),
		await partner.request({ pCode: fresh, ...JUANA }, claimKey),
		await partner.claim(other, {}, bulkKey),
		await partner.request({ pCode: fresh, ...JUANA }, bulkKey),
		await partner.claim(other, {}, requestKey),
		await partner.bulk(1, "FV01", claimKey),
		await partner.bulk(1, "FV01", requestKey),
	])
		expect([...errorOf(misuse), isReplay(misuse)]).toEqual([422, "IDEMPOTENCY_MISMATCH", false]);
	for (const code of [other, fresh]) {
		expect((await partner.listed(code)).processing).toBe(0);
		expect((await codeRow(code)).processing_until).toBeNull();
	}
	expect(await unsettledIn(partner, fresh)).toEqual({});
	expect((await codeRow(other)).external_reference_id).toBe("order-1001");
	expect((await partner.claim(other)).status).toBe(200);
	expect((await partner.claim(pCode, {}, claimKey)).status).toBe(200);
});

test('decision "Idempotency": one key on two codes at once is one claim; the other is 422', async () => {
	const { partner, pCode } = await validatedCode();
	const other = await partner.code();
	await partner.request({ pCode: other, ...JUANA });
	const key = freshKey();
	const answered = await Promise.all([partner.claim(pCode, {}, key), partner.claim(other, {}, key)]);
	expect(answered.map(({ status }) => status).sort()).toEqual([200, 422]);
});

/* ---------------------------------------------------------------- still running */

test('decision "Idempotency": the first still running is 409 with Retry-After, another body then 422', {
	tags: ["idempotency-running"],
}, async () => {
	const { partner, pCode } = await activeCode();
	const registry = holdRegistry();
	const key = freshKey();
	const running = partner.request({ pCode, ...JUANA }, key);
	await vi.waitUntil(registry.isAsked, { interval: 1 });

	const repeat = await partner.request({ pCode, ...JUANA }, key);
	expect(errorOf(repeat)).toEqual([409, "IDEMPOTENCY_IN_PROGRESS"]);
	expect(Number(repeat.headers.get("Retry-After"))).toBeGreaterThan(0);
	const other = await partner.request({ pCode, ...JUANA, pin: "0000" }, key);
	expect(errorOf(other)).toEqual([422, "IDEMPOTENCY_MISMATCH"]);
	const without = await partner.request({ pCode, ...JUANA });
	expect(without.body.details[0].code).toBe("OTHER_VALIDATION_IN_PROGRESS");

	registry.release();
	expectSame(await running, await partner.request({ pCode, ...JUANA }, key));
});

test.each([
	["a claim", claim(), claim({ pin: "0000" }), 201],
	["a request", request({}), request({ pin: "0000" }), 406],
])(
	'decision "Idempotency": the final answer to %s given while another run holds the code is kept like any other',
	async (_, call, other, status) => {
		const { partner, pCode } = await validatedCode();
		await partner.claim(pCode);
		const key = freshKey();
		const held = Promise.withResolvers<void>();
		let trips = 0;
		const first = await interceptDb(
			async (nth, deliver) => {
				trips = nth;
				if (nth === 1) await held.promise;
				return deliver();
			},
			async () => {
				const running = partner.claim(pCode);
				await vi.waitUntil(() => trips === 1, { interval: 1 });
				const answer = await call({ partner, pCode }, key);
				held.resolve();
				expect((await running).status).toBe(201);
				return answer;
			},
		);
		expect(first.status).toBe(status);
		await ops("POST", `/pcodes/${pCode}/cancel`, { reason: "test" });
		expectSame(first, await call({ partner, pCode }, key));
		expect(errorOf(await other({ partner, pCode }, key))).toEqual([422, "IDEMPOTENCY_MISMATCH"]);
	},
);

/* ---------------------------------------------------------------- never kept */

test('decision "Idempotency": 400, 404, 500 and 503 are never kept: the key is free at once, also for another body', {
	tags: ["idempotency-not-4xx", "idempotency-not-500", "idempotency-not-503"],
}, async () => {
	const { partner, pCode } = await activeCode({ require_cedula_serie: 0, require_sso: 0 });
	const [requestKey, claimKey] = [freshKey(), freshKey()];
	const ask = (fields = {}) => partner.request({ pCode, ...JUANA, ...fields }, requestKey);
	const take = () => partner.claim(pCode, {}, claimKey);
	const expectNotKept = async (answer: Promise<Answer>, status: number, error: string) => {
		expect(errorOf(await answer)).toEqual([status, error]);
		expect(await unsettledIn(partner, pCode)).toEqual({});
	};
	await expectNotKept(ask(), 400, "VALIDATION_ERROR");
	await expectNotKept(take(), 404, "NOT_FOUND");
	await partner.change({ require_cedula_serie: 1 });
	vi.spyOn(CivilRegistrySandbox.prototype, "fetch").mockResolvedValueOnce(
		new Response(null, { status: 503 }),
	);
	await expectNotKept(ask(), 503, "REGISTRY_UNAVAILABLE");
	for (const trip of [1, 2, 3])
		await expectNotKept(failingAt(trip, "is lost", ask), 503, "SERVICE_UNAVAILABLE");
	const validated = await ask({ referenceId: "order-1002" });
	expect([validated.status, isReplay(validated)]).toEqual([200, false]);

	vi.spyOn(crypto.subtle, "exportKey").mockRejectedValueOnce(new Error("a bug"));
	expect(errorOf(await take())).toEqual([500, "INTERNAL_ERROR"]);
	const claimed = await take();
	expect([claimed.status, isReplay(claimed)]).toEqual([200, false]);
});

/* ---------------------------------------------------------------- a day, a partner */

test('decision "Idempotency": within 24 hours a claim is given again, then the document stands; an alarm that runs once forgets it', {
	tags: ["idempotency-24h-claim"],
}, async () => {
	const { partner, pCode } = await validatedCode();
	const late = freshKey();
	for (const key of [freshKey(), freshKey()]) {
		await partner.claim(pCode, { pin: "0000" }, key);
		passTime(30 * MINUTE_MS);
	}
	const first = await partner.claim(pCode, {}, late);
	expect(Object.keys(await unsettledIn(partner, pCode))).toHaveLength(3);
	const object = codeObject(partner, pCode);
	const alarm = () => runInDurableObject(object, (_, { storage }) => storage.getAlarm());

	passTime(DAY_MS - HOUR_MS);
	expect(await runDurableObjectAlarm(object)).toBe(true);
	expect(Object.keys(await unsettledIn(partner, pCode))).toHaveLength(2);
	expect(Math.round(((await alarm())! - Date.now()) / MINUTE_MS)).toBe(30);
	passTime(HOUR_MS - 5 * SECOND_MS);
	expectSame(first, await partner.claim(pCode, {}, late));
	passTime(5 * SECOND_MS);
	const again = await partner.claim(pCode, {}, late);
	expect([...errorOf(again), isReplay(again)]).toEqual([201, "ALREADY_ISSUED", false]);
	passTime(DAY_MS);
	expect(await runDurableObjectAlarm(object)).toBe(true);
	expect(await unsettledIn(partner, pCode)).toEqual({});
	// And its certificate, 31 days after it was issued: then nothing is left.
	passTime(30 * DAY_MS);
	expect(await runDurableObjectAlarm(object)).toBe(true);
	expect(await storedIn(partner, pCode)).toEqual({});
	expect(await alarm()).toBeNull();
	expect(await runDurableObjectAlarm(object)).toBe(false);
});

test("§5.4: a key is its partner's own: another partner's same key is another key", {
	tags: ["idempotency-per-partner"],
}, async () => {
	const [one, two] = [await Partner.create(), await Partner.create()];
	const key = freshKey();
	const first = await one.bulk(1, "FV01", key);
	const second = await two.bulk(1, "FV01", key);
	expect([second.status, isReplay(second)]).toEqual([201, false]);
	expect(second.body.data.batchId).not.toBe(first.body.data.batchId);
	expect((await two.bulk(2, "FV01", key)).status).toBe(422);

	const pCode = first.body.data.pcodes[0];
	const claimKey = freshKey();
	await one.request({ pCode, ...JUANA });
	const claimed = await one.claim(pCode, {}, claimKey);
	expect(claimed.status).toBe(200);
	expect((await two.claim(pCode, {}, claimKey)).status).toBe(404);
	expectSame(claimed, await one.claim(pCode, {}, claimKey));
});

test('decision "Idempotency": after 24 hours a bulk\'s key may carry another body, and the hourly sweep deletes it, and no other', {
	tags: ["idempotency-24h-bulk"],
}, async () => {
	const partner = await Partner.create();
	const [old, reused, young] = [freshKey(), freshKey(), freshKey()];
	await partner.bulk(1, "FV01", old);
	const first = await partner.bulk(1, "FV01", reused);
	passTime(DAY_MS - HOUR_MS);
	const kept = await partner.bulk(1, "FV01", young);
	passTime(HOUR_MS - 5 * SECOND_MS);
	expectSame(first, await partner.bulk(1, "FV01", reused));
	expect((await partner.bulk(2, "FV01", reused)).status).toBe(422);
	const rows = () => select("SELECT key_id FROM idempotency_keys WHERE partner_id = ?", partner.id);
	expect(await rows()).toHaveLength(3);

	passTime(5 * SECOND_MS);
	const late = await partner.bulk(2, "FV01", reused);
	expect([late.status, isReplay(late)]).toEqual([201, false]);
	expect(late.body.data.batchId).not.toBe(first.body.data.batchId);
	await runCron(18);
	expect(await rows()).toHaveLength(2);
	expectSame(kept, await partner.bulk(1, "FV01", young));
});

/* ---------------------------------------------------------------- sealed */

/** Tells whether a text has the private number of a P-256 key, in any encoding and at any offset. */
function hasKey(text: string, pkcs8: Uint8Array): boolean {
	// Octets 36 to 67 of its PKCS#8 are the number.
	const slice = Buffer.from(pkcs8.subarray(38, 64));
	const groups = [0, 1, 2].map((offset) => slice.subarray(offset, offset + 24));
	return (
		[
			slice.toString("latin1"),
			slice.join(),
			...groups.flatMap((group) => [group.toString("base64"), group.toString("base64url")]),
		].some((form) => text.includes(form)) || text.toLowerCase().includes(slice.toString("hex"))
	);
}

/** Everything that the service keeps: D1, the objects of a code and its partner, the buckets. */
async function readAllAtRest(partner: Partner, pCode: string) {
	const ofPartner = await runInDurableObject(env.PARTNERS.getByName(partner.id), async (_, { storage }) => [
		...(await storage.list()),
	]);
	const objects = [await storedIn(partner, pCode), ofPartner];
	const buckets: unknown[] = [];
	for (const bucket of [env.EVIDENCE, env.PKI])
		for (const { key } of (await bucket.list()).objects)
			buckets.push([key, new Uint8Array(await (await bucket.get(key))!.arrayBuffer())]);
	return { register: readable(await readTables()), objects: readable(objects), buckets: readable(buckets) };
}

test.each([
	["B2C", {}],
	["B2B", { mode: "B2B" }],
] as const)(
	"invariant 5: the private key is nowhere at rest in the clear, nor in a log, an error or an audit row; PFX, RUT, e-mail and the caller's keys in no object or table: %s",
	{ tags: ["private-key-nowhere", "sealed-in-object-and-db"] },
	async (mode, settings) => {
		const written: string[] = [];
		for (const method of ["log", "info", "warn", "error", "debug", "trace"] as const)
			vi.spyOn(console, method).mockImplementation(
				(...values) => void written.push(values.map(readable).join(" ")),
			);
		const generateKey = crypto.subtle.generateKey.bind(crypto.subtle) as (
			...of: unknown[]
		) => Promise<CryptoKeyPair>;
		const made: CryptoKeyPair[] = [];
		vi.spyOn(crypto.subtle, "generateKey").mockImplementation((async (...of: unknown[]) => {
			const pair = await generateKey(...of);
			made.push(pair);
			return pair;
		}) as never);

		const { partner, pCode } = await activeCode(settings);
		const request = (key: Headers) => partner.request({ pCode, ...JUANA, dniFront: PNG }, key);
		const emit = (key: Headers) => (mode === "B2B" ? request(key) : partner.claim(pCode, {}, key));
		const [requestKey, key] = [freshKey(), freshKey()];
		if (mode === "B2C") expect((await request(requestKey)).status).toBe(200);

		// A key that is made, and then cannot be put into a PFX; one whose certificate is not committed; one that is.
		const answers: Answer[] = [];
		const keep = async (call: Promise<Answer>) => {
			const answer = await call;
			answers.push(answer);
			return answer.status;
		};
		const exportKey = vi.spyOn(crypto.subtle, "exportKey").mockRejectedValueOnce(new Error("a bug"));
		expect(await keep(emit(key))).toBe(500);
		exportKey.mockRestore();
		expect(await keep(failingAt(mode === "B2B" ? 3 : 2, "is lost", () => emit(key)))).toBe(503);
		expect(await keep(emit(key))).toBe(200);
		expect(await keep(emit(key))).toBe(200);
		expect(await keep(emit(freshKey()))).toBe(mode === "B2B" ? 406 : 201);

		expect(made).toHaveLength(3);
		const keys = await Promise.all(
			made.map(
				async ({ privateKey }) =>
					new Uint8Array((await crypto.subtle.exportKey("pkcs8", privateKey)) as ArrayBuffer),
			),
		);
		const places = {
			...(await readAllAtRest(partner, pCode)),
			log: written.join("\n"),
			answers: answers.map(({ text, headers }) => text + readable([...headers])).join("\n"),
		};
		expect(places.register).toContain(pCode);
		expect(places.register).toContain("emitted");
		expect(places.objects).toContain("answer:");
		expect(places.buckets).toContain(partner.id);
		expect(places.log).toContain("a bug");
		for (const pkcs8 of keys) {
			for (const [place, text] of Object.entries(places))
				expect([place, hasKey(text, pkcs8)]).toEqual([place, false]);
			// They would be found.
			const shifted = Buffer.from(pkcs8.subarray(1));
			for (const encoding of ["latin1", "hex", "base64", "base64url"] as const)
				expect([encoding, hasKey(`x${shifted.toString(encoding)}`, pkcs8)]).toEqual([encoding, true]);
			for (const value of [pkcs8, pkcs8.buffer, [...pkcs8]])
				expect(hasKey(readable({ value }), pkcs8)).toBe(true);
		}
		const [pfx] = answers.flatMap(({ body }) => body.data?.certificate ?? []);
		const secrets = [JUANA.dni, JUANA.email, partner.key, key["Idempotency-Key"]!];
		if (mode === "B2C") {
			const file = readable(Uint8Array.fromBase64(pfx).subarray(0, 64));
			secrets.push(requestKey["Idempotency-Key"]!, pfx.slice(100, 140), file);
		}
		for (const secret of secrets)
			for (const place of ["register", "objects"] as const)
				expect([secret, place, places[place].includes(secret)]).toEqual([secret, place, false]);
	},
);

/* ---------------------------------------------------------------- answers lost on the way */

test.each([
	["dies after its commit and is recovered by the alarm", dyingAt, true],
	["hears nothing more from D1 once it committed", failingFrom, false],
])(
	'decision "answer lost on the way": a claim %s: repeated, it gives its first answer',
	{ tags: ["idempotency-lost-answer"] },
	async (_, lose, withAlarm) => {
		const { partner, pCode } = await validatedCode();
		const key = freshKey();
		const call = () => partner.claim(pCode, {}, key);
		expect((await lose(2, "arrives", call)).status).toBe(503);
		expect(await partner.status(pCode)).toBe("EMITTED");
		expect(errorOf(await call())).toEqual([409, "IDEMPOTENCY_IN_PROGRESS"]);

		passTime(LEASE_OVER);
		if (withAlarm) await runDurableObjectAlarm(codeObject(partner, pCode));
		const repeat = await call();
		expect([repeat.status, isReplay(repeat)]).toEqual([200, true]);
		expect(await certificatesOf(pCode)).toHaveLength(1);
		expect(repeat.body.data.serialNumber).toBe((await codeRow(pCode)).certificate_serial);
		expect(Uint8Array.fromBase64(repeat.body.data.certificate).length).toBeGreaterThan(1_000);
		expect((await partner.claim(pCode)).status).toBe(201);
	},
);

test('decision "Idempotency": a key whose call crashed is free again after one lease, for any body', async () => {
	const { partner, pCode } = await validatedCode();
	const key = freshKey();
	await dyingAt(1, "arrives", () => partner.claim(pCode, { pin: "0000" }, key));
	expect((await partner.bulk(1, "FV01", key)).status).toBe(422);
	passTime(LEASE_OVER);
	expect((await partner.bulk(1, "FV01", key)).status).toBe(201);
	expect(errorOf(await partner.claim(pCode, { pin: "0000" }, key))).toEqual([422, "IDEMPOTENCY_MISMATCH"]);
	expect((await partner.bulk(1, "FV01", key)).status).toBe(201);
});

/* ---------------------------------------------------------------- the header itself */

test('decision "Idempotency": a key of other characters, none, or more than 255 is 400 on each POST and does nothing', {
	tags: ["idempotency-key-characters"],
}, async () => {
	const { partner, pCode } = await validatedCode();
	const before = await codeRow(pCode);
	for (const malformed of ["", "two words"]) {
		const headers = { "Idempotency-Key": malformed };
		for (const answered of [
			await partner.bulk(1, "FV01", headers),
			await partner.request({ pCode, ...JUANA }, headers),
			await partner.claim(pCode, {}, headers),
		]) {
			expect(errorOf(answered)).toEqual([400, "VALIDATION_ERROR"]);
			expect(answered.body.details.map(({ field }: { field: string }) => field)).toEqual(["Idempotency-Key"]);
		}
	}
	expect(await codeRow(pCode)).toEqual(before);
	expect((await partner.list()).body.data.pagination.total).toBe(1);
});

test('decision "emission rate": a repeat under the same key counts like any authenticated certificate_request, and its 429 is never kept', {
	tags: ["idempotency-not-rate"],
}, async () => {
	const { partner, pCode } = await activeCode();
	const [key, late] = [freshKey(), freshKey()];
	const holder = { pCode, ...loadHolder(7) };
	for (let i = 0; i < 10; i++) expect((await partner.request(holder, key)).status).toBe(200);
	for (const tried of [key, late])
		expect(errorOf(await partner.request(holder, tried))).toEqual([429, "RATE_LIMIT_EXCEEDED"]);
	passTime(MINUTE_MS);
	const answered = await partner.request(holder, late);
	expect([answered.status, isReplay(answered)]).toEqual([200, false]);
});
