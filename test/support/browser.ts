import { type Answer, call } from "./service.ts";

/** A browser without script: it keeps cookies, says where its forms come from, fills in the first form of its page and follows 303. */
export class Browser {
	readonly #address: string;
	readonly cookies = new Map<string, string>();
	#page = { path: "", status: 0, text: "" };
	/** The last one that was set. */
	setCookie = "";

	constructor(address = "192.0.2.7") {
		this.#address = address;
	}

	get path(): string {
		return this.#page.path;
	}
	get status(): number {
		return this.#page.status;
	}
	get text(): string {
		return this.#page.text;
	}
	get csrf(): string {
		return /name="csrf" value="([^"]*)"/.exec(this.text)?.[1] ?? "";
	}

	async open(path: string, headers: Record<string, string> = {}): Promise<Answer> {
		return this.#show(path, await this.#call("GET", path, { headers }));
	}

	/** Sends a form as it is, and shows nothing of the answer. */
	send(
		path: string,
		fields: Record<string, string> | [string, string][],
		headers: Record<string, string> = {},
	): Promise<Answer> {
		const own = { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" };
		const body = new URLSearchParams(fields).toString();
		return this.#call("POST", path, { headers: { ...own, ...headers }, body });
	}

	/** Fills in the first form of the page. @returns the form's own answer */
	async submit(fields: Record<string, string>): Promise<Answer> {
		const action = /<form method="post" action="([^"]+)"/.exec(this.text)![1]!;
		const answer = await this.send(action, { csrf: this.csrf, ...fields });
		if (answer.status === 303) await this.open(answer.headers.get("location")!);
		else this.#show(action, answer);
		return answer;
	}

	withoutCsrf(text: string): string {
		return text.replaceAll(this.csrf, "");
	}

	#show(path: string, answer: Answer): Answer {
		this.#page = { path, status: answer.status, text: answer.text };
		return answer;
	}

	async #call(
		method: string,
		path: string,
		init: { headers: Record<string, string>; body?: string },
	): Promise<Answer> {
		const cookie = Array.from(this.cookies, (pair) => pair.join("=")).join("; ");
		const headers = { "cf-connecting-ip": this.#address, cookie, ...init.headers };
		const answer = await call(method, path, { ...init, headers });
		for (const set of answer.headers.getSetCookie()) {
			this.setCookie = set;
			const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set)!;
			if (value) this.cookies.set(name, value);
			else this.cookies.delete(name);
		}
		return answer;
	}
}
