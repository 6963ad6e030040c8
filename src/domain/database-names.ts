/* Names of the databases: the binding `DB` is number 1, `DB_2` is number 2 … */

/** Number of the database that holds the directory, and what belongs to no partner. */
export const DIRECTORY = 1;

export function bindingOf(database: number): string {
	return `DB${database === DIRECTORY ? "" : `_${database}`}`;
}

/** Reads the number in the name of a binding. */
export function databaseOf(binding: string): number {
	return Number(/^DB_([0-9]+)$/.exec(binding)?.[1] ?? DIRECTORY);
}
