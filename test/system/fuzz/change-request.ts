import { type Call, type Change, one, type Random } from "./call.ts";

/* Other methods, paths and queries than the document has. */

/** Methods of RFC 9110; those that only Node knows belong to the changes of the framing. */
const METHODS = "GET HEAD POST PUT PATCH DELETE OPTIONS TRACE PROPFIND MKCOL REPORT".split(" ");
const BAD_ESCAPES = "% %zz %0 %C0%80 %ED%A0%80 %FF %00 %u0041 + %2B ; && =".split(" ");
const DOT_SEGMENTS = "/. /x/.. /%2e /%2e%2e".split(" ");
const SUFFIXES = ".json .xml ~ $ * @".split(" ");

const PATH: Record<string, (path: string, random: Random) => string> = {
	"double slash": (path, random) => insertAtSlash(path, "/", random),
	"dot segment": (path, random) => insertAtSlash(path, one(random, DOT_SEGMENTS), random),
	"climbing out": (path) => `${path}/../../../../../../etc/passwd`,
	"encoded climbing out": (path) => `${path}/..%2f..%2f%2e%2e%2fetc%2fpasswd`,
	NUL: (path) => `${path}%00`,
	"trailing slash": (path) => `${path}/`,
	"case of the path": (path) => path.toUpperCase(),
	"encoded slash": (path) => path.replace(/\/([^/]*)$/, "%2F$1"),
	"encoded letter": (path, random) => {
		const place = 1 + Math.floor(random() * (path.length - 1));
		const letter = path.charCodeAt(place);
		if (Number.isNaN(letter)) return path;
		return `${path.slice(0, place)}%${letter.toString(16).padStart(2, "0")}${path.slice(place + 1)}`;
	},
	"encoded twice": (path) => path.replace(/[a-z]/, (letter) => `%25${letter.charCodeAt(0).toString(16)}`),
	"matrix parameters": (path) => `${path};jsessionid=1;a=b`,
	"bad escape": (path, random) => path + one(random, BAD_ESCAPES),
	long: (path, random) => `${path}${one(random, ["/x", "x", "%41"]).repeat(2500)}`,
	backslash: (path) => path.replace(/\/([^/]*)$/, "\\$1"),
	suffix: (path, random) => path + one(random, SUFFIXES),
	fragment: (path) => `${path}#fragment`,
	"absolute form": (path, random) => one(random, ["http://evil.example", "https://service.test"]) + path,
	"authority in the path": (path) => `//evil.example${path}`,
	"no slash first": (path) => path.slice(1),
	"segment doubled": (path) => path.replace(/(\/[^/]+)/, "$1$1"),
	"segment dropped": (path) => path.replace(/\/[^/]+/, ""),
	"segment emptied": (path) => path.replace(/\/[^/]+$/, "/"),
};

const QUERY: Record<string, (query: Call["query"], random: Random) => void> = {
	"parameter repeated": (query, random) => {
		if (query.length > 0) query.push([...one(random, query)]);
	},
	"parameter as array": (query, random) => {
		if (query.length > 0) query.push([`${one(random, query)[0]}[]`, "1"]);
	},
	"parameter emptied": (query, random) => {
		if (query.length > 0) one(random, query)[1] = "";
	},
	"bad escape in the query": (query, random) => {
		query.push([one(random, ["p_code", "x", "status"]), one(random, BAD_ESCAPES)]);
	},
	"very many parameters": (query, random) => {
		const count = one(random, [100, 2000, 10_000]);
		for (let i = 0; i < count; i++) query.push([`f${i}`, ""]);
	},
	"a long value": (query, random) => void query.push(["p_code", "x".repeat(one(random, [65, 1000, 15_000]))]),
};

export const REQUEST_CHANGES: Change[] = [
	request("method", (call, random) => {
		call.method = one(random, METHODS);
	}),
	request("HEAD", (call) => {
		call.method = "HEAD";
	}),
	...Object.entries(PATH).map(([name, change]) =>
		request(name, (call, random) => {
			call.path = change(call.path, random);
		}),
	),
	...Object.entries(QUERY).map(([name, change]) =>
		request(name, (call, random) => change(call.query, random)),
	),
];

/** Puts a piece before one of the path's slashes. */
function insertAtSlash(path: string, piece: string, random: Random): string {
	const slashes = [...path.matchAll(/\//g)].map(({ index }) => index);
	const place = one(random, slashes) ?? 0;
	return path.slice(0, place) + piece + path.slice(place);
}

function request(name: string, apply: (call: Call, random: Random) => void): Change {
	return {
		name,
		layer: "request",
		apply(call, random) {
			apply(call, random);
			return true;
		},
	};
}
