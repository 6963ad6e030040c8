import type { Answer, Partner } from "../../support/service.ts";
import type { Fixture } from "./fixture.ts";
import { again, emitted, freshCode, freshName, type UseCase } from "./use-cases.ts";

const reason = { reason: "Reported" };
const opsVerb = (verb: string) => (fixture: Fixture, _: Partner, pCode: string) =>
	fixture.ops("POST", `/pcodes/${pCode}/${verb}`, reason, pCode);
async function revoke(fixture: Fixture, _: Partner, pCode: string): Promise<Answer> {
	const serial = fixture.left.find((one) => one.pCode === pCode)!.serial;
	return fixture.ops("POST", `/certificates/${serial}/revoke`, { reason: "superseded" }, pCode);
}

const onCode = (ready: UseCase["ready"], act: UseCase["act"]): UseCase => ({
	success: 200,
	inObject: true,
	ready,
	act,
	after: again(act),
});

async function blocked(fixture: Fixture, partner: Partner): Promise<string> {
	const pCode = await fixture.code(partner);
	await opsVerb("block")(fixture, partner, pCode);
	return pCode;
}

/** A call about the partner. @param pathOf - by the target, after the partner's own path. */
const onPartner =
	(method: string, pathOf: (target: string) => string, bodyOf?: (target: string) => object): UseCase["act"] =>
	(fixture, { id }, target) =>
		fixture.ops(method, `/partners/${id}${pathOf(target)}`, bodyOf?.(target));

const addKey = onPartner(
	"POST",
	() => "/keys",
	() => ({ label: "another" }),
);
const rotateKey = onPartner(
	"POST",
	(keyId) => `/keys/${keyId}/rotate`,
	() => ({ label: "new", overlap_hours: 1 }),
);
const revokeKey = onPartner("DELETE", (keyId) => `/keys/${keyId}`);
const anotherKey: UseCase["ready"] = async (fixture, partner) =>
	(await addKey(fixture, partner, ""))!.body.data.key.id;

export const OPS_CALLS: Record<string, UseCase> = {
	"ops cancel": onCode(emitted, opsVerb("cancel")),
	"ops block": onCode(freshCode, opsVerb("block")),
	"ops unblock": onCode(blocked, opsVerb("unblock")),
	"ops replace": onCode(freshCode, opsVerb("replace")),
	"ops revoke": onCode(emitted, revoke),
	"ops holder search": {
		success: 200,
		ready: freshName,
		act: (fixture, _, reason) => fixture.ops("POST", "/holders/search", { dni: "11111111-1", reason }),
	},
	"ops onboarding": {
		success: 201,
		ready: freshName,
		act: (fixture) => fixture.ops("POST", "/partners", { name: "Another" }),
	},
	"ops settings": {
		success: 200,
		ready: freshName,
		act: onPartner(
			"PATCH",
			() => "",
			(key) => ({ name: key.slice(0, 20) }),
		),
	},
	"ops key": { success: 201, ready: freshName, act: addKey },
	"ops key rotation": { success: 201, ready: anotherKey, act: rotateKey },
	"ops key revocation": { success: 200, ready: anotherKey, act: revokeKey, after: again(revokeKey) },
};
