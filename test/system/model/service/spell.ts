import type { AskedKey, CodeName } from "../document/calls.ts";
import type { Names } from "./names.ts";

/* Parts of calls as they are sent. */

export interface Credentials {
	key: string;
	from?: string;
}

export function credentials({ key, from }: Credentials, names: Names): Record<string, string> {
	if (key === "none") return {};
	const address = from === undefined ? {} : { "cf-connecting-ip": from };
	return { "x-gw": names.valueOf("key", key) ?? "gw_dev_unknown", ...address };
}

export function spell({ code, spelling }: CodeName, names: Names): string {
	const canonical = names.valueOf("code", code)!;
	if (spelling !== "loose") return canonical;
	return canonical.toLowerCase().replaceAll("-", " ").replaceAll("0", "o").replaceAll("1", "l");
}

/** As they are sent, by a clock that stands still. */
export function keyFields({ scopes, endsIn, cidrs }: AskedKey = {}) {
	return {
		...(scopes && { scopes }),
		...(endsIn !== undefined && { expires_at: endOf(endsIn) }),
		...(cidrs && { allowed_cidrs: cidrs }),
	};
}

export function endOf(endsIn: number): string {
	return new Date(Date.now() + endsIn).toISOString();
}
