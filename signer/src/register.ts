import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import type { CrlEntries } from "./crl.ts";
import { Refusal } from "./refusal.ts";

/** An entry of the log. Times in epoch milliseconds; no name and no RUT of a holder. */
export interface Entry {
	n: number;
	at: number;
	/** The right that was used, or an order: `stop`, `stop-all`, `lift`, `leave-out`, `allow-responder`. */
	kind: string;
	/** A caller's name, or that of who ordered. */
	caller: string;
	serial: string | null;
	/** SHA-256 of the certificate's public key. */
	key_hash: string | null;
	/** End of the certificate. */
	ends: number | null;
	/** SHA-256 of the bytes that were to be signed. */
	digest: string | null;
	/** `refused CODE`, a CRL's number, an order's reason, or a person's signature. */
	note: string | null;
	/** SHA-256 over the hash of the entry before and all of this one. */
	hash: string;
}

/** Row of the register: both signatures are null until the module made them. */
export type Signed = Pick<Entry, "n" | "kind" | "serial" | "key_hash" | "ends" | "digest" | "hash"> & {
	/** A CRL's. */
	number: number | null;
	signature: Uint8Array | null;
	head_signature: Uint8Array | null;
};

/** A revocation of the last CRL: the entry that first had it, and its certificate's end where it was signed here. */
export type Listed = Pick<Entry, "n" | "hash" | "ends"> & {
	serial: string;
	revoked_at: number;
	reason: string;
};

const SCHEMA = `
CREATE TABLE IF NOT EXISTS log (n INTEGER PRIMARY KEY, at INTEGER NOT NULL, kind TEXT NOT NULL, caller TEXT NOT NULL,
	serial TEXT, key_hash TEXT, ends INTEGER, digest TEXT, note TEXT, hash TEXT NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS log_by_kind ON log (kind, caller, n, at, note);
CREATE TRIGGER IF NOT EXISTS log_changed BEFORE UPDATE ON log BEGIN SELECT RAISE(ABORT, 'the log only grows'); END;
CREATE TRIGGER IF NOT EXISTS log_cut BEFORE DELETE ON log BEGIN SELECT RAISE(ABORT, 'the log only grows'); END;
CREATE TABLE IF NOT EXISTS signed (n INTEGER PRIMARY KEY REFERENCES log, kind TEXT NOT NULL, serial TEXT UNIQUE,
	key_hash TEXT UNIQUE, ends INTEGER, digest TEXT NOT NULL UNIQUE, number INTEGER UNIQUE,
	signature BLOB, head_signature BLOB) STRICT;
CREATE TABLE IF NOT EXISTS crl_entries (serial TEXT PRIMARY KEY, revoked_at INTEGER NOT NULL, reason TEXT NOT NULL,
	n INTEGER NOT NULL REFERENCES log) STRICT, WITHOUT ROWID;
`;
export const SIGNED = "SELECT s.*, l.hash FROM signed s LEFT JOIN log l USING (n)";
/** SQLITE_CONSTRAINT: a mistake of this program; every other error of SQLite is the disk's. */
const CONSTRAINT = 19;

/** Columns of an entry that its hash covers, in their order. */
const FIELDS = ["n", "at", "kind", "caller", "serial", "key_hash", "ends", "digest", "note"] as const;

/** Hash of an entry, by the hash of the entry before; the first has none before it. */
export function hashEntry(entry: Omit<Entry, "hash">, before = "0".repeat(64)): string {
	const fields = JSON.stringify([before, ...FIELDS.map((name) => entry[name])]);
	return createHash("sha256").update(fields).digest("hex");
}

/** Register and log in one SQLite database; a change is on the disk when its call returns. */
export class Register {
	readonly #db: DatabaseSync;

	constructor(folder: string) {
		mkdirSync(folder, { recursive: true, mode: 0o700 });
		this.#db = new DatabaseSync(join(folder, "register.db"), { timeout: 2_000 });
		this.#db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; ${SCHEMA}`);
	}

	all<T>(sql: string, ...values: SQLInputValue[]): T[] {
		try {
			return this.#db.prepare(sql).all(...values) as T[];
		} catch (error) {
			const { errcode = CONSTRAINT } = error as { errcode?: number };
			if ((errcode & 0xff) === CONSTRAINT) throw error;
			throw new Refusal("DISK", "Ask again later: the register cannot be written.");
		}
	}

	/** Runs changes as one; those of another process wait. @throws Refusal DISK, and none is made then */
	change<T>(run: () => T): T {
		this.all("BEGIN IMMEDIATE");
		try {
			const result = run();
			this.all("COMMIT");
			return result;
		} catch (error) {
			if (this.#db.isTransaction) this.all("ROLLBACK");
			throw error;
		}
	}

	/** Adds an entry to the log, within a change or as one. */
	append(added: Pick<Entry, "at" | "kind" | "caller"> & Partial<Entry>): Entry {
		if (!this.#db.isTransaction) return this.change(() => this.append(added));
		const last = this.last();
		const empty = { serial: null, key_hash: null, ends: null, digest: null, note: null };
		const entry = { ...empty, ...added, n: (last?.n ?? 0) + 1 };
		const hash = hashEntry(entry, last?.hash);
		const values = FIELDS.map((name) => entry[name]);
		this.all("INSERT INTO log VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", ...values, hash);
		return { ...entry, hash };
	}

	last(): Entry | undefined {
		return this.all<Entry>("SELECT * FROM log ORDER BY n DESC LIMIT 1")[0];
	}

	find(column: "digest" | "serial" | "key_hash" | "n", value: string | number): Signed | undefined {
		return this.all<Signed>(`${SIGNED} WHERE s.${column} = ?`, value)[0];
	}

	/** Writes down what is to be signed, with its entry. */
	enter(asked: Parameters<Register["append"]>[0], number: number | null = null): Entry {
		const entry = this.append(asked);
		const { n, kind, serial, key_hash, ends, digest } = entry;
		const values = [n, kind, serial, key_hash, ends, digest, number];
		this.all("INSERT INTO signed VALUES (?, ?, ?, ?, ?, ?, ?, NULL, NULL)", ...values);
		return entry;
	}

	/** Keeps the signatures of an entry, unless it has some. @returns those that it has */
	keep(n: number, signature: Uint8Array, headSignature: Uint8Array): Signed {
		const sql = "UPDATE signed SET signature = ?, head_signature = ? WHERE n = ? AND signature IS NULL";
		this.all(sql, signature, headSignature, n);
		return this.find("n", n)!;
	}

	/** Serials of the last CRL. */
	listedSerials(): string[] {
		return this.all<Listed>("SELECT serial FROM crl_entries").map(({ serial }) => serial);
	}

	listed(serial: string): Listed | undefined {
		const ofCrl = "SELECT c.*, l.hash, s.ends FROM crl_entries c JOIN log l USING (n)";
		return this.all<Listed>(
			`${ofCrl} LEFT JOIN signed s ON s.serial = c.serial WHERE c.serial = ?`,
			serial,
		)[0];
	}

	/** Makes these revocations the ones that the next CRL must keep; `n` is the entry of this one. */
	list(entries: CrlEntries, n: number): void {
		const known = new Set(this.listedSerials());
		for (const [serial, { revokedAt, reason }] of entries)
			if (!known.delete(serial))
				this.all("INSERT INTO crl_entries VALUES (?, ?, ?, ?)", serial, revokedAt, reason, n);
		for (const serial of known) this.all("DELETE FROM crl_entries WHERE serial = ?", serial);
	}
}
