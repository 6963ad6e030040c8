import { PARTNER_TABLES } from "../../../src/db/partner-tables.ts";
import { readDirectory } from "./move-meanwhile.ts";
import { DATABASES } from "./partners.ts";
import type { ServiceProcess } from "./service-process.ts";

/* Each partner lives in one database, with every row that it has left in another one. */

interface Place {
	partner_id: string;
	state: string;
	database: number;
}

/** Tables whose rows are never deleted. A count of codes is, when it falls to 0. */
const STAYING = PARTNER_TABLES.filter(({ ends, name }) => !ends && name !== "code_counts");

/** Checks it while no partner is on its way. */
export async function checkPlaces(service: ServiceProcess): Promise<string[]> {
	const places: Place[] = [];
	for (let database = 1; database <= DATABASES; database++)
		places.push(...(await service.ask<Place[]>("select", { sql: selectPlaces(database), database })));
	const broken: string[] = [];
	for (const { partner_id: id, database: home, state } of await readDirectory(service)) {
		const its = places.filter(({ partner_id }) => partner_id === id);
		const old = its.filter((place) => place.state === "closed");
		const [open, second] = its.filter((place) => place.state !== "closed");
		const isOpen = open?.state === "open" && open.database === home && !second;
		if (!isOpen || !["open", "moved"].includes(state))
			broken.push(`place: ${id} is ${state} in ${home}, its places are ${JSON.stringify(its)}`);
		const kept = old.length > 0 ? new Set(await readRows(service, id, home)) : null;
		for (const { database } of old)
			for (const row of await readRows(service, id, database))
				if (!kept!.has(row)) broken.push(`place: ${row} of ${id} was left behind in ${database}`);
	}
	return broken;
}

function selectPlaces(database: number): string {
	return `SELECT partner_id, state, ${database} AS database FROM partner_places`;
}

/** Names all rows of a partner in a database that stay. */
async function readRows(service: ServiceProcess, id: string, database: number): Promise<string[]> {
	const each = STAYING.map(
		({ name, owner, key }) =>
			`(SELECT json_group_array('${name} ' || json_array(${key.join(", ")})) FROM ${name} WHERE ${owner} = '${id}')`,
	);
	const sql = `SELECT json_array(${each.join(", ")}) AS names`;
	const [row] = await service.ask<{ names: string }[]>("select", { sql, database });
	return (JSON.parse(row!.names) as string[][]).flat();
}
