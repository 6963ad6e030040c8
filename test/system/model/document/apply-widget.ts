import type { CallOf } from "./calls.ts";
import type { Desk } from "./desk.ts";
import { badShape, made, type Outcome, type Shape, success } from "./expected.ts";
import { changePartner, type Ledger, record } from "./ledger.ts";
import { momentOf } from "./moment.ts";
import { widgetFacts } from "./partner-facts.ts";
import type { Rules } from "./rules.ts";
import { endOf } from "./session-ends.ts";
import { changeWidget, widgetProblems } from "./widget.ts";

/* The widget as its partner sets it, and the page of a session, which anybody may ask for. */

export function applyOwnWidget(ledger: Ledger, { id, partner, kind }: Desk): Outcome {
	return { ledger, expected: success(kind, 200, { widget: widgetFacts(id, partner.widget) }) };
}

export function applySetWidget(ledger: Ledger, { sent }: CallOf<"set widget">, desk: Desk): Outcome {
	const { id, partner, kind, key, at } = desk;
	const problems = widgetProblems(sent);
	if (problems.length > 0) return { ledger, expected: badShape(kind, problems) };
	const widget = changeWidget(partner.widget, sent);
	const changed = record(changePartner(ledger, id, { widget, updatedAt: at }), `partner ${id}`, {
		...{ at, by: "partner", key },
		action: "widget_changed",
	});
	return { ledger: changed, expected: success(kind, 200, { widget: widgetFacts(id, widget) }) };
}

/** It shows in frames of the origins that its session was made with; accent and logo are today's. */
export function applyPage(
	ledger: Ledger,
	{ session: name }: CallOf<"page">,
	at: number,
	rules: Rules,
): Outcome {
	const session = ledger.sessions[name];
	const owner = ledger.codes[session?.code ?? ""]?.partner ?? "";
	const partner = ledger.partners[owner];
	const isThere = session && !session.forgotten && partner?.suspendedAt === null;
	const kept = rules.sessionsKeepOrigins ? session?.origins : partner?.widget.origins;
	const origins = (isThere && kept) || [];
	const headers = {
		"Content-Security-Policy": {
			$: "containing",
			text: `; frame-ancestors ${origins.join(" ") || "'none'"}; `,
		} as const,
	};
	if (!isThere) return { ledger, expected: { outcome: "page 404", status: 404, body: null, headers } };
	const end = endOf(session, momentOf(ledger, owner, at, rules).now);
	const { accent, logo } = widgetFacts(owner, partner.widget);
	const body: Shape = {
		id: made("session", name),
		code: made("code", session.code),
		endReason: end?.reason ?? null,
		origins,
		partner: { name: partner.settings.name, accent, logo },
	};
	return { ledger, expected: { outcome: "page 200", status: 200, body, headers } };
}
