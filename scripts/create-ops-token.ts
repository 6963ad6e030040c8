import { createHash, randomBytes } from "node:crypto";

/*
 * `npm run ops-token -- NAME`: a token for a person or program of ops, and what the service stores of it: its SHA-256.
 */

const name = process.argv[2];
if (!name || !/^[a-z0-9][a-z0-9._+@-]{0,99}$/.test(name)) {
	console.error("npm run ops-token -- NAME: an e-mail address or a short name, in lower case");
	process.exitCode = 2;
} else {
	const token = `ops_${randomBytes(32).toString("base64url")}`;
	console.log(`Give to ${name}, over a channel that only they read; it is not shown again:
  ${token}
Add to OPS_TOKENS, and a role to OPS_ROLES:
  ${name}:${createHash("sha256").update(token).digest("hex")}`);
}
