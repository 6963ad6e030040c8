import type { Timing } from "../http.ts";
import { sizeOf } from "../local-db.ts";
import { withCpuOf } from "../machine.ts";
import type { Part } from "../measure.ts";
import {
	type BenchPartner,
	bulk,
	claim,
	claimOf,
	createCodes,
	createPartner,
	readPage,
	readStatus,
	requestCertificate,
} from "../partner.ts";
import { type BenchService, startService } from "../service.ts";
import { startRecording, takeRoundTrips, takeWaits } from "../trace.ts";
import { createB2bPartner, type Receiver, startReceiver } from "../webhook-partner.ts";
import type { Waits } from "../worker/waits.ts";
import { type CertificateUse, costChart, costSummary, costTable } from "./bill.ts";

const EMISSIONS_A_MINUTE = 10;
const BULK = 500;
/** A message is written, read and deleted. Every e-mail is queued; a webhook's first attempt is made by the call. */
const QUEUE_OPERATIONS = 3;
/** A queue's batch waits a second, and what follows it is short. */
const AFTERWARDS_MS = 2_500;

/** Computes the platform's bill for 1,000 certificates from rows, requests, CPU and duration measured here. */
export const measureCost: Part = async ({ quick }) => {
	const service = await startService();
	const receiver = await startReceiver();
	try {
		await service.http.expect(200, { path: "/bench/watch-storage" });
		await startRecording(service);
		const share = await useOfBulk(service);
		const uses: CertificateUse[] = [];
		for (const [i, way] of waysOf(service, receiver).entries())
			uses.push(await useOf(service, way, share, quick ? 10 : 60, i * 1000));
		return { measures: [], tables: [costTable(uses)], charts: [costChart(uses)], summary: costSummary(uses) };
	} finally {
		await receiver.stop();
		await service.stop();
	}
};

/** A way to a certificate, as its partner calls it. `objects`: calls to objects, as test/service/remote-steps has them. */
interface Way {
	name: string;
	objects: number;
	partner(): Promise<BenchPartner>;
	calls(partner: BenchPartner, code: string, holder: number): (() => Promise<Timing>)[];
}

function waysOf(service: BenchService, receiver: Receiver): Way[] {
	const b2c = (partner: BenchPartner, code: string, holder: number, copy?: string) => [
		() => inTwoObjects(requestCertificate(service, partner, code, holder, copy)),
		() => readStatus(service, partner, code),
		() => claim(service, claimOf(partner, code, holder)),
		() => readStatus(service, partner, code),
		() => readStatus(service, partner, code),
		() => readPage(service, partner),
	];
	return [
		{
			name: "B2C",
			objects: 3,
			partner: () => createPartner(service),
			calls: (partner, code, holder) => b2c(partner, code, holder),
		},
		{
			name: "B2C, e-mail copy",
			objects: 3,
			partner: () => createPartner(service),
			calls: (partner, code, holder) => b2c(partner, code, holder, "copy@partner.example"),
		},
		{
			name: "B2B, webhook",
			objects: 2,
			partner: () => createB2bPartner(service, receiver),
			calls: (partner, code, holder) => [
				() => inTwoObjects(requestCertificate(service, partner, code, holder)),
				() => readPage(service, partner),
			],
		},
	];
}

/** The partner's object hands the call on to the code's and waits for it: for no longer than the whole call takes, each. */
async function inTwoObjects(call: Promise<Timing>): Promise<Timing> {
	const timing = await call;
	return { ...timing, objectMs: 2 * timing.objectMs };
}

/** One code's share of a bulk of 500. */
async function useOfBulk(service: BenchService) {
	const partner = await createPartner(service);
	await bulk(service, partner, BULK);
	await takeRoundTrips(service);
	const { cpuMs } = await withCpuOf(service.workerd, () => bulk(service, partner, BULK));
	const trips = await takeRoundTrips(service);
	const rows = (of: "rowsRead" | "rowsWritten") => trips.reduce((sum, trip) => sum + trip[of], 0) / BULK;
	return { cpuMs: cpuMs / BULK, rowsRead: rows("rowsRead"), rowsWritten: rows("rowsWritten") };
}

async function useOf(
	service: BenchService,
	way: Way,
	share: Awaited<ReturnType<typeof useOfBulk>>,
	n: number,
	firstHolder: number,
): Promise<CertificateUse> {
	const total = { cpuMs: 0, objectMs: 0, requests: 0, rowsRead: 0, rowsWritten: 0, bytes: 0, emails: 0 };
	let storage: Waits = {};
	for (let done = 0; done < n; done += EMISSIONS_A_MINUTE) {
		const partner = await way.partner();
		const codes = await createCodes(service, partner, Math.min(EMISSIONS_A_MINUTE, n - done));
		await readStatus(service, partner, codes[0]!);
		await Promise.all([takeRoundTrips(service), takeWaits(service)]);
		const before = await sizeOf(service.db);
		const emailsBefore = await countEmails(service);
		// Includes the work after the answers: alarms, the queue's consumer, deliveries.
		const { cpuMs } = await withCpuOf(service.workerd, async () => {
			for (const [i, code] of codes.entries()) {
				for (const call of way.calls(partner, code, firstHolder + done + i)) {
					total.objectMs += (await call()).objectMs;
					total.requests++;
				}
				await service.http.expect(200, { path: `/bench/tidy?name=${partner.id}/${code}` });
			}
			await new Promise((resolve) => setTimeout(resolve, AFTERWARDS_MS));
		});
		total.cpuMs += cpuMs;
		for (const { rowsRead, rowsWritten } of await takeRoundTrips(service)) {
			total.rowsRead += rowsRead;
			total.rowsWritten += rowsWritten;
		}
		storage = addWaits(storage, await takeWaits(service));
		total.bytes += (await sizeOf(service.db)) - before;
		total.emails += (await countEmails(service)) - emailsBefore;
	}
	const calls = (...names: string[]) =>
		names.reduce((sum, name) => sum + (storage[`storage.${name}`]?.calls ?? 0), 0) / n;
	const alarms = calls("setAlarm");
	return {
		name: way.name,
		requests: total.requests / n + 1 / BULK,
		cpuMs: total.cpuMs / n + share.cpuMs,
		d1RowsRead: total.rowsRead / n + share.rowsRead,
		d1RowsWritten: total.rowsWritten / n + share.rowsWritten,
		bytes: total.bytes / n,
		objectRequests: way.objects + alarms,
		objectMs: total.objectMs / n,
		objectRowsRead: calls("kv.get", "kv.list"),
		objectRowsWritten: calls("kv.put", "kv.delete", "setAlarm", "deleteAll"),
		emails: total.emails / n,
		queueOperations: (QUEUE_OPERATIONS * total.emails) / n,
	};
}

function addWaits(a: Waits, b: Waits): Waits {
	const sum = { ...a };
	for (const [name, { calls, ms }] of Object.entries(b))
		sum[name] = { calls: calls + (a[name]?.calls ?? 0), ms: ms + (a[name]?.ms ?? 0) };
	return sum;
}

/** Counts the e-mails that were ever asked for: copies of certificates and messages to their holders. */
async function countEmails({ db }: BenchService): Promise<number> {
	const row = await db
		.prepare("SELECT count(*) AS n FROM outbox WHERE channel = 'email'")
		.first<{ n: number }>();
	return row!.n;
}
