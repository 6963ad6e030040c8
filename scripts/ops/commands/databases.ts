import type { Given, OpsCommand, Option } from "../command.ts";

/** Option of the commands about one database's restore. */
export const DATABASE: Option = { help: "number of the database: 1, unless another one is named" };

export function numbered(database: string | undefined) {
	return database === undefined ? {} : { database: Number(database) };
}

const COLUMNS = ["number", "binding", "state", "bytes", "limit", "partners", "certificates"];

export const DATABASE_COMMANDS: readonly OpsCommand[] = [
	{
		name: "databases",
		summary: "the databases: size, partners, certificates, and whether they take new partners",
		takes: [],
		options: {},
		example: "npm run ops -- databases",
		call: (ops) => ops.GET("/ops/v1/databases"),
		shows: "databases",
		columns: COLUMNS,
		hasFault: ({ databases }) => (databases as { state: string }[]).some(({ state }) => state === "silent"),
	},
	{
		name: "databases open",
		summary: "let a database take new partners",
		takes: ["number"],
		options: {},
		example: "npm run ops -- databases open 2",
		call: (ops, given) =>
			ops.PATCH("/ops/v1/databases/{number}", { ...byNumber(given), body: { state: "open" } }),
		shows: "database",
	},
	{
		name: "databases close",
		summary: "let a database take no more new partners; those in it notice nothing",
		takes: ["number"],
		options: {},
		example: "npm run ops -- databases close 1",
		call: (ops, given) =>
			ops.PATCH("/ops/v1/databases/{number}", { ...byNumber(given), body: { state: "closed" } }),
		shows: "database",
	},
];

function byNumber({ number }: Given) {
	return { params: { path: { number: Number(number) } } };
}
