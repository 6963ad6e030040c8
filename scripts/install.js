import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/*
 * Installs the packages of package-lock.json before `npm start` and the other scripts. Plain JavaScript: the Node that reads
 * TypeScript comes with the packages. npm itself waits minutes for a registry that does not answer. package.json runs it
 * in a subshell: a shell remembers where it found `node`, and must look again once the packages are there.
 */

const ANSWERS_WITHIN_MS = 6_000;

console.log("Installing the packages (once; minutes on a slow machine) …");
const question = ["view", "hono", "version", "--fetch-retries=0"];
const { status: answered } = spawnSync("npm", question, { timeout: ANSWERS_WITHIN_MS, stdio: "ignore" });
const isOnline = answered === 0;
if (!isOnline)
	console.error(
		"The package registry does not answer. Trying with the packages that npm kept on this machine …",
	);
const install = ["install", "--loglevel=error", isOnline ? "--prefer-offline" : "--offline"];
const { status } = spawnSync("npm", install, { stdio: isOnline ? "inherit" : "ignore" });
if (status !== 0 && !isOnline)
	console.error(
		"They do not suffice: connect this machine to the network, or set npm's registry, and run the command again.",
	);
const hasNode = existsSync("node_modules/.bin/node") || Number.parseInt(process.versions.node, 10) >= 22;
if (status === 0 && !hasNode)
	console.error(
		`npm has no Node 22 for ${process.platform} on ${process.arch}: install Node 22.18 or later.`,
	);
process.exitCode = status || (hasNode ? 0 : 1);
