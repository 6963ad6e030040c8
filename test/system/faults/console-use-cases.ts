import { SHOWN_ONCE_MS } from "../../../src/domain/limits.ts";
import type { Browser } from "../../support/browser.ts";
import { signIn } from "../../support/console.ts";
import { select } from "../../support/look-inside.ts";
import type { Answer, Partner } from "../../support/service.ts";
import type { Fixture } from "./fixture.ts";
import { expectStatus, freshCode, freshName, type UseCase, WEBHOOK } from "./use-cases.ts";

/*
 * Forms of a partner's console, one of each kind: in a code's object, showing a key once, of settings. Each verb of the desk
 * has its own cell. A target is what the form is about; its browser is looked up by it.
 */

type Fields = Record<string, string>;

const browsers = new Map<string, Browser>();
/** The page that a form led to, which shows a key once, and until when after the form was sent; by the form's target. */
const pagesOnce = new Map<string, { to: string; until: number }>();

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
	const until = Date.now() + SHOWN_ONCE_MS;
	const answer = await fixture.call("console", post, { partner, pCode, what });
	for (const cookie of browser.cookies.values()) fixture.secrets.add(cookie);
	const to = answer.headers.get("location");
	if (to) pagesOnce.set(target, { to, until });
	return answer;
}

const cancel: UseCase["act"] = (fixture, partner, pCode) => {
	const fields = { reason: "returned", cancel: "sure" };
	return send(fixture, partner, pCode, [`/codes/${pCode}/cancel`, fields], { pCode });
};

const addKey: UseCase["act"] = (fixture, partner, label) => {
	const fields = { label: label, scopes: "read" };
	return send(fixture, partner, label, ["/keys", fields]);
};

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

/** A form that was done shows its key, which is stored nowhere and opens. */
const keyOpens: NonNullable<UseCase["after"]> = async (fixture, partner, target) => {
	const { to = "", until = 0 } = pagesOnce.get(target) ?? {};
	// A move there and back takes longer than a key is shown.
	if (Date.now() >= until) return [];
	const { text } = await browsers.get(target)!.open(to);
	const [, key] = /<code class="secret"[^>]*>([^<]+)</.exec(text) ?? [];
	if (key === undefined) return [`after: ${to} shows nothing`];
	fixture.secrets.add(key);
	const answer = partner.get("/api/partner/v1/keys", { "x-gw": key });
	return expectStatus(answer, 200, "a call with the key that was shown");
};

const form = (success: number, act: UseCase["act"], ready: UseCase["ready"] = freshName): UseCase => ({
	settings: WEBHOOK,
	success,
	ready: signedIn(ready),
	act,
});

const CANCELLED = "SELECT code FROM purchase_codes WHERE code LIKE ? AND cancelled_at IS NOT NULL";
const WIDGET_SET = "SELECT id FROM partners WHERE widget_origins LIKE ?";

export const CONSOLE_FORMS: Record<string, UseCase> = {
	"console: cancel a code": {
		...form(303, cancel, freshCode),
		inObject: true,
		after: again(cancel, 303, CANCELLED),
	},
	"console: add a key": { ...form(303, addKey), after: keyOpens },
	"console: set the widget": { ...form(303, setWidget), after: again(setWidget, 303, WIDGET_SET) },
};
