import type { OpsRole } from "../../domain/operators.ts";
import type { Text } from "../../texts/language.ts";
import { OPS_CONSOLE as T } from "../../texts/ops-console.ts";

export const HOME = "/ops/console/overview";

/** The pages in the navigation, each for holders of its role. */
export const NAV: readonly { path: string; label: Text; role: OpsRole }[] = [
	{ path: HOME, label: T.overview, role: "read" },
	{ path: "/ops/console/partners", label: T.partners, role: "read" },
	{ path: "/ops/console/holders", label: T.holders, role: "operate" },
	{ path: "/ops/console/codes", label: T.codes, role: "read" },
	{ path: "/ops/console/certificates", label: T.certificates, role: "read" },
	{ path: "/ops/console/deliveries", label: T.deliveries, role: "read" },
	{ path: "/ops/console/audit", label: T.audit, role: "read" },
	{ path: "/ops/console/jobs", label: T.jobs, role: "read" },
	{ path: "/ops/console/authority", label: T.authority, role: "read" },
];
