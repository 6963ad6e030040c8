import type { OpsRole } from "../../domain/operators.ts";
import { NAV_GROUPS } from "../../texts/console-parts.ts";
import { OPS_CONSOLE as T } from "../../texts/ops-console.ts";
import type { NavPage } from "../kit/layout.tsx";

export const HOME = "/ops/console/overview";

/** The pages in the navigation, each for holders of its role. */
export const NAV: readonly (NavPage & { role: OpsRole })[] = [
	{ path: HOME, label: T.overview, icon: "layout-dashboard", role: "read" },
	{ path: "/ops/console/partners", label: T.partners, icon: "users", role: "read" },
	{ path: "/ops/console/holders", label: T.holders, icon: "user-search", role: "operate" },
	{ path: "/ops/console/codes", label: T.codes, icon: "ticket-check", role: "read" },
	{ path: "/ops/console/certificates", label: T.certificates, icon: "badge-check", role: "read" },
	{ path: "/ops/console/deliveries", label: T.deliveries, icon: "send", role: "read" },
	{
		path: "/ops/console/audit",
		label: T.audit,
		icon: "scroll-text",
		group: NAV_GROUPS.service,
		role: "read",
	},
	{ path: "/ops/console/jobs", label: T.jobs, icon: "timer", role: "read" },
	{ path: "/ops/console/databases", label: T.databases, icon: "database", role: "read" },
	{ path: "/ops/console/authority", label: T.authority, icon: "shield-check", role: "read" },
];
