import { createHash } from "node:crypto";
import { OPS_ROLES, type OpsRole } from "../../../src/domain/operators.ts";
import type { Call } from "./call.ts";

/* Tokens of ops with one role each. Each begins with that of every role. */

export const ROLES = OPS_ROLES;

export function roleToken(opsToken: string, role: OpsRole): string {
	return `${opsToken}-${role}`;
}

/** The settings that let them in. */
export function roleSettings(opsToken: string): { OPS_ROLES: string; OPS_TOKENS: string } {
	const digest = (role: OpsRole) => createHash("sha256").update(roleToken(opsToken, role)).digest("hex");
	return {
		OPS_ROLES: ROLES.map((role) => `${role}r:${role}`).join(),
		OPS_TOKENS: ROLES.map((role) => `${role}r:${digest(role)}`).join(),
	};
}

/** The role whose token went with the call, where it was no other's. */
export function roleOf({ headers }: Pick<Call, "headers">, opsToken: string): OpsRole | null {
	const sent = headers.filter(([name]) => name.toLowerCase() === "authorization");
	const [[, value = ""] = []] = sent;
	return sent.length === 1
		? (ROLES.find((role) => value === `Bearer ${roleToken(opsToken, role)}`) ?? null)
		: null;
}

/** Role that a route needs: to look, to change, to see pictures. None includes another. */
export function roleFor(method: string, path: string): OpsRole {
	if (path.startsWith("/ops/v1/evidence/")) return "evidence";
	return method === "GET" || path === "/ops/v1/audit/verify" ? "read" : "operate";
}
