import type { State } from "../../../src/wire/session.ts";
import { request } from "./calls.ts";
import type { Answer } from "./journal.ts";
import { ServiceDied } from "./service-process.ts";
import { isRateLimited, type Load, maybeKey, redeemable, waitForRate } from "./stock.ts";
import {
	download,
	endSession,
	makeSession,
	open,
	type Session,
	save,
	signOn,
	submit,
} from "./widget-calls.ts";

/* Holders in the widget, by what the frame sends: from wherever their session is, on to its end, or away before it. */

type Step = State["steps"][number];

/** The holder of a B2C partner's code, from first to last. */
export async function goThroughWidget(load: Load): Promise<void> {
	const session = await newSession(load, "B2C", true);
	if (session) await goOn(load, session, true);
}

/** A new session, or one that was left; its holder may leave it, too. */
export async function visitWidget(load: Load): Promise<void> {
	const { random, stock } = load;
	const at = random.below(stock.left.length);
	const [left] = random.chance(0.5) ? stock.left.splice(at, 1) : [];
	const session = left ?? (await newSession(load, random.chance(0.7) ? "B2C" : "B2B", random.chance(0.9)));
	if (session) await goOn(load, session, false);
}

/** A session that its partner ends again, most of them once the holder has come. */
export async function withdrawSession(load: Load): Promise<void> {
	const { client, random } = load;
	const session = await newSession(load, random.chance(0.7) ? "B2C" : "B2B", true);
	if (session && (random.chance(0.2) || isOk(await open(client, session)))) await endSession(client, session);
}

async function newSession(load: Load, mode: "B2C" | "B2B", claims: boolean): Promise<Session | null> {
	const { client, random } = load;
	const idempotencyKey = maybeKey(random, 0.5);
	const options = { idempotencyKey, withPrefill: random.chance(0.3), claims };
	return makeSession(client, await redeemable(load, mode), options);
}

/** @param wholeWay - nobody leaves it. */
async function goOn(load: Load, session: Session, wholeWay: boolean): Promise<void> {
	try {
		const opened = await open(load.client, session);
		const { status, body } = opened;
		if (status !== 200) return;
		const state = body.data as State;
		if (state.status === "open") {
			if (!(await typeAll(load, session, state))) return;
			if (!wholeWay && (await leaves(load, session))) return;
			const submitted = await submit(load.client, session, { terms: state.terms.version });
			if (isRateLimited(submitted)) return await putBack(load, session);
			if (submitted.status !== 200) return;
		}
		if (state.claim) await takeCertificate(load, session);
		if (load.random.chance(0.15)) load.stock.cancellable.push(session);
	} catch (error) {
		if (error instanceof ServiceDied) load.stock.left.push(session);
		throw error;
	}
}

async function putBack({ stock }: Load, session: Session): Promise<void> {
	stock.left.push(session);
	await waitForRate();
}

/** Types what is not there yet, step by step. @returns false: the session went no further. */
async function typeAll({ client, random }: Load, session: Session, state: State): Promise<boolean> {
	const { holder } = session;
	const wrongCard = holder.cardSerial.replace(/^0/, "9");
	const typed: Partial<Record<Step, Record<string, string>>> = {
		rut: { dni: holder.rut },
		card: { serialNumber: holder.cardSerial },
		name: { names: holder.names, fLastname: "Prueba", mLastname: "Sandbox", phone: "+56912345678" },
		email: { email: holder.email },
	};
	const saved = new Map(Object.entries(state.answers));
	const isGuess = state.steps.includes("card") && random.chance(0.1);
	for (const step of state.steps) {
		if (step === "sign_on" && state.sign_on !== "verified") await signOn(client, session);
		const answers = Object.entries(typed[step] ?? {});
		if (answers.every(([name, value]) => saved.get(name) === value)) continue;
		if (!isOk(await save(client, session, { step, ...typed[step] }))) return false;
	}
	if (!isGuess) return true;
	if (!isOk(await save(client, session, { serialNumber: wrongCard }))) return false;
	await submit(client, session, { terms: state.terms.version, isGuess });
	return isOk(await save(client, session, { serialNumber: holder.cardSerial }));
}

/** Some holders go no further in this session, for one of the reasons there are. */
async function leaves(load: Load, session: Session): Promise<boolean> {
	const { client, random, stock } = load;
	const fate = random.below(20);
	if (fate < 2) await endSession(client, session);
	else if (fate < 4) {
		const newer = await makeSession(client, session, {
			idempotencyKey: null,
			withPrefill: false,
			claims: true,
		});
		if (newer) stock.left.push(newer);
	} else if (fate < 5) await request(client, session, { idempotencyKey: null });
	if (fate < 7) stock.left.push(session);
	return fate < 7;
}

/** The file, and again while the session lasts. */
async function takeCertificate({ client, random }: Load, session: Session): Promise<void> {
	const times = random.chance(0.25) ? 2 : 1;
	await Promise.all(Array.from({ length: times }, () => download(client, session)));
	if (random.chance(0.5)) await download(client, session);
}

function isOk({ status }: Answer): boolean {
	return status === 200;
}
