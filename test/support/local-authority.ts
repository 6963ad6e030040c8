import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { loadRetiredAuthority } from "../../src/x509/retired-authority.ts";

/** Secrets of this machine's local service. */
export const SECRETS = parseEnv(readFileSync(join(import.meta.dirname, "../../.dev.vars"), "utf8")) as Record<
	string,
	string
>;

/** Key identifier of its authority, in the addresses under /pki. */
export const { keyId: localKeyId } = await loadRetiredAuthority({
	key: null,
	certificate: SECRETS.ISSUING_CERTIFICATE!,
});
