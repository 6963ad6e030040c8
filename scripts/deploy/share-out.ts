/*
 * A new version is uploaded, deployed next to the running one at 0 %, tested by name, and given a growing
 * share of the calls. Preview URLs are not made for a Worker with Durable Objects; a version in the deployment, even
 * at 0 %, is reached by the override header.
 */

export interface Cloudflare {
	/** The version that has most calls now; null when the Worker does not exist. @throws when that is not known. */
	currentVersion(): Promise<string | null>;
	/** @returns the version's id. */
	upload(): Promise<string>;
	/** Version id to percentage; they make a hundred. */
	deploy(shares: readonly (readonly [version: string, percentage: number])[]): Promise<void>;
	/** Routes and crons, which no version carries. */
	deployTriggers(): Promise<void>;
	/** Uploads and gives all calls at once: the first time, and when a Durable Object class is added. @returns its version */
	deployAtOnce(): Promise<string>;
	/** @returns what did not answer as it must. */
	smokeTest(version: string): Promise<string[]>;
}

export interface SharingPlan {
	/** Percentages on the way to 100. */
	shares: readonly number[];
	/** Milliseconds between two shares. */
	pauseMs: number;
	atOnce: boolean;
	/** Ops say that it was never deployed: a current version that is not known does not stop it. */
	first: boolean;
}

/** The new version did not answer as it must; all calls are back with the one before, if there was one. */
export class TakenBack extends Error {}

/** @param log - gets one line on each step. */
export async function shareOut(
	cloudflare: Cloudflare,
	plan: SharingPlan,
	log: (line: string) => void,
	pause: (milliseconds: number) => Promise<void>,
): Promise<string> {
	const before = await cloudflare.currentVersion().catch((error: unknown) => {
		if (!plan.first) throw error;
		return null;
	});
	if (before === null || plan.atOnce) {
		const version = await cloudflare.deployAtOnce();
		log(`${version} has all calls`);
		await tryVersion(cloudflare, { version, before, log });
		return version;
	}
	const version = await cloudflare.upload();
	log(`${version} is uploaded; ${before} has all calls`);
	for (const share of [0, ...plan.shares, 100]) {
		await cloudflare.deploy(
			share === 100
				? [[version, 100]]
				: [
						[before, 100 - share],
						[version, share],
					],
		);
		log(`${version} has ${share} %`);
		await tryVersion(cloudflare, { version, before, log });
		if (share !== 0 && share !== 100) await pause(plan.pauseMs);
	}
	await cloudflare.deployTriggers();
	return version;
}

async function tryVersion(
	cloudflare: Cloudflare,
	{ version, before, log }: { version: string; before: string | null; log: (line: string) => void },
): Promise<void> {
	const failures = await cloudflare.smokeTest(version);
	if (failures.length === 0) return;
	for (const failure of failures) log(`  ✗ ${failure}`);
	if (before === null) throw new TakenBack(`${version} fails, and there is none before it`);
	await cloudflare.deploy([[before, 100]]);
	throw new TakenBack(`${version} fails; ${before} has all calls again`);
}
