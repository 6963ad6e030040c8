import type { Partner } from "../../support/service.ts";
import { allDelivered, undelivered } from "./background-use-cases.ts";
import type { Fixture } from "./fixture.ts";
import { again, emitted, freshCode, freshName, type UseCase, WEBHOOK } from "./use-cases.ts";

/* A partner's own calls on its codes and certificates, and on its keys, webhook and deliveries. */

const desk = (
	fixture: Fixture,
	partner: Partner,
	[method, path, body]: [string, string, object?],
	pCode: string | null,
) =>
	fixture.call("desk", () => partner.desk(method, path, body), { partner, pCode, what: `${method} ${path}` });

function serialOf(fixture: Fixture, pCode: string): string {
	return fixture.left.find((one) => one.pCode === pCode)!.serial!;
}

const cancel: UseCase["act"] = (fixture, partner, pCode) =>
	desk(fixture, partner, ["POST", `/pcodes/${pCode}/cancel`, { reason: "returned" }], pCode);

const revoke: UseCase["act"] = (fixture, partner, pCode) =>
	desk(
		fixture,
		partner,
		["POST", `/certificates/${serialOf(fixture, pCode)}/revoke`, { reason: "superseded" }],
		pCode,
	);

const search: UseCase["act"] = (fixture, partner, pCode) => {
	const { dni } = fixture.codes.get(pCode)!.holder;
	return desk(fixture, partner, ["POST", "/certificates/search", { dni }], pCode);
};

const reading = (path: (pCode: string) => string): UseCase => ({
	success: 200,
	ready: withKey(emitted),
	act: (fixture, partner, pCode) => desk(fixture, partner, ["GET", path(pCode)], pCode),
});

const changing = (ready: UseCase["ready"], act: UseCase["act"]): UseCase => ({
	success: 200,
	inObject: true,
	ready: withKey(ready),
	act,
	after: again(act),
});

/** The key that these calls need is there before the faults. */
function withKey(ready: UseCase["ready"]): UseCase["ready"] {
	return async (fixture, partner) => {
		fixture.secrets.add(await partner.manageKey());
		return ready(fixture, partner);
	};
}

/** A change of settings is told to the partner's other address, in its commit. */
const settings = (success: number, act: UseCase["act"], ready: UseCase["ready"] = freshName): UseCase => ({
	settings: WEBHOOK,
	success,
	ready: withKey(ready),
	act,
});

const addKey: UseCase["act"] = (fixture, partner, label) =>
	desk(fixture, partner, ["POST", "/keys", { label }], null);

const ownKey: UseCase["ready"] = async (fixture, partner) =>
	(await addKey(fixture, partner, "old"))!.body.data.key.id;

const rotateKey: UseCase["act"] = (fixture, partner, id) =>
	desk(fixture, partner, ["POST", `/keys/${id}/rotate`, { label: "new", overlap_hours: 1 }], null);

const setWebhook: UseCase["act"] = (fixture, partner, name) => {
	const webhook_url = `${WEBHOOK.webhook_url}/${name}`;
	const body = { webhook_url, webhook_events: ["certificate.emitted"] };
	return desk(fixture, partner, ["PUT", "/webhook", body], null);
};

/** A target is a code and its deliveries' ids. */
const resend: UseCase["act"] = (fixture, partner, target) => {
	const [pCode, id] = target.split(" ");
	return desk(fixture, partner, ["POST", `/deliveries/${id}/resend`], pCode!);
};

const rotateSecret: UseCase["act"] = async (fixture, partner) => {
	const answer = await desk(fixture, partner, ["POST", "/webhook/secret", { overlap_hours: 1 }], null);
	fixture.secrets.add(answer.body.data?.webhook_secret ?? "");
	return answer;
};

const ping: UseCase["act"] = (fixture, partner) => desk(fixture, partner, ["POST", "/webhook/test"], null);

const setEmail: UseCase["act"] = (fixture, partner, name) =>
	desk(fixture, partner, ["PUT", "/delivery_email", { delivery_email: `${name}@partner.example` }], null);

export const DESK_CALLS: Record<string, UseCase> = {
	"a code with its history": reading((pCode) => `/pcodes/${pCode}`),
	"certificates by validity": reading(() => "/certificates?validity=valid"),
	usage: reading(() => "/usage"),
	"certificates of a RUT": { ...reading(() => ""), act: search },
	"deliveries by state": reading(() => "/deliveries?state=dead"),
	"add an own key": settings(201, addKey),
	"rotate an own key": settings(201, rotateKey, ownKey),
	"set the own webhook": settings(200, setWebhook),
	"send a delivery again": {
		...settings(200, resend, undelivered),
		settings: { mode: "B2B", ...WEBHOOK },
		after: allDelivered,
	},
	"rotate the own webhook's secret": { ...settings(201, rotateSecret), after: again(rotateSecret, 201) },
	"test the own webhook": settings(200, ping),
	"set the own delivery e-mail": { ...settings(200, setEmail), after: again(setEmail) },
	"cancel an unused code": changing(freshCode, cancel),
	"cancel an issued code": changing(emitted, cancel),
	"revoke a certificate": changing(emitted, revoke),
};
