import type { Browser } from "../../support/browser.ts";
import { signIn } from "../../support/console.ts";
import { select } from "../../support/look-inside.ts";
import type { Answer, Partner } from "../../support/service.ts";
import type { Fixture } from "./fixture.ts";
import { emitted, expectStatus, freshCode, freshName, type UseCase, WEBHOOK } from "./use-cases.ts";

/* Forms of a partner's console that write; what they have in common with the desk's calls is there. A target is what the form is about; its browser is looked up by it. */

type Fields = Record<string, string>;

const browsers = new Map<string, Browser>();
const keysShown = new Map<string, string>();
/** The page that a form led to, which shows a key or a secret once, by the form's target. */
const pagesOnce = new Map<string, string>();

/** Somebody is signed in before the faults. */
function signedIn(ready: UseCase["ready"]): UseCase["ready"] {
	return async (fixture, partner) => {
		fixture.secrets.add(await partner.manageKey());
		const target = await ready(fixture, partner);
		const browser = await signIn(partner);
		for (const cookie of browser.cookies.values()) fixture.secrets.add(cookie);
		browsers.set(target, browser);
		return target;
	};
}

async function send(
	fixture: Fixture,
	partner: Partner,
	target: string,
	[path, fields = {}]: [path: string, fields?: Fields],
	{ pCode = null, what = `POST /console${path}` }: { pCode?: string | null; what?: string } = {},
): Promise<Answer> {
	const browser = browsers.get(target)!;
	const post = () => browser.send(`/console${path}`, { csrf: browser.csrf, ...fields });
	const answer = await fixture.call("console", post, { partner, pCode, what });
	for (const cookie of browser.cookies.values()) fixture.secrets.add(cookie);
	const to = answer.headers.get("location");
	if (to) pagesOnce.set(target, to);
	return answer;
}

const cancel: UseCase["act"] = (fixture, partner, pCode) => {
	const fields = { reason: "returned", cancel: "sure" };
	return send(fixture, partner, pCode, [`/codes/${pCode}/cancel`, fields], { pCode });
};

const revoke: UseCase["act"] = (fixture, partner, pCode) => {
	const serial = fixture.left.find((one) => one.pCode === pCode)!.serial!;
	const fields = { serial: serial, revocation: "superseded", revoke: "sure" };
	const what = `POST /certificates/${serial}/revoke`;
	return send(fixture, partner, pCode, [`/certificates/${serial}/revoke`, fields], { pCode, what });
};

const addKey: UseCase["act"] = (fixture, partner, label) => {
	const fields = { label: label, scopes: "read" };
	return send(fixture, partner, label, ["/keys", fields]);
};

const revokeKey: UseCase["act"] = (fixture, partner, id) =>
	send(fixture, partner, id, [`/keys/${id}/revoke`]);

const ownKey: UseCase["ready"] = async (_, partner) =>
	(await partner.desk("POST", "/keys", { label: "old", scopes: ["read"] })).body.data.key.id;

const rotateSecret: UseCase["act"] = (fixture, partner, target) =>
	send(fixture, partner, target, ["/webhook/secret", { overlap_hours: "1" }]);

const setEmail: UseCase["act"] = (fixture, partner, name) =>
	send(fixture, partner, name, ["/delivery_email", { delivery_email: `${name}@partner.example` }]);

const setWidget: UseCase["act"] = (fixture, partner, name) =>
	send(fixture, partner, name, ["/widget", { origins: `https://${name}.example` }]);

/** Opened anew, the form is taken; then the database has what it says. */
function again(act: UseCase["act"], success: number, sql: string): NonNullable<UseCase["after"]> {
	return async (fixture, partner, target) => {
		await browsers.get(target)!.open("/console/overview");
		const broken = await expectStatus(act(fixture, partner, target) as Promise<Answer>, success, "again");
		const rows = await select(sql, `%${target}%`);
		return rows.length > 0 ? broken : [...broken, `after: ${target} is not in the database`];
	};
}

/** A form that was done shows its key or secret, which is stored nowhere. */
const isShown: NonNullable<UseCase["after"]> = async (fixture, _, target) => {
	const to = pagesOnce.get(target);
	if (to === undefined) return [];
	const { text } = await browsers.get(target)!.open(to);
	const [, secret] = /<code class="secret"[^>]*>([^<]+)</.exec(text) ?? [];
	if (secret === undefined) return [`after: ${to} shows nothing`];
	fixture.secrets.add(secret);
	keysShown.set(target, secret);
	return [];
};

/** A key that was shown is one that opens. */
const keyOpens: NonNullable<UseCase["after"]> = async (fixture, partner, target) => {
	const hidden = await isShown(fixture, partner, target);
	const key = keysShown.get(target);
	if (key === undefined) return hidden;
	const answer = partner.get("/api/partner/v1/keys", { "x-gw": key });
	return expectStatus(answer, 200, "a call with the key that was shown");
};

const form = (success: number, act: UseCase["act"], ready: UseCase["ready"] = freshName): UseCase => ({
	settings: WEBHOOK,
	success,
	ready: signedIn(ready),
	act,
});

const column = (name: string) => `SELECT id FROM partners WHERE ${name} LIKE ?`;
const CANCELLED = "SELECT code FROM purchase_codes WHERE code LIKE ? AND cancelled_at IS NOT NULL";
const REVOKED = "SELECT serial FROM certificates WHERE code LIKE ? AND revoked_at IS NOT NULL";
const KEY_REVOKED = "SELECT id FROM api_keys WHERE id LIKE ? AND revoked_at IS NOT NULL";

export const CONSOLE_FORMS: Record<string, UseCase> = {
	"console: cancel a code": {
		...form(303, cancel, freshCode),
		inObject: true,
		after: again(cancel, 303, CANCELLED),
	},
	"console: revoke a certificate": {
		...form(303, revoke, emitted),
		inObject: true,
		after: again(revoke, 303, REVOKED),
	},
	"console: add a key": { ...form(303, addKey), after: keyOpens },
	"console: revoke a key": { ...form(303, revokeKey, ownKey), after: again(revokeKey, 303, KEY_REVOKED) },
	"console: rotate the webhook's secret": { ...form(303, rotateSecret), after: isShown },
	"console: set the delivery e-mail": {
		...form(303, setEmail),
		after: again(setEmail, 303, column("delivery_email")),
	},
	"console: set the widget": {
		...form(303, setWidget),
		after: again(setWidget, 303, column("widget_origins")),
	},
};
