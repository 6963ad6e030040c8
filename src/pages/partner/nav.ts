import { CONSOLE_PAGES } from "../../texts/console-pages.ts";
import { KEYS_PAGE, SETTINGS_PAGE, WEBHOOK_PAGE, WIDGET_PAGE } from "../../texts/console-settings.ts";
import type { Text } from "../../texts/language.ts";

/** First page after the sign-in. */
export const HOME = "/console/overview";

/** The pages in the console's navigation. */
export const NAV: readonly { path: string; label: Text }[] = [
	{ path: HOME, label: CONSOLE_PAGES.overview },
	{ path: "/console/codes", label: CONSOLE_PAGES.codes },
	{ path: "/console/certificates", label: CONSOLE_PAGES.certificates },
	{ path: "/console/deliveries", label: CONSOLE_PAGES.deliveries },
	{ path: "/console/usage", label: CONSOLE_PAGES.usage },
	{ path: "/console/webhook", label: WEBHOOK_PAGE.title },
	{ path: "/console/widget", label: WIDGET_PAGE.title },
	{ path: "/console/keys", label: KEYS_PAGE.title },
	{ path: "/console/settings", label: SETTINGS_PAGE.title },
];
