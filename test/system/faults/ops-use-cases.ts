import type { Answer, Partner } from "../../support/service.ts";
import type { Fixture } from "./fixture.ts";
import { expectStatus, freshCode, freshName, type UseCase } from "./use-cases.ts";

const reason = { reason: "Reported" };
const opsVerb = (verb: string) => (fixture: Fixture, _: Partner, pCode: string) =>
	fixture.ops("POST", `/pcodes/${pCode}/${verb}`, reason, pCode);
const repeated = (act: UseCase["act"]) => (fixture: Fixture, partner: Partner, target: string) =>
	expectStatus(act(fixture, partner, target) as Promise<Answer>, 200, "the same again");

async function revoke(fixture: Fixture, _: Partner, pCode: string): Promise<Answer> {
	const serial = fixture.left.find((one) => one.pCode === pCode)!.serial;
	return fixture.ops("POST", `/certificates/${serial}/revoke`, { reason: "superseded" }, pCode);
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
	"ops cancel": verbCase("cancel", (fixture, partner) => fixture.emitted(partner)),
	"ops block": verbCase("block", freshCode),
	"ops unblock": verbCase("unblock", async (fixture, partner) => {
		const pCode = await fixture.code(partner);
		await fixture.ops("POST", `/pcodes/${pCode}/block`, reason, pCode);
		return pCode;
	}),
	"ops replace": verbCase("replace", freshCode),
	"ops revoke": {
		success: 200,
		asks: false,
		inObject: true,
		ready: (fixture, partner) => fixture.emitted(partner),
		act: revoke,
		after: repeated(revoke),
	},
	"ops holder search": {
		success: 200,
		asks: false,
		inObject: false,
		ready: freshName,
		act: (fixture, _, reason) => fixture.ops("POST", "/holders/search", { dni: "11111111-1", reason }),
	},
	"ops onboarding": {
		success: 201,
		asks: false,
		inObject: false,
		ready: freshName,
		act: (fixture) => fixture.ops("POST", "/partners", { name: "Another" }),
	},
	"ops settings": {
		success: 200,
		asks: false,
		inObject: false,
		ready: freshName,
		act: (fixture, { id }, key) => fixture.ops("PATCH", `/partners/${id}`, { name: key.slice(0, 20) }),
	},
	"ops key": {
		success: 201,
		asks: false,
		inObject: false,
		ready: freshName,
		act: (fixture, partner) => fixture.ops("POST", keyPath(partner), { label: "another" }),
	},
	"ops key rotation": {
		success: 201,
		asks: false,
		inObject: false,
		ready: async (fixture, partner) =>
			(await fixture.ops("POST", keyPath(partner), { label: "old" })).body.data.key.id,
		act: (fixture, partner, keyId) =>
			fixture.ops("POST", `${keyPath(partner)}/${keyId}/rotate`, { label: "new", overlap_hours: 1 }),
	},
	"ops key revocation": {
		success: 200,
		asks: false,
		inObject: false,
		ready: async (fixture, partner) =>
			(await fixture.ops("POST", keyPath(partner), { label: "old" })).body.data.key.id,
		act: (fixture, partner, keyId) => fixture.ops("DELETE", `${keyPath(partner)}/${keyId}`),
		after: (fixture, partner, keyId) =>
			expectStatus(fixture.ops("DELETE", `${keyPath(partner)}/${keyId}`), 200, "the same again"),
	},
};
