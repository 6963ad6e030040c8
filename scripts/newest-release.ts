import { execFileSync } from "node:child_process";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

/** Output of git in this project. @throws where it is no clone */
export function git(...words: string[]): string {
	return execFileSync("git", words, { cwd: root, encoding: "utf8" });
}

/** Tag of the newest release; null before the first. A shallow clone has none: fetch the tags. */
export function newestRelease(): string | null {
	return git("tag", "--list", "v*", "--sort=-creatordate").split("\n")[0] || null;
}
