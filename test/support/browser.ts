import { SCRIPT } from "../../src/pages/kit/script.ts";
import { type Answer, call } from "./service.ts";

/** The policy of the pages: their style sheet, their pictures, their forms, and one script, by its hash. */
export const PAGE_POLICY =
	/^default-src 'none'; style-src 'self'; script-src 'sha256-[^' ]+'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/;

/** A page without its own script and its mark: any other that it has is somebody else's. */
export function withoutOwnScript(text: string): string {
	return text.replace(`<script>${SCRIPT}</script>`, "").replaceAll('<img src="/brand/mark.svg"', "");
}

/** A page without the token of its forms, which every page has anew. */
export function withoutCsrf(text: string): string {
	return text.replaceAll(/name="csrf" value="[^"]*"/g, "");
}

/** A browser without script: it keeps cookies, says where its forms come from, fills in the first form of its page and follows 303. */
export class Browser {
	readonly #address: string;
	readonly cookies = new Map<string, string>();
	/** Paths of the cookies that are of one page alone. */
	readonly #paths = new Map<string, string>();
	#page = { path: "", status: 0, text: "" };
	/** The last one that was set. */
	setCookie = "";
	#led = "";
	/** Its User-Agent. */
	agent = "";

	constructor(address = "192.0.2.7") {
		this.#address = address;
	}

	/** Another browser with the same cookies, as one is before the answer to a form reaches it. */
	copy(): Browser {
		const copy = new Browser(this.#address);
		for (const [name, value] of this.cookies) copy.cookies.set(name, value);
		for (const [name, within] of this.#paths) copy.#paths.set(name, within);
		return copy;
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
	/** Text of the page that the last form led to; it is not the page of the next form. */
	get led(): string {
		return this.#led;
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

	/** Sends a form of this page as if it was just opened. @returns the form's own answer; the browser shows what it leads to */
	async act(path: string, fields: [string, string][]): Promise<Answer> {
		await this.open(this.path);
		const answer = await this.send(path, [["csrf", this.csrf], ...fields]);
		const to = answer.headers.get("location");
		if (to && answer.status === 303) this.#led = (await this.#call("GET", to, { headers: {} })).text;
		return answer;
	}

	/** Fills in the first form of the page. @returns the form's own answer */
	async submit(fields: Record<string, string>): Promise<Answer> {
		const action = /<form method="post" action="([^"]+)"/.exec(this.text)![1]!;
		const answer = await this.send(action, { csrf: this.csrf, ...fields });
		if (answer.status === 303) await this.open(answer.headers.get("location")!);
		else this.#show(action, answer);
		return answer;
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
		const sent = [...this.cookies].filter(([name]) => path.startsWith(this.#paths.get(name) ?? "/"));
		const cookie = sent.map((pair) => pair.join("=")).join("; ");
		const own = { "cf-connecting-ip": this.#address, "user-agent": this.agent };
		const headers = { ...own, cookie, ...init.headers };
		const answer = await call(method, path, { ...init, headers });
		for (const set of answer.headers.getSetCookie()) {
			this.setCookie = set;
			const [, name = "", value = "", within = "/"] = /^([^=]+)=([^;]*).*?Path=([^;]*)/.exec(set)!;
			this.#paths.set(name, within);
			if (value) this.cookies.set(name, value);
			else this.cookies.delete(name);
		}
		return answer;
	}
}
