import type { OpsRole } from "../../domain/operators.ts";
import type { ConsoleRoute } from "../kit/console.tsx";
import { auditPages } from "./audit.tsx";
import { authorityPages } from "./authority.tsx";
import { certificatePages } from "./certificates.tsx";
import { codePages } from "./codes.tsx";
import { mount, page, post } from "./console.tsx";
import { databasePages } from "./databases.tsx";
import { deliveryPages } from "./deliveries.tsx";
import { findPages } from "./find.tsx";
import { holderRequestPages } from "./holder-requests.tsx";
import { holderPages } from "./holders.tsx";
import { jobPages } from "./jobs.tsx";
import { kitPages } from "./kit.tsx";
import { HOME } from "./nav.ts";
import { newPartnerPages } from "./new-partner.tsx";
import { secretsPages } from "./once.tsx";
import { overviewPages } from "./overview.tsx";
import { partnerPages } from "./partner.tsx";
import { partnerKeyPages } from "./partner-keys.tsx";
import { partnersPages } from "./partners.tsx";
import { reconcilePages } from "./reconciliation.tsx";
import { endSession } from "./session.ts";
import { signIn } from "./sign-in.tsx";

/* `/ops/console`: what ops do by call, in a browser. Its pages use the functions of the calls. */

const sessionPages = [
	page("/", { right: null, trips: 0 }, (c) => c.redirect(HOME, 303)),
	post("/sign_out", { right: null }, (c) => {
		endSession(c);
		return { to: "/ops/console/sign_in" };
	}),
];

/** Every page and action behind the sign-in. `new-partner` comes before the partner whose id its path could be. */
export const OPS_CONSOLE_ROUTES: readonly ConsoleRoute<OpsRole>[] = [
	...sessionPages,
	...overviewPages,
	...newPartnerPages,
	...partnersPages,
	...partnerPages,
	...partnerKeyPages,
	...secretsPages,
	...holderPages,
	...findPages,
	...holderRequestPages,
	...codePages,
	...certificatePages,
	...deliveryPages,
	...auditPages,
	...reconcilePages,
	...jobPages,
	...databasePages,
	...authorityPages,
	...kitPages,
];

export const opsConsole = mount(signIn, OPS_CONSOLE_ROUTES);
