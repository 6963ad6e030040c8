import { type KeyObject, sign, verify } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Config, Person } from "./config.ts";
import type { Entry, Register } from "./register.ts";

/** Order that takes two people: an end of the stops up to one, or a serial that the next CRL may leave out. */
export interface Approval {
	kind: "lift" | "leave-out";
	serial: string | null;
	/** Entry that it is about: the latest stop, or the CRL that first listed the serial. */
	about: Pick<Entry, "n" | "hash">;
}

const PEOPLE_NEEDED = 2;

/** Bytes that a person signs. They name one entry of one log, so no approval serves twice. */
function statement({ kind, serial, about }: Approval): Buffer {
	return Buffer.from(["partner-certificates-signer-approval", kind, serial ?? "", about.hash].join("\n"));
}

/** Enters a person's approval. @throws Error where the key is not theirs. @returns whether enough people approve now */
export function approve(
	{ register, people, at }: { register: Register; people: Person[]; at: number },
	approval: Approval,
	{ name, key }: { name: string; key: KeyObject },
): boolean {
	const { kind, serial } = approval;
	const note = sign(null, statement(approval), key).toString("base64");
	const entry = { at, kind, serial, caller: name, note };
	if (!isApprovedBy(people, approval, entry)) throw new Error(`This is not the key of ${name}, as of today.`);
	register.append(entry);
	return isApproved(register, people, approval);
}

/** Whether two people approve it. One who was withdrawn counts for what was approved before. */
export function isApproved(register: Register, people: Person[], approval: Approval): boolean {
	const { kind, serial, about } = approval;
	const sql = "SELECT * FROM log WHERE kind = ? AND n > ? AND serial IS ?";
	const entries = register.all<Entry>(sql, kind, about.n, serial);
	const names = entries.filter((entry) => isApprovedBy(people, approval, entry)).map(({ caller }) => caller);
	return new Set(names).size >= PEOPLE_NEEDED;
}

type Signature = Pick<Entry, "at" | "caller" | "note">;

/** Whether the person of the entry signed this approval, and was not withdrawn then. */
export function isApprovedBy(people: Person[], approval: Approval, { at, caller, note }: Signature): boolean {
	const person = people.find(({ name, withdrawnAt }) => name === caller && at < (withdrawnAt ?? Infinity));
	return !!person && verify(null, statement(approval), person.key, Buffer.from(note ?? "", "base64"));
}

/** Stops since the last one that two people lifted, the latest first. */
export function openStops(register: Register, people: Person[]): Entry[] {
	const stops = register.all<Entry>("SELECT * FROM log WHERE kind IN ('stop', 'stop-all') ORDER BY n DESC");
	const isLifted = (about: Entry) => isApproved(register, people, { kind: "lift", serial: null, about });
	const lifted = stops.findIndex(isLifted);
	return lifted === -1 ? stops : stops.slice(0, lifted);
}

type Stoppable = Pick<Config, "folder" | "people">;

/**
 * The stop in force, if any: CRLs go on unless `all`, or in a day nobody could check a certificate. A file `stop` or
 * `stop-all` in the folder, whose text is the reason, begins one.
 */
export function findStop(register: Register, { folder, people }: Stoppable, at: number) {
	const open = openStops(register, people);
	const kind = ["stop-all", "stop"].find((name) => existsSync(join(folder, name)));
	// Two people lift it, once the file is gone.
	if (kind && !open.some((stop) => stop.kind === kind || stop.kind === "stop-all")) {
		const note = readFileSync(join(folder, kind), "utf8").trim().slice(0, 200);
		open.unshift(register.append({ at, kind, caller: "file", note }));
	}
	const [latest] = open;
	if (!latest) return null;
	const all = open.some((stop) => stop.kind === "stop-all");
	return { reason: latest.note ?? "", since: open.at(-1)!.at, all };
}
