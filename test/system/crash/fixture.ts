import { DAY_MS } from "../../../src/domain/durations.ts";
import { EMISSION_WINDOW_MS } from "../../../src/domain/limits.ts";
import type { WebhookReceiver } from "../../support/webhook-receiver.ts";
import type { KilledSigner } from "../signer/killed-signer.ts";
import { answerDeliveries, type Deliveries } from "./answer-deliveries.ts";
import type { Build } from "./build.ts";
import { checkDelivered } from "./check-deliveries.ts";
import { checkOver } from "./check-onboarding.ts";
import { checkPlaces } from "./check-places.ts";
import { SecretSearch } from "./check-secrets.ts";
import { checkState } from "./check-state.ts";
import { Client } from "./client.ts";
import { Figures } from "./figures.ts";
import { type CallKind, Journal } from "./journal.ts";
import { type Kill, passed, type RecoveredBy } from "./kill-plan.ts";
import { runLoad } from "./load.ts";
import { endMoves, moveMeanwhile } from "./move-meanwhile.ts";
import { createPartners } from "./partners.ts";
import type { Random } from "./random.ts";
import { recover } from "./recover.ts";
import { ServiceDied, ServiceProcess } from "./service-process.ts";
import type { Breakage } from "./settings.ts";
import { takeSnapshot } from "./snapshot.ts";
import { OUTSIDE } from "./steps.ts";
import type { Stock } from "./stock.ts";

/** Parts that outlive the fixtures. */
export interface Surroundings {
	build: Build;
	receiver: WebhookReceiver;
	/** Address of the receiver, without a path. */
	url: string;
	random: Random;
	/** If present, the first violation ends the fixture. */
	breakage: Breakage | null;
	/** Has the issuing key; absent: the Worker has it. */
	signer?: KilledSigner;
}

/** Calls whose answer may be the one that the client received before the service died. */
const COUNTED: readonly CallKind[] = ["request", "claim", "submit", "download"];
/**
 * Longest time for the load to reach the planned step; after it the service is killed anyway. Two of the emission
 * limit's minutes: clients on a busy machine may use up the first before one of them has come there.
 */
const REACH_MS = 2 * EMISSION_WINDOW_MS + 30_000;
/** A lease and a second. */
const LEASE_OVER_MS = 61_000;
/** Exceeds the sweep's wait before it sends a message again. */
const SWEPT_AGAIN_MS = 11 * 60_000;
/** No session is left after it: a day to be opened in, and a minute. */
const SESSIONS_OVER_MS = DAY_MS + 60_000;
const CRON_ROUNDS = 10;
const DRAIN_ROUNDS = 25;
const DRAIN_MS = 4_000;

/** One state, one service that dies on it again and again, and what its clients know. */
export class Fixture {
	readonly figures = new Figures();
	readonly violations: string[] = [];
	readonly #surroundings: Surroundings;
	readonly #folder: string;
	readonly #journal = new Journal();
	readonly #search: SecretSearch;
	readonly #deliveries: Deliveries;
	readonly #stock: Stock = { partners: [], moving: null, fresh: new Map(), cancellable: [], left: [] };
	/** Milliseconds that the service's clock is ahead. */
	#offset = 0;
	/** Means of recovery for the present leases. */
	#recoveredBy: RecoveredBy = "call";
	#where = "";

	constructor(surroundings: Surroundings, folder: string) {
		this.#surroundings = surroundings;
		this.#folder = folder;
		this.#search = new SecretSearch(folder, this.#journal.tokens);
		this.#deliveries = answerDeliveries(surroundings.receiver, this.#journal, surroundings.random.next);
	}

	async run(plan: readonly Kill[]): Promise<void> {
		try {
			for (const kill of plan) {
				await this.#live(kill);
				if (this.#surroundings.breakage !== null && this.violations.length > 0) return;
			}
			await this.#liveOn();
		} catch (error) {
			this.#note([`the run broke off: ${error instanceof Error ? error.stack : error}`]);
		}
		this.figures.finish(this.#journal);
	}

	/** Start, recovery and load, up to the kill. */
	async #live(kill: Kill): Promise<void> {
		let struck: Promise<void> | null = null;
		let isOver = false;
		let reached = kill.step === null;
		const strike = (isReached = false) => {
			reached ||= isReached;
			struck ??= this.#kill(service).then(() => {
				isOver = true;
			});
		};
		const service = this.#start(kill, () => strike(true));
		const random = kill.step === null ? kill.afterMs : null;
		let timer: NodeJS.Timeout | undefined;
		if (kill.during === "recovery" && random !== null) timer = setTimeout(strike, random);
		let isRecovered = false;
		try {
			const client = this.#client(service, (counts) => counts && strike(true), kill);
			await this.#ready(service, client, kill);
			isRecovered = true;
			this.#deliveries.onWebhook = passed(kill, "webhook-received", () => strike(true));
			if (kill.step !== null && kill.during === "load" && !OUTSIDE.includes(kill.step))
				await service.ask("arm", { step: kill.step, nth: kill.nth, manner: kill.manner });
			timer = setTimeout(strike, random ?? REACH_MS);
			await this.#load(service, client, kill, () => isOver);
		} catch (error) {
			if (!(error instanceof ServiceDied) || struck === null) throw error;
		} finally {
			clearTimeout(timer);
			this.#deliveries.onWebhook = () => false;
			strike();
			await struck;
			if (this.#surroundings.signer?.diesWith === "nobody") await service.kill();
		}
		this.figures.killed(kill, reached);
		this.#where = `after ${kill.step ?? "a random moment"} (${kill.manner}, ${kill.during})`;
		this.#note(await this.#search.search());
		const mixed = !isRecovered && kill.recoveredBy !== this.#recoveredBy;
		this.#recoveredBy = mixed ? "call" : kill.recoveredBy;
		if (this.#recoveredBy !== "real-alarm") this.#offset += LEASE_OVER_MS;
	}

	/** Kills the service, and the signer with it; or the signer alone, under calls that go on. */
	async #kill(service: ServiceProcess): Promise<void> {
		const { signer } = this.#surroundings;
		if (signer?.diesWith === "nobody") await signer.dieAndComeBack();
		else await Promise.all([service.kill(), signer?.kill()]);
	}

	/** The last life: what is due is delivered, and all is checked once more. */
	async #liveOn(): Promise<void> {
		const service = this.#start(null, () => undefined);
		try {
			const client = this.#client(service);
			await this.#ready(service, client);
			this.#where = "at the end";
			await this.#endSessions(service);
			this.#note(await checkOver(service, client, this.#stock.partners));
			await this.#drain(service);
			const snapshot = await takeSnapshot(service);
			this.#note(checkDelivered(this.#journal, snapshot));
		} finally {
			await service.kill();
		}
		this.#note(await this.#search.search());
	}

	#start(kill: Kill | null, onStep: () => void): ServiceProcess {
		const { build, url, breakage } = this.#surroundings;
		const { step, nth, manner } = kill ?? { step: null, nth: 0, manner: "held" as const };
		const settings = {
			clockOffset: this.#offset,
			earlyAlarms: kill?.recoveredBy === "alarm",
			breakage,
			arming: kill?.during === "recovery" && step !== null ? { step, nth, manner } : null,
			hostPort: Number(new URL(url).port),
		};
		return new ServiceProcess(build, this.#folder, settings, (note) => {
			this.#journal.take(note);
			if (note.proof === "reached") onStep();
		});
	}

	#client(service: ServiceProcess, onStep?: (counts: boolean) => void, kill?: Kill): Client {
		const count = kill ? passed(kill, "answer-received", () => onStep?.(true)) : () => false;
		return new Client({
			service,
			journal: this.#journal,
			opsToken: this.#surroundings.build.opsToken,
			clockOffset: () => this.#offset,
			onAnswer: ({ kind, answer }) => {
				if (COUNTED.includes(kind) && answer?.status === 200) count();
			},
		});
	}

	/** @throws {ServiceDied} */
	async #ready(service: ServiceProcess, client: Client, kill?: Kill): Promise<void> {
		await this.#surroundings.signer?.start(this.#offset);
		await service.ready();
		if (this.#stock.partners.length === 0) {
			this.#stock.partners = await createPartners(client, this.#surroundings.url);
			return;
		}
		const recoveredBy = this.#recoveredBy;
		const now = () => Date.now() + this.#offset;
		const isLate = kill?.step === "move: thaw" || this.#surroundings.random.chance(0.5);
		this.#note(await endMoves(service, this.#journal, isLate));
		this.#note(await recover({ service, client, journal: this.#journal, recoveredBy, now }));
		await service.ask("cron", {});
		const snapshot = await takeSnapshot(service);
		const mayBeUnavailable = this.#surroundings.signer !== undefined;
		this.#note(await checkState(this.#journal, snapshot, this.#stock.partners, client, mayBeUnavailable));
		this.#note(await checkPlaces(service));
		this.#note((await this.#surroundings.signer?.verify(service)) ?? []);
	}

	async #load(
		service: ServiceProcess,
		client: Client,
		{ towards, moves }: Kill,
		isOver: () => boolean,
	): Promise<void> {
		const { random } = this.#surroundings;
		const load = { client, journal: this.#journal, random, stock: this.#stock, isOver };
		await Promise.all([runLoad(load, towards), moves && moveMeanwhile({ ...load, service }, moves)]);
	}

	/** Their time passes, and the cron comes by as often as it takes. */
	async #endSessions(service: ServiceProcess): Promise<void> {
		await this.#pass(service, SESSIONS_OVER_MS);
		for (let round = 0; round < CRON_ROUNDS; round++) {
			await service.ask("cron", {});
			const { sessions } = await takeSnapshot(service);
			if (sessions.every(({ ended_at }) => ended_at !== null)) return;
		}
	}

	async #pass(service: ServiceProcess, milliseconds: number): Promise<void> {
		this.#offset += milliseconds;
		await this.#surroundings.signer?.start(this.#offset);
		await service.ask("clock", { by: milliseconds });
	}

	async #drain(service: ServiceProcess): Promise<void> {
		this.#deliveries.failing = 0;
		for (let round = 0; round < DRAIN_ROUNDS; round++) {
			await this.#pass(service, SWEPT_AGAIN_MS);
			await service.ask("cron", {});
			const deadline = Date.now() + DRAIN_MS;
			while (Date.now() < deadline) {
				const { outbox } = await takeSnapshot(service);
				if (outbox.every(({ next_attempt_at }) => next_attempt_at === null)) return;
				await new Promise((resolve) => setTimeout(resolve, 200));
			}
		}
	}

	#note(found: readonly string[]): void {
		for (const violation of found)
			if (!this.violations.some((known) => known.startsWith(violation)))
				this.violations.push(`${violation} [${this.#where}]`);
	}
}
