import { expect } from "vitest";
import { testsWith } from "../interop/tool-test.ts";
import { alone } from "../support/alone.ts";
import { newPage } from "./browsers.ts";
import { createPartner, place, type Session } from "./partner.ts";
import {
	acceptAndSend,
	answer,
	complete,
	eventsOf,
	FULL,
	JUANA,
	openWidget,
	REVIEW,
	STEPS,
	signOn,
	storyOf,
	untilTitled,
} from "./widget.ts";

/* Attacks by another shop, another frame, somebody with a stolen token, and by hostile input. */

const test = testsWith("chromium");

async function newSession(settings: object = {}): Promise<Session> {
	const partner = await createPartner(settings);
	return partner.session(await partner.buyCode());
}

test("the frame takes a token from the page around it alone, not from a frame beside it or an opener", async () => {
	const { url, shop, stranger } = place();
	const session = await newSession();
	const address = `${url}/widget/frame/${session.session_id}`;
	const message = JSON.stringify({ type: "onboarding.token", version: 1, token: session.token });
	const page = await newPage();
	const opens: string[] = [];
	page.context().on("request", (request) => {
		if (request.url().endsWith("/open")) opens.push(request.url());
	});

	await page.goto(shop);
	await page.evaluate(
		`document.body.innerHTML = '<iframe src="${address}"></iframe><iframe src="${stranger}"></iframe>'`,
	);
	// A network that is idle may be one that has not begun.
	for (const url of [address, `${stranger}/`])
		await expect
			.poll(() =>
				page
					.frame({ url })
					?.evaluate("document.readyState")
					.catch(() => null),
			)
			.toBe("complete");
	await page.frame({ url: `${stranger}/` })!.evaluate(`parent.frames[0].postMessage(${message}, "*")`);

	const opened = page.context().waitForEvent("page");
	await page.evaluate(`globalThis.other = window.open("${address}")`);
	await (await opened).waitForLoadState("networkidle");
	await page.evaluate(`other.postMessage(${message}, "*")`);
	await (await opened).evaluate(`postMessage(${message}, "*")`);
	await page.waitForTimeout(1_000);
	expect(opens).toEqual([]);

	await page.evaluate(`frames[0].postMessage(${message}, "${url}")`);
	await untilTitled(page.frames().find((frame) => frame.url() === address)!, STEPS.rut.title);
	expect(opens.length).toBe(1);
});

test("the script takes events from its own frame alone, and gives the token to nobody but our origin", async () => {
	const { url, stranger } = place();
	const session = await newSession();
	const page = await newPage();
	await untilTitled(await openWidget(page, session), STEPS.rut.title);
	await page.evaluate(`document.querySelector("iframe").src = "${stranger}"`);
	await expect.poll(() => page.frame({ url: `${stranger}/` })).not.toBeNull();
	const frame = page.frame({ url: `${stranger}/` })!;
	await frame.waitForLoadState();
	await frame.evaluate("globalThis.heard = []; addEventListener('message', ({ data }) => heard.push(data))");

	const before = await storyOf(page);
	const say = (type: string, source: string, origin: string, id = session.session_id) => {
		const data = JSON.stringify({ type: `onboarding.${type}`, version: 1, session_id: id, height: 9 });
		const event = `{ source: ${source}, origin: "${origin}", data: ${data} }`;
		return page.evaluate(`dispatchEvent(new MessageEvent("message", ${event}))`);
	};
	for (const type of ["emitted", "resize", "ready", "closed"]) {
		await say(type, "window", url);
		await say(type, "frames[0]", stranger);
		await say(type, "frames[0]", url, "os_another");
	}
	expect(await storyOf(page)).toEqual(before);
	// The frame said that it is ready just before it went elsewhere.
	await say("ready", "frames[0]", url);
	await page.evaluate('frames[0].postMessage("after it", "*")');
	await expect.poll(() => frame.evaluate("heard")).toEqual(["after it"]);
	expect(await storyOf(page)).toEqual([...before, "ready"]);
});

test("events name the session, its code and the step, and nothing of the holder", async () => {
	const session = await newSession();
	const page = await newPage();
	const frame = await openWidget(page, session);
	await answer(frame, ["rut"]);
	await untilTitled(frame, STEPS.card.title);
	const fields = (await eventsOf(page)).map(({ type, ...event }) =>
		[type, ...Object.keys(event).sort()].join(" "),
	);
	const base = "p_code session_id version";
	expect([...new Set(fields)].sort()).toEqual([
		`onboarding.ready ${base}`,
		`onboarding.resize height ${base}`,
		`onboarding.started ${base}`,
		`onboarding.step name ${base}`,
	]);
});

test("a page elsewhere cannot make the frame's calls, though it has the token", async () => {
	const { url, stranger } = place();
	const session = await newSession();
	const page = await newPage();
	await page.goto(stranger);
	const address = `${url}/widget/v1/sessions/${session.session_id}/open`;
	const headers = { "content-type": "application/json", authorization: `Bearer ${session.token}` };
	const options = JSON.stringify({ method: "POST", headers, body: "{}" });
	const answer = `fetch("${address}", ${options}).then(() => "read", () => "refused")`;
	expect(await page.evaluate(answer)).toBe("refused");
});

test("script in every field is text, on every page that shows it", async () => {
	const script = `<img src=x onerror=alert(1)>`;
	const partner = await createPartner({ name: `${script}"'</script>`, ...FULL });
	const page = await newPage();
	let alerts = 0;
	page.on("dialog", () => alerts++);
	const session = await partner.session(await partner.buyCode(), { referenceId: script });
	const frame = await openWidget(page, session);
	const named = { names: script, fatherSurname: script, motherSurname: script };
	await answer(frame, ["rut", "name"], { ...JUANA, ...named });
	await signOn(page, frame, JUANA.rut);
	await answer(frame, ["email", "pin"]);
	await untilTitled(frame, REVIEW);
	expect(await frame.locator("dl").textContent()).toContain(script);
	await acceptAndSend(frame, STEPS.name.title);
	expect(await frame.getByLabel("Nombres").inputValue()).toBe(script);
	// The footer has the service's own mark.
	expect(await frame.locator("img:not(footer img)").count()).toBe(0);
	expect(alerts).toBe(0);
});

test("no cookie, no storage, no request to anybody else, no token in an address, no PIN but in two bodies", async () => {
	const { url, shop } = place();
	const session = await newSession();
	const page = await newPage();
	const requests: { url: string; body: string }[] = [];
	page
		.context()
		.on("request", (request) => requests.push({ url: request.url(), body: request.postData() ?? "" }));
	const frame = await openWidget(page, session);
	await complete(frame, ["rut", "card", "email", "pin"], "Su certificado está listo");
	expect(new Set(requests.map((request) => new URL(request.url).origin))).toEqual(new Set([url, shop]));
	expect(requests.filter((request) => request.url.includes(session.token))).toEqual([]);
	expect(
		requests
			.filter(({ body }) => alone(JUANA.pin).test(body))
			.map((request) => request.url.split("/").at(-1)),
	).toEqual(["submit", "claim"]);
	expect(await page.context().cookies()).toEqual([]);
	await page.goto(session.url);
	await untilTitled(page, "Su certificado fue emitido");
	expect(await page.evaluate("[localStorage.length, sessionStorage.length]")).toEqual([0, 0]);
});
