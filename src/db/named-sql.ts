import { type Db, query } from "./query.ts";

type Value = string | number;

/**
 * One atomic round trip of hand-written statements, in which `:name` stands for a value. The text never holds a value,
 * so that D1 finds a statement compiled when it comes again.
 * @returns the rows of each statement, by its name
 * @throws {Unavailable}
 */
export async function batchNamed<Rows extends Record<string, object>>(
	db: Db,
	statements: { [Name in keyof Rows]: string },
	values: Readonly<Record<string, Value>>,
): Promise<{ [Name in keyof Rows]: Rows[Name][] }> {
	const bound = Object.values<string>(statements).map((text) => {
		const names = new Map<string, number>();
		const numbered = text.replaceAll(/:([a-z]\w*)/gi, (_, name: string) => {
			if (!names.has(name)) names.set(name, names.size + 1);
			return `?${names.get(name)}`;
		});
		return db.$client.prepare(numbered).bind(...[...names.keys()].map((name) => namedValue(values, name)));
	});
	const results = await query(db.$client.batch(bound));
	const named = Object.keys(statements).map((name, index) => [name, results[index]!.results]);
	return Object.fromEntries(named) as { [Name in keyof Rows]: Rows[Name][] };
}

function namedValue(values: Readonly<Record<string, Value>>, name: string): Value {
	const value = values[name];
	if (value === undefined) throw new Error(`no value for :${name}`);
	return value;
}
