import { expect, test } from "vitest";
import type { Copied, WhereState } from "../../../src/domain/decide-move.ts";
import { decidePlace, type FoundPlace } from "../../../src/domain/decide-place.ts";

/* Where a partner lives, after the directory or a database was put back (decisions, "More than one database"). */

const COPIED: Readonly<Record<string, Copied>> = {
	notes: { phase: "notes", noted: 0, table: 0 },
	compared: { phase: "compared", noted: 0 },
	erase: { phase: "erase", table: 3 },
};

/**
 * `2:open4`: open in DB_2 under epoch 4; `*`: changes are noted. After it a copy under way: `+notes` takes in what was
 * noted, `+compared` is whole, `+erase` is erased.
 */
function place(text: string): FoundPlace {
	const [, database, state, epoch, noting, copied] = /^(\d):([a-z]+)(\d)(\*?)(?:\+(\w+))?$/.exec(text)!;
	return {
		database: Number(database),
		epoch: Number(epoch),
		state: state as FoundPlace["state"],
		since: 0,
		noting: noting === "*",
		copied: COPIED[copied ?? ""] ?? null,
	};
}

const places = (text: string) => text.split(" ").map(place);

const known = (text: string) => {
	const [state, database, target] = text.split(" ");
	return { state: state as WhereState, database: Number(database), target: target ? Number(target) : null };
};

test.each([
	["at rest", "open 2", "2:open1"],
	["moved, and its old rows are there or were cleared", "moved 1 2", "1:open2 2:closed1"],
	["moved, and its old database was put back to before it had them", "moved 1 2", "1:open2"],
	["about to be noted", "moving 2 1", "2:open1"],
	["being copied", "moving 2 1", "2:open1* 1:closed2+notes"],
	["frozen", "moving 2 1", "2:frozen1* 1:closed2+notes"],
	["left, before the switch", "moving 2 1", "2:leaving1 1:closed2+compared"],
	["switched", "switched 1 2", "2:leaving1 1:closed2+compared"],
	["open where it went", "switched 1 2", "2:leaving1 1:open2"],
	["given up", "returning 2 1", "2:frozen1* 1:closed2+notes"],
	["cleared", "clearing 1 2", "1:open2 2:closed1+erase"],
])("a partner that is %s is left to its mover", (_, row, found) => {
	expect(decidePlace(known(row), places(found))).toEqual({ kind: "fits" });
});

test.each<
	[string, string | null, found: string, home: number, epoch: number | null, directory: string, stale: number]
>([
	["the directory lost the partner", null, "2:open1", 2, null, "open 2", 0],
	["the directory lost a move", "open 2", "2:closed1 1:open2", 1, null, "moved 1 2", 0],
	["the directory, the new home too, lost a move", "open 2", "2:closed1", 2, 2, "open 2", 0],
	["the directory lost a move's end", "moving 2 1", "2:closed1 1:open2", 1, null, "moved 1 2", 0],
	["the directory lost a move's beginning", "open 2", "2:frozen1* 1:closed2+notes", 2, 3, "clearing 2 1", 0],
	["the directory lost an announcement", "open 2", "2:open1*", 2, 2, "open 2", 0],
	["the directory lost a move and its clearing", "moving 2 1", "1:open2", 1, null, "open 1", 0],
	["the old database lost the move", "moved 1 2", "2:open1 1:open2", 1, null, "moved 1 2", 1],
	["the old database lost its clearing", "open 1", "2:closed1 1:open2", 1, null, "moved 1 2", 0],
	["the new database lost the move", "moved 1 2", "2:closed1", 2, 2, "open 2", 0],
	["the new database lost the copy", "moved 1 2", "2:closed1 1:closed2+notes", 2, 3, "clearing 2 1", 0],
	["the old database lost the copying", "moving 2 1", "2:open1 1:closed2+notes", 2, 3, "clearing 2 1", 0],
	["the old database lost the switch", "switched 1 2", "2:open1 1:closed2+compared", 1, 3, "moved 1 2", 1],
	["the old database lost the move's end", "moved 1 2", "2:leaving1 1:open2", 1, null, "moved 1 2", 1],
	["the directory lost a switch", "open 2", "2:leaving1 1:closed2+compared", 2, 3, "clearing 2 1", 0],
	["the new one lost its last rows", "moved 1 2", "2:closed1 1:closed2+compared", 2, 3, "clearing 2 1", 0],
	["the new database lost an earlier leaving", "moved 1 2", "2:closed2 1:open1", 2, 3, "moved 2 1", 1],
])(
	"where %s, the place of the highest epoch with all rows is the partner's",
	(_, row, text, home, epoch, directory, stale) => {
		const found = places(text);
		const verdict = decidePlace(row === null ? null : known(row), found);
		if (verdict.kind !== "settle") throw new Error(verdict.kind);
		const { database } = verdict.home;
		expect([database, verdict.epoch, verdict.directory, verdict.stale.length]).toEqual([
			home,
			epoch,
			known(directory),
			stale,
		]);
		// What it does makes the directory fit.
		const others = found.filter((one) => one !== verdict.home);
		const after = [
			epoch === null
				? verdict.home
				: { ...verdict.home, epoch, state: "open" as const, noting: false, copied: null },
			...others.map((one) =>
				verdict.stale.includes(one) ? { ...one, state: "closed" as const, noting: false, copied: null } : one,
			),
		];
		expect(decidePlace(verdict.directory, after)).toEqual({ kind: "fits" });
	},
);

test.each([
	["moving 2 1", "2:open1* 1:closed2+compared", 2],
	["switched 1 2", "2:leaving1 1:closed2+compared", 2],
	["switched 1 2", "2:leaving1 1:open2", 1],
])(
	"a move that would go on (%s) is ended if one of its databases may have been put back",
	(row, text, home) => {
		const found = places(text);
		expect(decidePlace(known(row), found)).toEqual({ kind: "fits" });
		for (const doubted of [1, 2]) {
			const verdict = decidePlace(known(row), found, (database) => database === doubted);
			expect(verdict).toMatchObject({ kind: "settle", home: { database: home } });
		}
		expect(decidePlace(known(row), found, (database) => database === 3)).toEqual({ kind: "fits" });
	},
);

test("a partner whose rows no database has whole is lost", () => {
	expect(decidePlace(known("moved 1 2"), places("1:closed2+notes"))).toEqual({ kind: "nowhere" });
});
