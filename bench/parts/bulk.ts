import { randomBytes } from "node:crypto";
import { CODE_BYTES, formatCode } from "../../src/domain/code-form.ts";
import { compare, interleave, type Part } from "../measure.ts";
import { bulk, createPartner } from "../partner.ts";
import { startService } from "../service.ts";
import { bootstrapInterval, median } from "../statistics.ts";

const AIM = { atMost: 1.5 };
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
			return (await service.client.expect(201, { method: "POST", path, body })).ms;
		};
		await interleave(WARM_UP, [oneBulk, oneInsert]);
		const [ours, base] = (await interleave(quick ? 40 : 150, [oneBulk, oneInsert])) as [number[], number[]];
		const interval = bootstrapInterval([ours, base], ([a, b]) => median(a!) / median(b!));
		const name = "pcode/bulk of 500 / bare INSERT of 500";
		const figures = { ours: median(ours), base: median(base) };
		return {
			measures: [
				compare({ name, unit: "ms", ...figures, interval, aim: AIM, note: `medians, n=${ours.length}` }),
			],
		};
	} finally {
		await service.stop();
	}
};
