import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { loadRetiredAuthority } from "../../src/x509/retired-authority.ts";

const secrets = parseEnv(readFileSync(join(import.meta.dirname, "../../.dev.vars"), "utf8"));

/** The issuing certificate of this machine's development authority, base64 DER. */
const localCertificate = secrets.ISSUING_CERTIFICATE ?? "";

/** The key identifier in its addresses under /pki. */
export const { keyId: localKeyId } = await loadRetiredAuthority({ key: null, certificate: localCertificate });
