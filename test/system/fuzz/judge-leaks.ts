import { credentialsOf, isOurs, type Judged } from "./exchange.ts";
import { BATCH, CODE, type Fixtures, HOLDERS, MARKER, PINS } from "./fixtures.ts";
import { spellings } from "./judge-shape.ts";

/** Text of the inside: stack frames, statements, names of what the service is built from. */
const INNER_TEXT =
	/\.[cm]?[jt]s:\d|\bat (?:async )?[\w.]+ \(|\b\w*Error:|SQLITE|D1_|\bzod\b|drizzle|durable ?object|workerd|\bundefined\b|\bNaN\b|\[object|\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM)\b/i;
const API_KEY = /gw_(?:dev|prod)_[0-9A-HJKMNP-TV-Z]{32}/;
const WEBHOOK_SECRET = /whsec_[A-Za-z0-9+/]{8}/;
const CREDENTIAL = /sso-(?:\d|down)/;
const PRIVATE_KEY = /PRIVATE KEY|MII[A-Za-z0-9+/]{1000}/;
/** Parts of an answer that are random or a time, in which any four digits may stand. */
const RANDOM =
	/[0-9A-HJKMNP-TV-Z]{4}(?:-[0-9A-HJKMNP-TV-Z]{4}){3}|\b[a-z]+_[0-9a-f]{32}\b|\d{4}-\d{2}-\d{2}T[\d:.]+Z|[0-9A-Fa-f]{32,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[A-Za-z0-9+/=_-]{60,}/g;
const PIN = new RegExp(`(?<![0-9A-Za-z])(?:${PINS.join("|")})(?![0-9A-Za-z])`);
/** Routes of a partner's own settings, keys and webhook, which have ids. */
const OWN_DESK = /^\/api\/partner\/v1\//;
const INTERNAL_ID = /\b(?:pt|key|whs)_[0-9a-f]{32}\b/g;

/** Operations whose answer shows a new secret, this once. */
const SHOWS_KEY = /^\/ops\/v1\/partners(\/[^/]+\/keys(\/[^/]+\/rotate)?)?$/;
const SHOWS_WEBHOOK_SECRET = /^\/ops\/v1\/partners(\/[^/]+\/webhook-secret)?$/;

/** Finds contents of an answer that its caller must not see. @param secrets - values that nobody may see. */
export function leakFaults(judged: Judged, fixtures: Fixtures, secrets: readonly string[]): string[] {
	const { answer, exchange } = judged;
	const everything = `${answer.headers.map(([name, value]) => `${name}: ${value}`).join("\n")}\n${judged.text}`;
	const { members, ops } = credentialsOf(exchange, fixtures);
	const paths = [...spellings(exchange.call.path)];
	const asOps = ops && paths.some((path) => path.startsWith("/ops/"));
	const shows = (route: RegExp) => asOps && answer.status === 201 && paths.some((path) => route.test(path));
	// The document's examples have the form of secrets.
	const isDocument = isOfDocument(judged);
	return [
		...secrets.filter((secret) => everything.includes(secret)).map(() => "a secret of the settings"),
		...(PIN.test(judged.text.replaceAll(RANDOM, "")) ? ["a PIN"] : []),
		...(CREDENTIAL.test(everything) && !isDocument ? ["a single sign-on credential"] : []),
		...(API_KEY.test(everything) && !isDocument && !shows(SHOWS_KEY) ? ["an API key"] : []),
		...(WEBHOOK_SECRET.test(everything) && !isDocument && !shows(SHOWS_WEBHOOK_SECRET)
			? ["a webhook secret"]
			: []),
		...(PRIVATE_KEY.test(everything) && !mayShowCertificate(judged) ? ["what may be a private key"] : []),
		...(answer.status >= 400 && isOurs(answer) && INNER_TEXT.test(withoutFields(judged))
			? ["text of the inside"]
			: []),
		...(asOps
			? holderFaults(everything)
			: partnerFaults(
					judged,
					everything,
					members.map(({ marker }) => marker),
					fixtures,
				)),
	];
}

function isOfDocument({ text }: Judged): boolean {
	return text.startsWith('{"openapi"');
}

function mayShowCertificate({ answer, exchange }: Judged): boolean {
	return answer.status === 200 && /certificate_claim|\/pki\/|openapi|evidence/.test(exchange.call.path);
}

/** Ops see partners' data and no holder's. */
function holderFaults(everything: string): string[] {
	return everything.includes(HOLDERS) ? ["a holder's e-mail for ops"] : [];
}

/** A partner sees its own data and nobody else's; without a key, nobody's. */
function partnerFaults(judged: Judged, everything: string, own: string[], fixtures: Fixtures): string[] {
	const faults: string[] = [];
	for (const [marker] of everything.matchAll(MARKER))
		if (!own.includes(marker)) faults.push(`marker ${marker} of another partner`);
	for (const [text] of everything.matchAll(CODE)) {
		const code = fixtures.codeOf(text);
		if (code && !own.includes(code.owner.marker) && !isEcho(judged, text))
			faults.push(`code ${text} of another partner`);
	}
	for (const [id] of everything.matchAll(BATCH)) {
		const owner = fixtures.ownerOfBatch(id);
		if (owner && !own.includes(owner.marker)) faults.push(`batch ${id} of another partner`);
	}
	const ids = [...judged.text.matchAll(INTERNAL_ID)].map(([id]) => id);
	const ownIds = fixtures.members.filter(({ marker }) => own.includes(marker)).map(({ id }) => id);
	const mayShow = [...spellings(judged.exchange.call.path)].some((path) => OWN_DESK.test(path));
	if (ids.some((id) => id.startsWith("pt_") && !ownIds.includes(id) && !isOfDocument(judged)))
		faults.push("another partner's id");
	if (ids.length > 0 && !mayShow && !isOfDocument(judged)) faults.push("an id that only ops know");
	return [...new Set(faults)];
}

/** GET /status repeats the text that it was asked about, code or not, and says that there is no such code. */
function isEcho({ exchange, json }: Judged, text: string): boolean {
	const { data } = (json ?? {}) as { data?: { p_code?: string; status?: string } };
	const { code, query } = exchange.call;
	if (data?.status !== "NOT_FOUND" || code?.code !== text) return false;
	const sent = new URLSearchParams(query.map((pair) => pair.join("=")).join("&")).get("p_code");
	return data.p_code === text || data.p_code === sent;
}

/** The body without the names of fields, which a refusal repeats. */
function withoutFields({ text }: Judged): string {
	return text.replaceAll(/"field":"(?:[^"\\]|\\.)*"/g, "");
}

/** @param path - `/` and the marker of the partner whose endpoint this is. */
export function faultsOfHook(path: string, body: string): string[] {
	const own = path.slice(1);
	const others = [...body.matchAll(MARKER)].filter(([marker]) => marker !== own);
	return [
		...others.map(([marker]) => `the webhook of ${own} reported ${marker}`),
		...(PINS.some((pin) => body.includes(`"${pin}"`)) ? [`the webhook of ${own} held a PIN`] : []),
	];
}
