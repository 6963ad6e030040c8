import type { Reply } from "./http.ts";
import {
	type BenchPartner,
	claim,
	createPartner,
	dniOf,
	PIN,
	readPage,
	readStatus,
	requestCertificate,
} from "./partner.ts";
import type { BenchService } from "./service.ts";
import { createB2bPartner, type Receiver } from "./webhook-partner.ts";

/** A way to a certificate, as its partner calls it. `objects`: calls to objects, as test/service/remote-steps has them. */
export interface Way {
	name: string;
	objects: number;
	perCertificate: { emails: number; queueOperations: number };
	partner(): Promise<BenchPartner>;
	calls(partner: BenchPartner, code: string, holder: number): (() => Promise<Reply>)[];
}

export function waysOf(service: BenchService, receiver: Receiver): Way[] {
	const none = { emails: 0, queueOperations: 0 };
	const b2c = (partner: BenchPartner, code: string, holder: number, copy?: string) => [
		() => requestCertificate(service, partner, code, holder, copy),
		() => readStatus(service, partner, code),
		() => claim(service, { partner, claim: { p_code: code, dni: dniOf(holder), pin: PIN } }),
		() => readStatus(service, partner, code),
		() => readStatus(service, partner, code),
		() => readPage(service, partner),
	];
	return [
		{
			name: "B2C",
			objects: 3,
			perCertificate: none,
			partner: () => createPartner(service),
			calls: (partner, code, holder) => b2c(partner, code, holder),
		},
		{
			name: "B2C, e-mail copy",
			objects: 3,
			perCertificate: { emails: 1, queueOperations: 3 },
			partner: () => createPartner(service),
			calls: (partner, code, holder) => b2c(partner, code, holder, "copy@partner.example"),
		},
		{
			name: "B2B, webhook",
			objects: 2,
			perCertificate: none,
			partner: () => createB2bPartner(service, receiver),
			calls: (partner, code, holder) => [
				() => requestCertificate(service, partner, code, holder),
				() => readPage(service, partner),
			],
		},
	];
}
