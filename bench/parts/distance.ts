import { compareSamples, interleaveWarm, type Part } from "../measure.ts";
import { createCodes, createPartner, requestCertificate } from "../partner.ts";
import { startService } from "../service.ts";
import { liftEmissionLimit } from "../trace.ts";

/** About a round trip from Santiago to the east of North America. */
const AWAY_MS = 120;
const WARM_UP = 5;

/**
 * certificate_request with its objects at a distance that is simulated in the Worker. In the base line the partner's
 * object only counts, and the Worker calls the code's object itself.
 */
export const measureDistance: Part = async ({ quick }) => {
	const service = await startService();
	await liftEmissionLimit(service);
	try {
		const rounds = quick ? 10 : 60;
		const partner = await createPartner(service);
		const codes = await createCodes(service, partner, 2 * (rounds + WARM_UP));
		const requestIn = (trips: 1 | 2) => async (round: number) => {
			await service.http.expect(200, { path: `/bench/distance?ms=${AWAY_MS}&trips=${trips}` });
			const n = 2 * round + trips - 1;
			return (await requestCertificate(service, partner, codes[n]!, n)).ms;
		};
		const ms = await interleaveWarm(WARM_UP, rounds, [requestIn(1), requestIn(2)]);
		const name = `certificate_request, objects ${AWAY_MS} ms away / the same in two trips`;
		return { measures: [compareSamples(name, "ms", ms, undefined, { note: `medians, n=${rounds}` })] };
	} finally {
		await service.stop();
	}
};
