import { CONSOLE_PAGES } from "../../texts/console-pages.ts";
import { NAV_GROUPS } from "../../texts/console-parts.ts";
import { KEYS_PAGE, SETTINGS_PAGE, WEBHOOK_PAGE, WIDGET_PAGE } from "../../texts/console-settings.ts";
import type { NavPage } from "../kit/layout.tsx";

/** First page after the sign-in. */
export const HOME = "/console/overview";

/** The pages in the console's navigation. */
export const NAV: readonly NavPage[] = [
	{ path: HOME, label: CONSOLE_PAGES.overview, icon: "layout-dashboard" },
	{ path: "/console/codes", label: CONSOLE_PAGES.codes, icon: "ticket-check" },
	{ path: "/console/certificates", label: CONSOLE_PAGES.certificates, icon: "badge-check" },
	{ path: "/console/deliveries", label: CONSOLE_PAGES.deliveries, icon: "send" },
	{ path: "/console/usage", label: CONSOLE_PAGES.usage, icon: "chart-column" },
	{ path: "/console/webhook", label: WEBHOOK_PAGE.title, icon: "webhook", group: NAV_GROUPS.integration },
	{ path: "/console/widget", label: WIDGET_PAGE.title, icon: "app-window" },
	{ path: "/console/keys", label: KEYS_PAGE.title, icon: "key-round" },
	{ path: "/console/settings", label: SETTINGS_PAGE.title, icon: "settings" },
];
