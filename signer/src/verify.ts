import { type KeyObject, verify } from "node:crypto";
import { splitSigned } from "./authority.ts";
import { type Config, RIGHTS, type Right } from "./config.ts";
import { same } from "./der.ts";
import { isApprovedBy } from "./orders.ts";
import { type Entry, hashEntry, type Register, SIGNED, type Signed } from "./register.ts";
import { digestOf, headText } from "./sign.ts";
import type { Authority } from "./tbs.ts";

/** A row of D1's table `certificates` (docs/operators/signer.md has the statement). */
interface ExportedCertificate {
	serial: string;
	/** 0: the serial was reserved, and its certificate never handed out. */
	handed_out: 0 | 1;
	signer_entry: number | null;
	signer_head: string | null;
	/** Hex of the certificate, for who wants its bytes compared too. */
	leaf?: string;
}

interface Verified {
	config: Pick<Config, "log_public_key" | "people">;
	authority: Authority;
	register: Register;
	/** Null: D1 is not compared. */
	exported: ExportedCertificate[] | null;
	/** Entries' numbers and heads that somebody else kept, such as the day's in the audit bucket. */
	heads: string[][];
}

/** Compares log, register, kept heads and D1's certificates. @returns what is in one and not in the other, a line each */
export function verifySigner(parts: Verified): string[] {
	const { config, register, exported, heads } = parts;
	const log = new Map(register.all<Entry>("SELECT * FROM log ORDER BY n").map((entry) => [entry.n, entry]));
	const signed = register.all<Signed>(SIGNED);
	const changed = heads.filter(([n, hash]) => log.get(Number(n))?.hash !== hash);
	return [
		...checkChain([...log.values()], config.people),
		...checkRegister(log, signed, config.log_public_key),
		...changed.map(([n]) => `entry ${n}: it is not the one whose head was kept`),
		...(exported ? checkExport(exported, signed, parts) : []),
	];
}

function checkChain(entries: Entry[], people: Config["people"]): string[] {
	return entries.flatMap((entry, i) => {
		const { n, kind, caller, serial } = entry;
		const isNext = n === i + 1 && entry.hash === hashEntry(entry, entries[i - 1]?.hash);
		const found = isNext ? [] : [`entry ${n}: it does not follow the one before it, or was changed`];
		if (kind !== "lift" && kind !== "leave-out") return found;
		const of = kind === "lift" ? /^stop/ : /^crls$/;
		const isSigned = entries.some(
			(about) => about.n < n && of.test(about.kind) && isApprovedBy(people, { kind, serial, about }, entry),
		);
		return isSigned ? found : [...found, `entry ${n}: ${kind} that ${caller} did not sign`];
	});
}

const COMPARED = ["kind", "serial", "key_hash", "ends", "digest"] as const;

function checkRegister(log: Map<number, Entry>, signed: Signed[], logKey: KeyObject): string[] {
	const rows = new Set(signed.map(({ n }) => n));
	const isAsked = ({ kind, note }: Entry) => RIGHTS.includes(kind as Right) && !note?.startsWith("refused ");
	const lost = [...log.values()].filter((entry) => isAsked(entry) && !rows.has(entry.n));
	const wrong = signed.flatMap((row) => {
		const { n, number, signature, head_signature } = row;
		const entry = log.get(n);
		const isLogged = entry && isAsked(entry) && COMPARED.every((name) => entry[name] === row[name]);
		if (!isLogged || entry.note !== (number === null ? null : String(number)))
			return [`entry ${n}: the register has another certificate or CRL for it`];
		const isHead = !signature || verify(null, headText(row), logKey, head_signature ?? new Uint8Array());
		return isHead ? [] : [`entry ${n}: the log's key did not sign its head`];
	});
	return [...lost.map(({ n }) => `entry ${n}: the register does not have it`), ...wrong];
}

function checkExport(exported: ExportedCertificate[], signed: Signed[], { authority }: Verified): string[] {
	const rows = new Map(signed.filter(({ kind }) => kind === "certificates").map((row) => [row.serial, row]));
	const wrong = exported.flatMap(({ serial, handed_out, signer_entry, signer_head, leaf }) => {
		const row = rows.get(serial);
		rows.delete(serial);
		if (handed_out && !row?.signature) return [`certificate ${serial}: the signer did not sign it`];
		const isKept = row?.n === signer_entry && row?.hash === signer_head;
		if ((handed_out || signer_entry !== null) && !isKept)
			return [`certificate ${serial}: D1 keeps another entry or head than the log has`];
		const isSame = leaf === undefined || isLeafOf(Buffer.from(leaf, "hex"), row, authority);
		return isSame ? [] : [`certificate ${serial}: its bytes are not those that the signer signed`];
	});
	const unknown = [...rows.values()].filter(({ signature }) => signature !== null);
	return [
		...wrong,
		...unknown.map(({ n, serial }) => `certificate ${serial} of entry ${n}: D1 does not know it`),
	];
}

function isLeafOf(leaf: Uint8Array, row: Signed | undefined, { hash, publicKey }: Authority): boolean {
	const [tbs, signature] = splitSigned(leaf);
	if (row?.digest !== digestOf(tbs) || !same(row.signature ?? new Uint8Array(), signature)) return false;
	return verify(hash, tbs, publicKey, signature);
}
