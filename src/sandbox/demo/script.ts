/*
 * The shop's page in the browser: orders on its own server, opens the widget with the answer, shows the events and the
 * status as they come. An integrator would copy the ten lines of `open`.
 */
export const SCRIPT = `
const config = JSON.parse(document.getElementById("config").textContent);
const byId = (id) => document.getElementById(id);
const FINAL = ["EMITTED", "CANCELLED", "LOCKED"];
const POLL_MS = 1500;

byId("wish").addEventListener("submit", async (event) => {
	event.preventDefault();
	const form = event.target;
	const button = form.querySelector("button");
	const label = button.textContent;
	button.disabled = true;
	button.textContent = button.dataset.busy;
	byId("problem").textContent = "";
	try {
		const wish = { ...Object.fromEntries(new FormData(form)), locale: config.locale };
		const headers = { "content-type": "application/json" };
		const answer = await fetch("/demo/orders", { method: "POST", headers, body: JSON.stringify(wish) });
		const order = await answer.json();
		if (!answer.ok) throw new Error(order.message ?? "");
		open(order);
	} catch (error) {
		byId("problem").textContent = (config.texts.failed + " " + error.message).trim();
	}
	button.disabled = false;
	button.textContent = label;
});

function open({ pCode, sessionId, token, url, qr }) {
	byId("wish").hidden = true;
	byId("order").hidden = false;
	byId("code").textContent = pCode;
	byId("hosted").href = url;
	byId("qr").setAttribute("viewBox", qr.box);
	byId("qr").firstElementChild.setAttribute("d", qr.path);
	OnboardingWidget.open({ element: byId("widget"), sessionId, token, onEvent: show });
	byId("your-order").scrollIntoView({ block: "start" });
	poll();
}

function show({ type, version, session_id, p_code, ...rest }) {
	if (type === "onboarding.resize") return;
	const item = document.createElement("li");
	const time = new Date().toLocaleTimeString("es-CL", { hour12: false });
	item.append(strong(type), " ", Object.keys(rest).length > 0 ? JSON.stringify(rest) : "", " ", small(time));
	byId("events").prepend(item);
	if (type === "onboarding.emitted") byId("done").textContent = config.texts.done;
	poll();
}

function strong(text) {
	return Object.assign(document.createElement("b"), { textContent: text });
}

function small(text) {
	return Object.assign(document.createElement("small"), { textContent: text });
}

let timer;
async function poll() {
	clearTimeout(timer);
	const answer = await fetch("/demo/orders/current/status").then((got) => got.json()).catch(() => null);
	const status = answer?.data?.status;
	if (status) byId("status").textContent = status;
	clearTimeout(timer);
	if (!FINAL.includes(status)) timer = setTimeout(poll, POLL_MS);
}

if (config.order) open(config.order);
`;
