import { randomBytes } from "node:crypto";
import { CODE_BYTES, formatCode } from "../../src/domain/code-form.ts";
import { compareSamples, interleaveWarm, type Part } from "../measure.ts";
import { bulk, createPartner } from "../partner.ts";
import { startService } from "../service.ts";

const SIZE = 500;
const WARM_UP = 15;

/** pcode/bulk of 500 against one INSERT … SELECT … FROM json_each(?) of as many rows into the same table. */
export const measureBulk: Part = async ({ quick }) => {
	const service = await startService();
	try {
		const partner = await createPartner(service);
		const bare = await createPartner(service);
		const oneBulk = async () => (await bulk(service, partner, SIZE)).ms;
		let seq = 1;
		const oneInsert = async () => {
			const path = `/bench/insert?partner=${bare.id}&seq=${seq}`;
			seq += SIZE;
			const body = Array.from({ length: SIZE }, () => formatCode(randomBytes(CODE_BYTES))).sort();
			return (await service.http.expect(201, { method: "POST", path, body })).ms;
		};
		const rounds = quick ? 40 : 150;
		const samples = await interleaveWarm(WARM_UP, rounds, [oneBulk, oneInsert]);
		const name = "pcode/bulk of 500 / bare INSERT of 500";
		const extra = { aim: { atMost: 1.5 }, note: `medians, n=${rounds}` };
		return { measures: [compareSamples(name, "ms", samples, undefined, extra)] };
	} finally {
		await service.stop();
	}
};
