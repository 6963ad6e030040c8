import type { Journal } from "./journal.ts";
import { DATABASES } from "./partners.ts";
import type { Random } from "./random.ts";
import { ServiceDied, type ServiceProcess } from "./service-process.ts";
import type { Direction } from "./steps.ts";
import type { Stock } from "./stock.ts";

/* Partners move to another database and back while clients call. */

interface Place {
	partner_id: string;
	database: number;
	state: string;
}

interface Moving {
	service: ServiceProcess;
	journal: Journal;
	random: Random;
	stock: Stock;
	isOver: () => boolean;
}

/** Longest time after which a mover turns back on its way. Milliseconds. */
const TURNS_BACK_MS = 1_000;
/** Milliseconds after which a freeze is given up, and more. */
const LONG_MS = 120_000;

/** Moves one partner there and back until the service dies, or the load is over. */
export async function moveMeanwhile(moving: Moving, direction: Direction): Promise<void> {
	const { service, journal, random, stock, isOver } = moving;
	const partnerOf = ({ partner_id }: Place) => stock.partners.find(({ id }) => id === partner_id)!;
	const isAway = (place: Place) => place.database !== partnerOf(place).database;
	try {
		const places = await readDirectory(service);
		const likely = places.filter((place) => isAway(place) === (direction === "back"));
		const again = likely.filter(({ state }) => state === "moved");
		stock.moving = partnerOf(random.pick([again, likely, places].find((some) => some.length > 0)!));
		const partnerId = stock.moving.id;
		while (!isOver()) {
			const place = await readPlace(service, partnerId);
			const others = Array.from({ length: DATABASES }, (_, n) => n + 1).filter((n) => n !== place.database);
			const wish = place.state === "moved" ? ("back" as const) : { to: random.pick(others) };
			const way = isAway(place) ? "back" : "away";
			const order = (asked: typeof wish, named: Direction) =>
				service.ask("move", { begin: { partnerId, wish: asked, direction: named } });
			const move: Journal["moves"][number] = { partnerId, from: Date.now(), to: null };
			journal.moves.push(move);
			if (direction === "given up") {
				const begun = order(wish, direction).finally(() => {
					move.to = Date.now();
				});
				// It is awaited further down.
				begun.catch(() => undefined);
				while (move.to === null && (await readPlace(service, partnerId)).state !== "moving");
				await new Promise((resolve) => setTimeout(resolve, random.below(TURNS_BACK_MS)));
				await Promise.all([begun, order("back", direction)]);
			} else await order(wish, way);
			move.to = Date.now();
		}
	} catch (error) {
		if (!(error instanceof ServiceDied)) throw error;
	} finally {
		stock.moving = null;
	}
}

/** Carries on every move that a crash broke off, as the cron does. @param isLate - a freeze that has begun is over */
export async function endMoves(
	service: ServiceProcess,
	{ moves }: Journal,
	isLate: boolean,
): Promise<string[]> {
	const left = await service.ask<string[]>("move", { passed: isLate ? LONG_MS : 0 });
	for (const move of moves) move.to ??= Date.now();
	return left.map((id) => `place: ${id} is on its way and comes to no end`);
}

async function readPlace(service: ServiceProcess, id: string): Promise<Place> {
	return (await readDirectory(service)).find(({ partner_id }) => partner_id === id)!;
}

export function readDirectory(service: ServiceProcess): Promise<Place[]> {
	return service.ask("select", {
		sql: "SELECT partner_id, database, state FROM directory_partners",
		database: 1,
	});
}
