import type { Draft, Mutation } from "./draft.ts";
import { one } from "./values.ts";

/* Other methods, paths and queries than the document has. */

/** What Node calls a method and RFC 9110 does not know belongs to the wire's mutations. */
const METHODS = [
	"GET",
	"HEAD",
	"POST",
	"PUT",
	"PATCH",
	"DELETE",
	"OPTIONS",
	"TRACE",
	"PROPFIND",
	"MKCOL",
	"REPORT",
];
const PROTOTYPE_NAMES = ["__proto__", "constructor", "toString", "hasOwnProperty", "__proto__[mode]"];
const BAD_ESCAPES = [
	"%",
	"%zz",
	"%0",
	"%C0%80",
	"%ED%A0%80",
	"%FF",
	"%00",
	"%u0041",
	"+",
	"%2B",
	";",
	"&&",
	"=",
];

export const REQUEST_MUTATIONS: Mutation[] = [
	request("method", (draft, random) => {
		draft.method = one(random, METHODS);
	}),
	request("HEAD", (draft) => {
		draft.method = "HEAD";
	}),
	onPath("double slash", (path, random) => insertAtSlash(path, "/", random)),
	onPath("dot segment", (path, random) =>
		insertAtSlash(path, one(random, ["/.", "/x/..", "/%2e", "/%2e%2e"]), random),
	),
	onPath("climbing out", (path) => `${path}/../../../../../../etc/passwd`),
	onPath("encoded climbing out", (path) => `${path}/..%2f..%2f%2e%2e%2fetc%2fpasswd`),
	onPath("NUL", (path) => `${path}%00`),
	onPath("trailing slash", (path) => `${path}/`),
	onPath("case", (path) => path.toUpperCase()),
	onPath("encoded slash", (path) => path.replace(/\/([^/]*)$/, "%2F$1")),
	onPath("encoded letter", (path, random) => {
		const place = 1 + Math.floor(random() * (path.length - 1));
		const letter = path.charCodeAt(place);
		return Number.isNaN(letter)
			? path
			: `${path.slice(0, place)}%${letter.toString(16).padStart(2, "0")}${path.slice(place + 1)}`;
	}),
	onPath("encoded twice", (path) =>
		path.replace(/[a-z]/, (letter) => `%25${letter.charCodeAt(0).toString(16)}`),
	),
	onPath("matrix parameters", (path) => `${path};jsessionid=1;a=b`),
	onPath("bad escape", (path, random) => path + one(random, BAD_ESCAPES)),
	onPath("long", (path, random) => `${path}${one(random, ["/x", "x", "%41"]).repeat(2500)}`),
	onPath("backslash", (path) => path.replace(/\/([^/]*)$/, "\\$1")),
	onPath("suffix", (path, random) => path + one(random, [".json", ".xml", "~", "$", "*", "@"])),
	onPath("fragment", (path) => `${path}#fragment`),
	onPath(
		"absolute form",
		(path, random) => one(random, ["http://evil.example", "https://service.test"]) + path,
	),
	onPath("authority in the path", (path) => `//evil.example${path}`),
	onPath("no slash first", (path) => path.slice(1)),
	onPath("segment doubled", (path) => path.replace(/(\/[^/]+)/, "$1$1")),
	onPath("segment dropped", (path) => path.replace(/\/[^/]+/, "")),
	onPath("segment emptied", (path) => path.replace(/\/[^/]+$/, "/")),

	onQuery("unknown parameter", (query, random) => {
		query.push([one(random, ["x", "debug", "P_CODE", "p_code[]", "limit[$gt]", "callback", "_method"]), "1"]);
	}),
	onQuery("prototype's name as parameter", (query, random) => {
		query.push([one(random, PROTOTYPE_NAMES), "1"]);
	}),
	onQuery("parameter repeated", (query, random) => {
		if (query.length > 0) query.push([...one(random, query)]);
	}),
	onQuery("parameter as array", (query, random) => {
		if (query.length > 0) query.push([`${one(random, query)[0]}[]`, "1"]);
	}),
	onQuery("parameter emptied", (query, random) => {
		if (query.length > 0) one(random, query)[1] = "";
	}),
	onQuery("parameter dropped", (query) => void query.shift()),
	onQuery("bad escape in the query", (query, random) => {
		query.push([one(random, ["p_code", "x", "status"]), one(random, BAD_ESCAPES)]);
	}),
	onQuery("very many parameters", (query, random) => {
		const count = one(random, [100, 2000, 10_000]);
		for (let i = 0; i < count; i++) query.push([`f${i}`, ""]);
	}),
	onQuery("a long value", (query, random) => {
		query.push(["p_code", "x".repeat(one(random, [65, 1000, 15_000]))]);
	}),
];

/** Puts a piece before one of the path's slashes. */
function insertAtSlash(path: string, piece: string, random: () => number): string {
	const slashes = [...path.matchAll(/\//g)].map(({ index }) => index);
	const place = one(random, slashes) ?? 0;
	return path.slice(0, place) + piece + path.slice(place);
}

function request(name: string, apply: (draft: Draft, random: () => number) => void): Mutation {
	return {
		name,
		layer: "request",
		apply(draft, random) {
			apply(draft, random);
			return true;
		},
	};
}

function onPath(name: string, change: (path: string, random: () => number) => string): Mutation {
	return request(name, (draft, random) => {
		draft.path = change(draft.path, random);
	});
}

function onQuery(name: string, change: (query: Draft["query"], random: () => number) => void): Mutation {
	return request(name, (draft, random) => change(draft.query, random));
}
