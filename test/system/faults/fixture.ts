import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { vi } from "vitest";
import { forgetKeys } from "../../../src/db/api-keys.ts";
import { SECOND_MS } from "../../../src/domain/durations.ts";
import { passTime } from "../../support/clock.ts";
import { codeObject, leaseOf, unsettledIn } from "../../support/look-inside.ts";
import {
	deliverMessages,
	holdQueue,
	type Queued,
	Receiver,
	runCron,
	spyOnEmail,
} from "../../support/receiver.ts";
import { type Answer, freshService, loadHolder, ops, Partner, type Settings } from "../../support/service.ts";
import { lookingOn, whoseWork } from "../../support/whose-work.ts";
import {
	type Departure,
	type SignedKeys,
	type Statement,
	spyOnAlarms,
	spyOnDepartures,
	spyOnLog,
	spyOnSigning,
	spyOnStatements,
} from "./spies.ts";

/** One lease, and a moment. */
export const LEASE_OVER = 61 * SECOND_MS;

type Verb =
	| "bulk"
	| "request"
	| "claim"
	| "status"
	| "list"
	| "desk"
	| "console"
	| "ops"
	| "pki"
	| "widget"
	| "holder"
	| "sign-on";

/** An answer that a caller had. */
export interface Seen {
	verb: Verb;
	/** Method and path of a call of ops, of a partner's desk or of a console's form, '' of the others. */
	what: string;
	partnerId: string;
	/** The purchase code it was about, or null. */
	pCode: string | null;
	answer: Answer;
	/** Milliseconds of the wall clock. */
	took: number;
	/** D1 or the object went away for good while it ran: a 503 leaves open what arrived. */
	inDoubt: boolean;
}

interface CodeOfFixture {
	partner: Partner;
	holder: ReturnType<typeof loadHolder>;
}

const QUICK: Settings = { key_algorithm: "ec-p256", allowed_products: ["FV00", "FV01", "FV02", "FV03"] };

/**
 * The whole service with everything written down that went in and came out of it: what {@link checkInvariants}
 * judges by. One at a time; the one before ends with the next.
 */
export class Fixture {
	readonly partners: Partner[] = [];
	readonly codes = new Map<string, CodeOfFixture>();
	readonly seen: Seen[] = [];
	/** Certificates that left, by whichever way. */
	readonly left: Departure[] = [];
	readonly signed: SignedKeys = new Map();
	readonly log: string[] = [];
	readonly statements: Statement[] = [];
	/** Secrets that must be nowhere at rest in the clear. */
	readonly secrets = new Set<string>();
	readonly receiver = new Receiver();
	readonly queue: Queued[] = holdQueue("all");
	readonly emails = spyOnEmail();
	/** Set by a fault after which a 503 leaves open what arrived. */
	inDoubt = false;
	/** Objects whose alarms run: they start by themselves, during other partners' calls. */
	readonly ringing = new Set<string>();
	/** Partners whose calls run now; none while only ops, the cron or the queue do. */
	readonly #acting: string[] = [];
	#holders = 0;

	private constructor() {
		spyOnSigning(this.signed);
		spyOnLog(this.log);
		spyOnStatements(this.statements, () =>
			this.#acting.length === 0 ? [] : [...new Set([...this.#acting, ...this.ringing])],
		);
		spyOnAlarms(this.ringing);
		spyOnDepartures(this);
	}

	static async create(): Promise<Fixture> {
		vi.restoreAllMocks();
		vi.useRealTimers();
		await freshService();
		return new Fixture();
	}

	async partner(settings: Settings = {}): Promise<Partner> {
		const answer = await this.call("ops", () =>
			ops("POST", "/partners", { name: "Partner under test", ...QUICK, ...settings }),
		);
		const partner = new Partner(answer.body.data.partner.id, answer.body.data.api_key);
		this.secrets.add(partner.key).add(answer.body.data.webhook_secret);
		this.partners.push(partner);
		return partner;
	}

	/** A code for a holder of its own. */
	async code(partner: Partner): Promise<string> {
		const { body } = await this.call("bulk", () => partner.bulk(1), { partner });
		const pCode: string = body.data.pcodes[0];
		this.codes.set(pCode, { partner, holder: loadHolder(this.#holders++) });
		return pCode;
	}

	async validated(partner: Partner): Promise<string> {
		const pCode = await this.code(partner);
		await this.request(pCode);
		return pCode;
	}

	async emitted(partner: Partner): Promise<string> {
		const pCode = await this.validated(partner);
		await this.claim(pCode);
		return pCode;
	}

	request(pCode: string, fields: Settings = {}, headers: Record<string, string> = {}): Promise<Answer> {
		const { partner, holder } = this.codes.get(pCode)!;
		const act = () => partner.request({ pCode, ...holder, ...fields }, headers);
		return this.call("request", act, { partner, pCode });
	}

	claim(pCode: string, fields: Settings = {}, headers: Record<string, string> = {}): Promise<Answer> {
		const { partner, holder } = this.codes.get(pCode)!;
		const act = () => partner.claim(pCode, { dni: holder.dni, pin: holder.pin, ...fields }, headers);
		return this.call("claim", act, { partner, pCode });
	}

	/** Ops' call on a code's behalf or on nobody's. */
	ops(method: string, path: string, body?: unknown, pCode: string | null = null): Promise<Answer> {
		return this.call("ops", () => ops(method, path, body), { pCode, what: `${method} ${path}` });
	}

	/** Makes a call and writes down what it was answered. */
	async call(
		verb: Verb,
		act: () => Promise<Answer>,
		{ partner, pCode = null, what = "" }: { partner?: Partner; pCode?: string | null; what?: string } = {},
	): Promise<Answer> {
		if (vi.isFakeTimers()) passTime(1);
		const start = performance.now();
		if (partner) this.#acting.push(partner.id);
		const answer = await lookingOn(whoseWork() ?? this, act).finally(() => {
			if (partner) this.#acting.splice(this.#acting.indexOf(partner.id), 1);
		});
		const took = performance.now() - start;
		const partnerId = partner?.id ?? "";
		this.seen.push({ verb, what, partnerId, pCode, answer, took, inDoubt: this.inDoubt });
		if (verb === "claim" && answer.status === 200)
			this.left.push({ pCode: pCode!, serial: answer.body.data.serialNumber, how: "claim" });
		return answer;
	}

	/** One lease passes; the alarms that are due ring. @returns objects whose lease outlived its alarm. */
	async rest(): Promise<string[]> {
		forgetKeys();
		passTime(LEASE_OVER);
		return this.ringAlarms();
	}

	/** Runs the due alarms of the codes' objects. @returns codes whose lease is still there. */
	async ringAlarms(): Promise<string[]> {
		const stuck: string[] = [];
		for (const [pCode, { partner }] of this.codes) {
			if (Object.keys(await unsettledIn(partner, pCode)).length === 0) continue;
			const died = (error: unknown) => ringAgain(partner, pCode, error);
			await runDurableObjectAlarm(codeObject(partner, pCode)).catch(died);
			if ((await leaseOf(partner, pCode)) !== null) stuck.push(pCode);
		}
		return stuck;
	}

	/** Every delivery that is due is tried: the cron's, then the queue's messages in the order they have. */
	async deliverAll(): Promise<void> {
		passTime(2 * LEASE_OVER);
		await runCron();
		const ids = this.queue.splice(0).map(({ id }) => id);
		if (ids.length > 0) await deliverMessages(...ids);
	}
}

/** Runs an alarm again whose object died, as the platform does; the test's own way of running it forgets it. */
async function ringAgain(partner: Partner, pCode: string, error: unknown): Promise<void> {
	if (!String(error).includes("abortAllDurableObjects")) throw error;
	await runInDurableObject(codeObject(partner, pCode), (_, { storage }) => storage.setAlarm(Date.now()));
}
