import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { createTestHarness } from "wrangler";
import { SECRETS } from "./local-authority.ts";

/* The service behind a real URL, for tests that run programs outside of it. */

export const ROOT = join(import.meta.dirname, "..", "..");
export const AS_OPS = { authorization: `Bearer ${SECRETS.OPS_TOKEN}` };

type Harness = ReturnType<typeof createTestHarness>;

/**
 * Applies the migrations after a start, once more where the connection was closed: workerd ends one that was idle for
 * 5 s, which a process that was busy with the start notices too late.
 */
export async function migrate(harness: Harness): Promise<void> {
	for (const binding of ["DB", "DB_2"]) {
		const apply = () => harness.getWorker().applyD1Migrations(binding);
		await apply().catch(apply);
	}
}

/** Serves with the local settings from before the file's tests until after them. */
export function useLocalService(): LocalService {
	const harness = createTestHarness({ root: ROOT, workers: [{ configPath: "./wrangler.toml" }] });
	const service = new LocalService(harness);
	beforeAll(async () => {
		service.url = (await harness.listen()).url.origin;
		await migrate(harness);
	});
	afterAll(() => harness.close());
	return service;
}

export class LocalService {
	url = "";
	readonly harness: Harness;

	constructor(harness: Harness) {
		this.harness = harness;
	}

	async post(path: string, body: object, headers: Record<string, string>, method: "POST" | "PUT" = "POST") {
		const response = await this.harness.fetch(path, {
			method,
			headers: { "content-type": "application/json", ...headers },
			body: JSON.stringify(body),
		});
		// biome-ignore lint/suspicious/noExplicitAny: answers are read by name
		return { status: response.status, body: (await response.json()) as any };
	}

	/** @returns what ops are answered: the partner, its key, its secret */
	async createPartner(settings: object) {
		return (await this.post("/ops/v1/partners", settings, AS_OPS)).body.data;
	}

	async bindings<Env>(): Promise<Env> {
		return (await this.harness.getWorker().getEnv()) as Env;
	}
}
