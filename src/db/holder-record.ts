import type { Sealer } from "../secrets/sealing.ts";
import type { Db, Statement } from "./query.ts";
import type { HolderRow, SealedHolder } from "./read-code.ts";
import { holders } from "./schema.ts";

/** The holder of a code in the clear; in memory only. */
export interface HolderRecord {
	rut: string;
	fullName: string;
	email: string;
	phone: string | null;
	partnerCopy: string | null;
}

/** What is stored beside the sealed values: equality by keyed index, the PIN by keyed hash (null once issued). */
export interface HolderKeys {
	rutIndex: string;
	pin: { salt: string; hash: string } | null;
}

/** The row of the holder of a successful validation. */
export async function sealHolder(
	sealer: Sealer,
	owner: { partnerId: string; code: string; now: number },
	holder: HolderRecord,
	keys: HolderKeys,
): Promise<HolderRow> {
	const seal = (column: string, value: string) => sealer.seal(value, place(owner.code, column));
	return {
		code: owner.code,
		partnerId: owner.partnerId,
		rutSealed: await seal("rut_sealed", holder.rut),
		rutIndex: keys.rutIndex,
		fullNameSealed: await seal("full_name_sealed", holder.fullName),
		emailSealed: await seal("email_sealed", holder.email),
		phoneSealed: holder.phone === null ? null : await seal("phone_sealed", holder.phone),
		partnerCopySealed:
			holder.partnerCopy === null ? null : await seal("partner_copy_sealed", holder.partnerCopy),
		pinSalt: keys.pin?.salt ?? null,
		pinHash: keys.pin?.hash ?? null,
		validatedAt: owner.now,
	};
}

/** Stores a holder in place of the code's earlier one. */
export function storeHolder(db: Db, row: HolderRow): Statement {
	return db.insert(holders).values(row).onConflictDoUpdate({ target: holders.code, set: row });
}

/** @throws when a value was altered or its sealing key is gone. */
export async function openHolder(sealer: Sealer, code: string, row: SealedHolder): Promise<HolderRecord> {
	const open = (column: string, sealed: string) => sealer.openText(sealed, place(code, column));
	return {
		rut: await open("rut_sealed", row.rutSealed),
		fullName: await open("full_name_sealed", row.fullNameSealed),
		email: await open("email_sealed", row.emailSealed),
		phone: row.phoneSealed === null ? null : await open("phone_sealed", row.phoneSealed),
		partnerCopy:
			row.partnerCopySealed === null ? null : await open("partner_copy_sealed", row.partnerCopySealed),
	};
}

function place(code: string, column: string) {
	return { table: "holders", row: code, column };
}
