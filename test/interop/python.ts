import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { python } from "./pfx-openers.ts";

/** A PFX and its PIN, as the scripts here take them. */
export interface LockedPfx {
	pfx: Uint8Array;
	pin: string;
}

/** Result of read-pfx.py for one file; `error` alone where it does not open. */
export interface PfxByPython {
	error?: string;
	friendlyName: string;
	/** Values by the attribute's OID. */
	subject: Record<string, string>;
	/** Pairs of type and value: of an otherName its OID and its DER in hex. */
	subjectAltName: [string, string][];
	issuerAltName: [string, string][];
	/** OIDs of the critical extensions, in order. */
	critical: string[];
	keyUsage: string[];
	keyMatches: boolean;
	signs: boolean;
	/** Common names, the leaf's first. */
	chain: string[];
	chainVerifies: boolean;
}

/** Runs a script of this folder over several files at once. @returns its JSON answer, an entry a file */
export function runPython<Answer>(script: string, files: readonly LockedPfx[]): Answer[] {
	const input = files.map(({ pfx, pin }) => ({ pfx: Buffer.from(pfx).toString("base64"), pin }));
	const output = execFileSync(python, [join(import.meta.dirname, script)], {
		input: JSON.stringify(input),
		encoding: "utf8",
		env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1" },
	});
	return JSON.parse(output) as Answer[];
}
