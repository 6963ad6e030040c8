import type { KeyScope } from "../../domain/key-scopes.ts";
import type { ConsoleRoute } from "../kit/console.tsx";
import { certificatePages } from "./certificate.tsx";
import { certificatesPages } from "./certificates.tsx";
import { codePages } from "./code.tsx";
import { codesPages } from "./codes.tsx";
import { mount } from "./console.ts";
import { deliveriesPages } from "./deliveries.tsx";
import { deliveryPages } from "./delivery.tsx";
import { findPages } from "./find.tsx";
import { keyPages } from "./key.tsx";
import { keysPages } from "./keys.tsx";
import { orderPages } from "./orders.tsx";
import { overviewPages } from "./overview.tsx";
import { sessionPages } from "./sessions.tsx";
import { settingsPages } from "./settings.tsx";
import { signIn } from "./sign-in.tsx";
import { usagePages } from "./usage.tsx";
import { webhookPages } from "./webhook.tsx";
import { widgetPages } from "./widget.tsx";

/* `/console`: a partner's desk in a browser. Its pages call what the API calls. */

/** Every page and action behind the sign-in. */
export const CONSOLE_ROUTES: readonly ConsoleRoute<KeyScope>[] = [
	...overviewPages,
	...findPages,
	...codesPages,
	...orderPages,
	...codePages,
	...certificatesPages,
	...certificatePages,
	...deliveriesPages,
	...deliveryPages,
	...usagePages,
	...webhookPages,
	...widgetPages,
	...keysPages,
	...keyPages,
	...settingsPages,
	...sessionPages,
];

export const consolePages = mount(signIn, CONSOLE_ROUTES);
