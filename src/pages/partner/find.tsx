import type { Child } from "hono/jsx";
import type { FoundOwn } from "../../db/find.ts";
import { type PartnerCaller, partnerCaller } from "../../services/caller.ts";
import { findOwn } from "../../services/find-things.ts";
import { FIND as T } from "../../texts/console-find.ts";
import { fill, type Text } from "../../texts/language.ts";
import type { Call } from "../kit/call.ts";
import { Found, NothingFound, oneOf, type Sought, soughtIn } from "../kit/find.tsx";
import { PostForm } from "../kit/forms.tsx";
import { sayIn } from "../kit/language.ts";
import { shownOnce } from "../kit/shown-once.ts";
import { Certificates } from "./certificates.tsx";
import { CodesTable } from "./codes.tsx";
import { page, post, show } from "./console.ts";
import { addressOf } from "./filters.ts";

const PATH = "/console/find";

/** The search of every page and its results. The text may be a RUT: it is posted, and in no address. */
export const findPages = [
	post("/find", {}, async (c, form) => {
		const text = soughtIn(form);
		const found = await findOwn(partnerCaller(c), text);
		const one = oneOf(addressesOf(found));
		return one ? { to: one } : { to: PATH, shown: { text } satisfies Sought };
	}),

	page("/find", { trips: 2 }, async (c) => {
		const caller = partnerCaller(c);
		const once = await shownOnce<Sought>(c);
		const text = once?.shown.text ?? "";
		const found = await findOwn(caller, text);
		return show(
			c,
			{ title: T.title },
			addressesOf(found).length === 0 ? (
				<NothingFound c={c} text={text} ways={T.ownWays} />
			) : (
				<Results c={c} text={text} found={found} caller={caller} />
			),
		);
	}),
];

function addressesOf({ codes, referenced, batches, ofSerial, ofRut }: FoundOwn): string[] {
	return [
		...[...(codes ?? []), ...(referenced ?? [])].map(({ code }) => `/console/codes/${code}`),
		...(batches ?? []).map(({ id }) => listOfBatch(id)),
		...[...(ofSerial ?? []), ...(ofRut ?? [])].map(({ serial }) => `/console/certificates/${serial}`),
	];
}

function listOfBatch(id: string): string {
	return addressOf("/console/codes", { batch_id: id });
}

interface ResultsProps {
	c: Call;
	text: string;
	found: FoundOwn;
	caller: PartnerCaller;
}

function Results({ c, text, found, caller: { now } }: ResultsProps) {
	const say = sayIn(c);
	const all = (href: string): Child => <a href={href}>{say(T.all)}</a>;
	const ofRut = (
		<PostForm action="/console/certificates/search" csrf={c.get("csrf")}>
			<input type="hidden" name="dni" value={text} />
			<button class="plain" type="submit">
				{say(T.all)}
			</button>
		</PostForm>
	);
	const codes = (found: FoundOwn["codes"], caption: Text, whole: Child) => (
		<Found c={c} rows={found} whole={whole}>
			{(shown) => <CodesTable c={c} codes={shown} now={now} caption={caption} />}
		</Found>
	);
	const certificates = (found: FoundOwn["ofRut"], caption: Text) => (
		<Found c={c} rows={found} whole={ofRut}>
			{(shown) => <Certificates c={c} certificates={shown} now={now} caption={caption} />}
		</Found>
	);
	return (
		<>
			<p>{say(fill(T.found, { text }))}</p>
			{codes(found.codes, T.byPrefix, say(T.narrow))}
			{codes(
				found.referenced,
				T.byReference,
				all(addressOf("/console/codes", { external_reference_id: text })),
			)}
			{found.batches?.map(({ id, product, quantity }) => (
				<p>
					{say(T.batch)} <a href={listOfBatch(id)}>{id}</a>: {say(fill(T.batchOf, { n: quantity, product }))}
				</p>
			))}
			{certificates(found.ofSerial, T.bySerial)}
			{certificates(found.ofRut, T.byRut)}
		</>
	);
}
