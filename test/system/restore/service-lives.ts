import { WebhookReceiver } from "../../support/webhook-receiver.ts";
import { answerDeliveries } from "../crash/answer-deliveries.ts";
import type { Build } from "../crash/build.ts";
import { bulk } from "../crash/calls.ts";
import { Client } from "../crash/client.ts";
import { type Holder, Journal, type Partner } from "../crash/journal.ts";
import { createHolder, createPartners } from "../crash/partners.ts";
import { Random } from "../crash/random.ts";
import { ServiceProcess } from "../crash/service-process.ts";
import { LEFT_ALONE, type ProofSettings } from "../crash/settings.ts";

export interface Life {
	service: ServiceProcess;
	client: Client;
}

/** A moment of a service, which others go on from. */
export interface Moment {
	fixture: string;
	journal: Journal;
	partners: Partner[];
	/** A time of the service's clock. */
	at: string;
}

function copyOf(journal: Journal): Journal {
	return Object.assign(new Journal(), structuredClone({ ...journal }));
}

/** One state on disk, the service's lives on it, one after the other, and what its clients have seen of them. */
export class ServiceLives {
	readonly journal: Journal;
	readonly fixture: string;
	partners: Partner[] = [];
	readonly #build: Build;
	readonly #receiver = new WebhookReceiver();
	readonly #random = new Random(20_261_122);
	#url = "";

	private constructor(build: Build, fixture: string, journal: Journal) {
		this.#build = build;
		this.fixture = fixture;
		this.journal = journal;
	}

	/** @param moment - goes on from there; not given: from an empty service */
	static async begin(build: Build, moment?: Moment): Promise<ServiceLives> {
		const fixture = await build.createFixture(moment?.fixture);
		const lives = new ServiceLives(build, fixture, moment ? copyOf(moment.journal) : new Journal());
		lives.partners = moment?.partners ?? [];
		lives.#url = await lives.#receiver.listen();
		answerDeliveries(lives.#receiver, lives.journal, () => 1);
		return lives;
	}

	/** Keeps all as it is now, while the service does not run. */
	async keep(at: number): Promise<Moment> {
		return {
			fixture: await this.#build.createFixture(this.fixture),
			journal: copyOf(this.journal),
			partners: this.partners,
			at: new Date(at).toISOString(),
		};
	}

	/** Starts the service on the state, lets `use` work with it, and kills it. */
	async live<T>(
		use: (life: Life) => Promise<T>,
		settings: Partial<ProofSettings> = {},
		onReached: (service: ServiceProcess) => void = () => undefined,
	): Promise<T> {
		const whole: ProofSettings = { ...LEFT_ALONE, hostPort: Number(new URL(this.#url).port), ...settings };
		const service = new ServiceProcess(this.#build, this.fixture, whole, (note) => {
			this.journal.take(note);
			if (note.proof === "reached") onReached(service);
		});
		try {
			await service.ready();
			const client = new Client({
				service,
				journal: this.journal,
				opsToken: this.#build.opsToken,
				clockOffset: () => whole.clockOffset,
				onAnswer: () => undefined,
			});
			if (this.partners.length === 0) this.partners = await createPartners(client, this.#url);
			return await use({ service, client });
		} finally {
			await service.kill();
		}
	}

	partner(kind: string): Partner {
		return this.partners.find((partner) => partner.kind === kind)!;
	}

	/** A fresh code of the partner and whom it is for. */
	async code(client: Client, kind: string): Promise<{ partner: Partner; code: string; holder: Holder }> {
		const partner = this.partner(kind);
		const { body } = await bulk(client, partner, 1, null);
		const holder = createHolder(this.journal, this.#random);
		const [code] = body.data.pcodes as string[];
		this.journal.holders.set(code!, holder);
		return { partner, code: code!, holder };
	}

	end(): Promise<void> {
		return this.#receiver.close();
	}
}
