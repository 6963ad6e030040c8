import type { Answer, Partner } from "../../support/service.ts";
import { expectStatus, freshCode, freshName, type UseCase } from "./use-cases.ts";
import type { World } from "./world.ts";

const reason = { reason: "Reported" };
const opsVerb = (verb: string) => (world: World, _: Partner, pCode: string) =>
	world.ops("POST", `/pcodes/${pCode}/${verb}`, reason, pCode);
const repeated = (act: UseCase["act"]) => (world: World, partner: Partner, target: string) =>
	expectStatus(act(world, partner, target) as Promise<Answer>, 200, "the same again");

async function revoke(world: World, _: Partner, pCode: string): Promise<Answer> {
	const serial = world.left.find((one) => one.pCode === pCode)!.serial;
	return world.ops("POST", `/certificates/${serial}/revoke`, { reason: "superseded" }, pCode);
}

const verbCase = (verb: string, ready: UseCase["ready"]): UseCase => ({
	success: 200,
	asks: false,
	inObject: true,
	ready,
	act: opsVerb(verb),
	after: repeated(opsVerb(verb)),
});

const keyPath = ({ id }: Partner) => `/partners/${id}/keys`;

export const OPS_CALLS: Record<string, UseCase> = {
	"ops cancel": verbCase("cancel", (world, partner) => world.emitted(partner)),
	"ops block": verbCase("block", freshCode),
	"ops unblock": verbCase("unblock", async (world, partner) => {
		const pCode = await world.code(partner);
		await world.ops("POST", `/pcodes/${pCode}/block`, reason, pCode);
		return pCode;
	}),
	"ops revoke": {
		success: 200,
		asks: false,
		inObject: true,
		ready: (world, partner) => world.emitted(partner),
		act: revoke,
		after: repeated(revoke),
	},
	"ops onboarding": {
		success: 201,
		asks: false,
		inObject: false,
		ready: freshName,
		act: (world) => world.ops("POST", "/partners", { name: "Another" }),
	},
	"ops settings": {
		success: 200,
		asks: false,
		inObject: false,
		ready: freshName,
		act: (world, { id }, key) => world.ops("PATCH", `/partners/${id}`, { name: key.slice(0, 20) }),
	},
	"ops key": {
		success: 201,
		asks: false,
		inObject: false,
		ready: freshName,
		act: (world, partner) => world.ops("POST", keyPath(partner), { label: "another" }),
	},
	"ops key rotation": {
		success: 201,
		asks: false,
		inObject: false,
		ready: async (world, partner) =>
			(await world.ops("POST", keyPath(partner), { label: "old" })).body.data.key.id,
		act: (world, partner, keyId) =>
			world.ops("POST", `${keyPath(partner)}/${keyId}/rotate`, { label: "new", overlap_hours: 1 }),
	},
	"ops key revocation": {
		success: 200,
		asks: false,
		inObject: false,
		ready: async (world, partner) =>
			(await world.ops("POST", keyPath(partner), { label: "old" })).body.data.key.id,
		act: (world, partner, keyId) => world.ops("DELETE", `${keyPath(partner)}/${keyId}`),
		after: (world, partner, keyId) =>
			expectStatus(world.ops("DELETE", `${keyPath(partner)}/${keyId}`), 200, "the same again"),
	},
};
