import { Hono } from "hono";
import { trimTrailingSlash } from "hono/trailing-slash";
import type { KeyScope } from "../../domain/key-scopes.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { onError } from "../../http/fallbacks.ts";
import { refusalsAsPages } from "../kit/as-page.ts";
import type { ConsoleRoute } from "../kit/console.tsx";
import { chooseLanguage } from "../kit/language.ts";
import { certificatesPages } from "./certificates.tsx";
import { codePages } from "./code.tsx";
import { codesPages } from "./codes.tsx";
import { showProblems } from "./console.ts";
import { deliveriesPages } from "./deliveries.tsx";
import { deliveryPages } from "./delivery.tsx";
import { keyPages } from "./key.tsx";
import { keysPages } from "./keys.tsx";
import { orderPages } from "./orders.tsx";
import { overviewPages } from "./overview.tsx";
import { settingsPages } from "./settings.tsx";
import { signIn } from "./sign-in.tsx";
import { usagePages } from "./usage.tsx";
import { webhookPages } from "./webhook.tsx";
import { widgetPages } from "./widget.tsx";

/* `/console`: a partner's desk in a browser. Its pages call what the API calls. */

/** Every page and action behind the sign-in. */
export const CONSOLE_ROUTES: readonly ConsoleRoute<KeyScope>[] = [
	...overviewPages,
	...codesPages,
	...orderPages,
	...codePages,
	...certificatesPages,
	...deliveriesPages,
	...deliveryPages,
	...usagePages,
	...webhookPages,
	...widgetPages,
	...keysPages,
	...keyPages,
	...settingsPages,
];

export const consolePages = new Hono<AppEnv>();
consolePages.use(trimTrailingSlash());
consolePages.use(chooseLanguage("/console"), refusalsAsPages(showProblems));
consolePages.onError(onError);
consolePages.route("/", signIn);
for (const { method, path, handlers } of CONSOLE_ROUTES) consolePages.on(method, [path], ...handlers);
