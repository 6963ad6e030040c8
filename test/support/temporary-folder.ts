import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder of its own for files, gone when disposed of. */
export class TemporaryFolder {
	readonly #path = mkdtempSync(join(tmpdir(), "test-"));

	/** @returns the file's path */
	write(name: string, contents: string | Uint8Array): string {
		const file = this.path(name);
		writeFileSync(file, contents);
		return file;
	}

	/** @returns the folder's own path, or that of something in it */
	path(...names: string[]): string {
		return join(this.#path, ...names);
	}

	[Symbol.dispose](): void {
		rmSync(this.#path, { recursive: true, force: true });
	}
}
