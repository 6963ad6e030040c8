import { env } from "cloudflare:workers";
import { forgetKeys } from "../../../../src/db/api-keys.ts";
import { endDueSessions } from "../../../../src/jobs/end-onboarding-sessions.ts";
import { platformOf } from "../../../../src/platform.ts";
import { Partner } from "../../../support/service.ts";
import { keepDatabase, setDatabaseBack } from "../../../support/set-back.ts";
import type { Call, Operation } from "../document/calls.ts";
import { publishCrl } from "./judge.ts";
import type { Names } from "./names.ts";

/* Events of the service without a call of HTTP. */

const platform = await platformOf(env);
const { settings, authority } = platform;

export const AUTHORITY = { from: authority.notBefore.getTime(), until: authority.notAfter.getTime() };

export function isOperation(call: Call): call is Operation {
	return ["lose address", "deploy", "keep database", "set back", "end due sessions"].includes(call.kind);
}

export async function operate(call: Operation, names: Names): Promise<void> {
	switch (call.kind) {
		case "lose address":
			return new Partner(names.valueOf("partner", call.partner)!, "").loseAddresses();
		case "deploy":
			return freeze(call.frozen);
		case "end due sessions":
			await endDueSessions(platform);
			return;
		case "keep database":
			return keepDatabase();
		case "set back":
			await publishCrl();
			await setDatabaseBack();
			// A deployment starts anew, with no key in its memory.
			forgetKeys();
	}
}

/** Worker and objects, as a deployment at once does. */
export function freeze(frozen: boolean): void {
	settings.frozen = frozen;
}
