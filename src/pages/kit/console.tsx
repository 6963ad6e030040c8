import { Hono, type MiddlewareHandler } from "hono";
import type { Child } from "hono/jsx";
import { trimTrailingSlash } from "hono/trailing-slash";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { BODY_MAX } from "../../domain/limits.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { refuseLarge, takeBody } from "../../http/body.ts";
import { onError } from "../../http/fallbacks.ts";
import { CONSOLE_PARTS as T } from "../../texts/console-parts.ts";
import type { Text } from "../../texts/language.ts";
import { type ErrorReason, MESSAGES } from "../../texts/messages.ts";
import { refusalsAsPages } from "./as-page.ts";
import type { Call } from "./call.ts";
import type { Done } from "./first-answer.ts";
import { formTokenOf, recogniseForm } from "./form-token.ts";
import { chooseLanguage, sayIn } from "./language.ts";
import { answerPage, type NavPage } from "./layout.tsx";
import { Refused } from "./parts.tsx";
import { type Form, isOwnForm, readForm } from "./read-form.ts";
import { sendOnce } from "./send-once.ts";
import { type ShownOnce, shownOnce } from "./shown-once.ts";

type Answer = Response | Promise<Response>;
type Act = (c: Call, form: Form) => Response | Done | Promise<Response | Done>;
type Middleware = MiddlewareHandler<AppEnv>;

/** Differences between consoles. `Right`: the right that a page or an action requires. */
interface ConsoleKind<Right extends string> {
	/** Base of its pages' addresses, for example `/console`. */
	base: "/console" | "/ops/console";
	name: Text;
	/** First page after the sign-in. */
	home: string;
	/** The pages of the navigation that the caller may open; none before somebody is signed in. */
	nav: (c: Call) => readonly NavPage[];
	/** The search of the console: where its form goes, and what it finds; null for a caller who may not. */
	search: (c: Call) => { action: string; label: Text } | null;
	/** Name of the signed-in user; null for nobody. */
	who: (c: Call) => string | null;
	/** Address that signs the user out where the console itself does not; null: the console does. */
	signsOutAt: (c: Call) => string | null;
	/** Identifies the caller: null, or the way to the sign-in. */
	session: (c: Call) => Promise<Response | null>;
	/** Refuses a caller who lacks the right: 403. */
	mayDo: (right: Right) => Middleware;
	/** The right that a page and an action need unless they say otherwise; null for none. */
	usual: { page: Right | null; post: Right | null };
	/** Checks before anything else of an action. */
	first: readonly Middleware[];
	/** Limits on calls, after the caller is known. */
	limits: readonly Middleware[];
	/** Recipient of the caller's pages; '' for nobody. */
	shownTo: (c: Call) => string;
	/** Names the clock by which the page's times go, where it is not the real one, or what the page may lack. */
	remark: (c: Call) => Text | null;
	/** Text after an action when the page has none of its own; null: each page has its own. */
	done: Text | null;
}

/** A page or an action behind a console's sign-in. Only `page` and `post` make one, so that each has a session. */
export interface ConsoleRoute<Right extends string = string> {
	readonly method: "GET" | "POST";
	/** Below the console's base. */
	readonly path: string;
	/** Right that the caller needs; null: to be signed in. */
	readonly right: Right | null;
	/** D1 trips of a page at most, its session's included; what all databases are asked side by side is one. Null for an action. */
	readonly trips: 0 | 1 | 2 | 3 | null;
	readonly handlers: readonly Middleware[];
}

interface Notice {
	kind: "done" | "problem";
	text: Text;
}

interface Page {
	title: Text | string;
	status?: ContentfulStatusCode;
	/** Result or problem; defaults to the text for `?done` or `?problem`. */
	notice?: Notice | undefined;
}

/** The pages of one console: how they are declared, checked and shown. */
export function createConsole<Right extends string>(kind: ConsoleKind<Right>) {
	/** @param onAway - the answer to a caller without a session, from the way to the sign-in */
	function session(onAway: (c: Call, away: Response) => Answer): Middleware {
		return async (c, next) => {
			const away = await kind.session(c);
			await greet(c, kind.shownTo(c));
			return away ? onAway(c, away) : next();
		};
	}

	/** Gives the forms of the caller's page their token. @param shownTo - the recipient; '' is nobody */
	async function greet(c: Call, shownTo: string): Promise<void> {
		c.set("shownTo", [kind.base, shownTo]);
		c.set("csrf", await formTokenOf(c));
	}

	/** Declares a page for signed-in users. */
	function page(
		path: string,
		{ right = kind.usual.page, trips }: { right?: Right | null; trips: 0 | 1 | 2 | 3 },
		show: (c: Call) => Answer,
	): ConsoleRoute<Right> {
		const checks = [session((_, away) => away), ...rightCheck(right), ...kind.limits];
		return { method: "GET", path, right, trips, handlers: [...checks, async (c) => show(c)] };
	}

	/**
	 * Declares the page that a form leads to, which shows once what the form made; also when that ended the session, as
	 * replacing its own key at once does.
	 */
	function pageOnce<Shown>(
		path: string,
		{ right = kind.usual.page, trips }: { right?: Right | null; trips: 0 | 1 | 2 | 3 },
		show: (c: Call, once: ShownOnce<Shown>) => Answer,
	): ConsoleRoute<Right> {
		const showOr = async (c: Call, other: () => Answer) => {
			const once = await shownOnce<Shown>(c);
			return once ? show(c, once) : other();
		};
		const checks = [session((c, away) => showOr(c, () => away)), ...rightCheck(right), ...kind.limits];
		const last = (c: Call) => showOr(c, () => showProblem(c, 410, T.shownBefore));
		return { method: "GET", path, right, trips, handlers: [...checks, last] };
	}

	/**
	 * Declares an action of signed-in users, which a form does once. The order of checks is the API's. A form whose session
	 * has ended may be the one that ended it: done before, it is answered as it was.
	 * @param bodyMax - bytes
	 * @param act - answers where the form leads, or a page that says why nothing was done
	 */
	function post(
		path: string,
		{ right = kind.usual.post, bodyMax = BODY_MAX }: { right?: Right | null; bodyMax?: number },
		act: Act,
	): ConsoleRoute<Right> {
		const handlers: Middleware[] = [
			...kind.first,
			refuseLarge(bodyMax),
			takeBody(bodyMax),
			session(async (c, away) => {
				// Nobody's page has a form of this action: D1 is not asked.
				if (kind.shownTo(c) === "") return away;
				const again = await receive(c, () => away);
				return again.status === 303 ? again : away;
			}),
			...rightCheck(right),
			...kind.limits,
			async (c) => receive(c, act),
		];
		return { method: "POST", path, right, trips: null, handlers };
	}

	/** Does a form once, if it is of a page that this origin showed to the caller. @param arrive - as for `sendOnce` */
	async function receive(
		c: Call,
		act: Act,
		arrive?: (c: Call, form: Form) => Promise<void>,
	): Promise<Response> {
		if (!isOwnForm(c)) return showProblem(c, 403, T.foreignForm);
		const form = await readForm(c);
		if (form === null) return showProblem(c, 400, T.unreadableForm);
		const sent = await recogniseForm(c, form);
		if (sent === null) return showProblem(c, 403, T.foreignForm);
		return sendOnce(c, sent, {
			act: () => act(c, form),
			lost: () => showProblem(c, 409, T.lostForm),
			arrive: async () => arrive?.(c, form),
		});
	}

	function rightCheck(right: Right | null): Middleware[] {
		return right === null ? [] : [kind.mayDo(right)];
	}

	/** Answers with a page, with or without a signed-in user. */
	function show(c: Call, { title, status = 200, notice = noticeIn(c) }: Page, content: Child): Answer {
		const say = sayIn(c);
		const [who, csrf, away, remark] = [kind.who(c), c.get("csrf"), kind.signsOutAt(c), kind.remark(c)];
		const search = kind.search(c);
		const signOut = away === null ? { action: `${kind.base}/sign_out`, csrf } : { href: away };
		return answerPage(
			c,
			{
				title: typeof title === "string" ? title : say(title),
				name: say(kind.name),
				console: {
					home: kind.home,
					nav: kind.nav(c),
					search: search && { ...search, label: say(search.label), csrf },
					user: who === null ? null : { name: who, signOut },
				},
				remark: remark && say(remark),
				notice: notice && { kind: notice.kind, text: say(notice.text) },
				children: content,
			},
			status,
		);
	}

	/** Answers with a page that says why something was not done. */
	function showProblem(c: Call, status: ContentfulStatusCode, text: Text): Answer {
		return showProblems(c, status, [sayIn(c)(text)]);
	}

	/** Answers with messages that are already in the caller's language. */
	function showProblems(c: Call, status: ContentfulStatusCode, messages: readonly string[]): Answer {
		const refused = <Refused why={messages} home={kind.home} locale={c.get("language")} />;
		return show(c, { title: T.problem, status }, refused);
	}

	/** Leads back to a page after an action. */
	function goBack(path: string, outcome: string | { problem: ErrorReason } = "1"): Done {
		const query = typeof outcome === "string" ? `done=${outcome}` : `problem=${outcome.problem}`;
		return { to: `${kind.base}${path}${path.includes("?") ? "&" : "?"}${query}` };
	}

	function noticeIn(c: Call): Notice | undefined {
		if (kind.done === null) return undefined;
		const { problem = "" } = c.req.query();
		if (!Object.hasOwn(MESSAGES, problem)) return doneIn(c, kind.done);
		return { kind: "problem", text: MESSAGES[problem as ErrorReason] };
	}

	/** The console's router. @param signIn - routes without a session */
	function mount(signIn: Hono<AppEnv>, routes: readonly ConsoleRoute<Right>[]): Hono<AppEnv> {
		const pages = new Hono<AppEnv>();
		pages.use(trimTrailingSlash());
		pages.use(chooseLanguage(kind.base), refusalsAsPages(showProblems));
		pages.onError(onError);
		pages.route("/", signIn);
		for (const { method, path, handlers } of routes) pages.on(method, [path], ...handlers);
		return pages;
	}

	return { page, pageOnce, post, show, greet, receive, goBack, mount };
}

/** The notice of an action that led back to its page. */
export function doneIn(c: Call, text: Text): Notice | undefined {
	return c.req.query("done") ? { kind: "done", text } : undefined;
}
