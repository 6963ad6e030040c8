import { CONSOLE } from "../texts/console.ts";
import type { Text } from "../texts/language.ts";

/** Where somebody who has signed in begins. */
export const HOME = "/console/settings";

/** The pages in the console's navigation. */
export const NAV: readonly { path: string; label: Text }[] = [
	{ path: "/console/settings", label: CONSOLE.settings },
];
