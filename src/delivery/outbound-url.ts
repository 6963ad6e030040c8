import ipaddr from "ipaddr.js";

/** Settings that limit where webhooks may go. */
export interface OutboundPolicy {
	/** Host, and port if it has one, of PUBLIC_URL. */
	ownHost: string;
	/** http to this machine, at any port, is allowed: local only. */
	allowLoopback: boolean;
}

export type OutboundVerdict =
	| { ok: true; url: URL }
	| { ok: false; problem: "not_a_url" | "not_https" | "credentials" | "own_zone" | "not_public" | "port" };

/** Names that resolve to the machine or to a local network (RFC 6761, RFC 6762, RFC 8375). */
const LOCAL_NAMES = ["localhost", "local", "internal", "intranet", "lan", "home", "corp", "home.arpa"];

/** RFC 4291 §2.4. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Whether a webhook may be sent to an address: checked when ops set it and before every attempt. Names are not resolved
 * here: the platform's fetch leaves from the public internet and reaches no private network.
 */
export function judgeOutboundUrl(text: string, policy: OutboundPolicy): OutboundVerdict {
	if (/[\s\x00-\x1f\x7f\\]/.test(text)) return { ok: false, problem: "not_a_url" };
	const url = URL.parse(text);
	if (url === null || !["https:", "http:"].includes(url.protocol)) return { ok: false, problem: "not_a_url" };
	if (url.username !== "" || url.password !== "") return { ok: false, problem: "credentials" };
	if (isOwn(url, policy.ownHost)) return { ok: false, problem: "own_zone" };
	if (policy.allowLoopback && isLoopback(url.hostname)) return { ok: true, url };
	if (url.protocol !== "https:") return { ok: false, problem: "not_https" };
	if (!isPublicHost(url.hostname)) return { ok: false, problem: "not_public" };
	// URL leaves the default port out: of https that is 443.
	return url.port === "" ? { ok: true, url } : { ok: false, problem: "port" };
}

/** The service's own host and its subdomains; on a developer's machine services differ by port. */
function isOwn(url: URL, ownHost: string): boolean {
	const own = new URL(`https://${ownHost}`);
	if (isLoopback(own.hostname)) return url.host === ownHost;
	const host = withoutFinalDot(url.hostname);
	return host === own.hostname || host.endsWith(`.${own.hostname}`);
}

function isLoopback(hostname: string): boolean {
	return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}

function isPublicHost(hostname: string): boolean {
	const name = withoutFinalDot(hostname).replace(/^\[(.*)\]$/, "$1");
	if (ipaddr.isValid(name)) return isPublicAddress(name);
	const local = LOCAL_NAMES.some((suffix) => name === suffix || name.endsWith(`.${suffix}`));
	return name.includes(".") && !local;
}

/**
 * Global unicast and not special-purpose (RFC 6890). IPv6 is global unicast in 2000::/3 alone: that leaves out mapped
 * and translated (NAT64) addresses; 6to4 and Teredo are special-purpose.
 */
function isPublicAddress(text: string): boolean {
	const address = ipaddr.parse(text);
	if (address instanceof ipaddr.IPv6 && !address.match(GLOBAL_UNICAST)) return false;
	return address.range() === "unicast";
}

/** `example.com.` is the same host as `example.com`. */
function withoutFinalDot(hostname: string): string {
	return hostname.replace(/\.$/, "");
}
