import type { FoundAny } from "../../db/find.ts";
import { readRut } from "../../domain/rut.ts";
import { opsCaller } from "../../services/caller.ts";
import { findAny } from "../../services/find-things.ts";
import { FIND as T } from "../../texts/console-find.ts";
import { fill } from "../../texts/language.ts";
import { OPS_CONSOLE } from "../../texts/ops-console.ts";
import type { Call } from "../kit/call.ts";
import { Copyable } from "../kit/copyable.tsx";
import { Found, NothingFound, oneOf, type Sought, soughtIn } from "../kit/find.tsx";
import { sayIn } from "../kit/language.ts";
import { Notice, Table } from "../kit/parts.tsx";
import { shownOnce } from "../kit/shown-once.ts";
import { may, page, post, show } from "./console.tsx";

const BASE = "/ops/console";

/** The search of every page: a partner, a code, a certificate. Holders have a page of their own, which asks for a reason. */
export const findPages = [
	post("/find", { right: "read" }, async (c, form) => {
		const text = soughtIn(form);
		const one = oneOf(addressesOf(await findAny(opsCaller(c), text)));
		return one ? { to: one } : { to: `${BASE}/find`, shown: { text } satisfies Sought };
	}),

	page("/find", { trips: 1 }, async (c) => {
		const once = await shownOnce<Sought>(c);
		const text = once?.shown.text ?? "";
		const found = await findAny(opsCaller(c), text);
		const isNone = addressesOf(found).length === 0;
		return show(
			c,
			{ title: T.title },
			<>
				{isNone ? (
					<NothingFound c={c} text={text} ways={T.opsWays} />
				) : (
					<Results c={c} text={text} found={found} />
				)}
				<Elsewhere c={c} text={text} />
			</>,
		);
	}),
];

function addressesOf({ partner, partners, codes, certificates }: FoundAny): string[] {
	return [
		...[...(partner ?? []), ...(partners ?? [])].map(({ id }) => `${BASE}/partners/${id}`),
		...(codes ?? []).map(({ code }) => `${BASE}/codes/${code}`),
		...(certificates ?? []).map(({ serial }) => `${BASE}/certificates/${serial}`),
	];
}

function Results({ c, text, found }: { c: Call; text: string; found: FoundAny }) {
	const say = sayIn(c);
	const locale = c.get("language");
	const partner = ({ id, name }: { id: string; name: string }) => (
		<a href={`${BASE}/partners/${id}`}>{name}</a>
	);
	const ofPartner = (path: string, number: string, of: { partnerId: string; partnerName: string }) => [
		<Copyable text={number} language={locale} href={`${BASE}/${path}/${number}`} />,
		partner({ id: of.partnerId, name: of.partnerName }),
	];
	return (
		<>
			<p>{say(fill(T.found, { text }))}</p>
			{[found.partner, found.partners].map((rows) => (
				<Found c={c} rows={rows} whole={<NamesLink c={c} text={text} />}>
					{(shown) => (
						<Table
							caption={say(OPS_CONSOLE.partners)}
							columns={[say(OPS_CONSOLE.partner), "id"]}
							rows={shown.map((row) => [partner(row), <Copyable text={row.id} language={locale} />])}
							empty=""
						/>
					)}
				</Found>
			))}
			<Found c={c} rows={found.codes} whole={say(T.narrow)}>
				{(shown) => (
					<Table
						caption={say(T.byPrefix)}
						columns={[OPS_CONSOLE.code, OPS_CONSOLE.partner].map(say)}
						rows={shown.map((row) => ofPartner("codes", row.code, row))}
						empty=""
					/>
				)}
			</Found>
			<Found c={c} rows={found.certificates} whole="">
				{(shown) => (
					<Table
						caption={say(T.bySerial)}
						columns={[OPS_CONSOLE.serial, OPS_CONSOLE.partner].map(say)}
						rows={shown.map((row) => ofPartner("certificates", row.serial, row))}
						empty=""
					/>
				)}
			</Found>
		</>
	);
}

/** Leads on from a text: a RUT to the holders' page, any other within the names of partners, since no address is to have a RUT. */
function Elsewhere({ c, text }: { c: Call; text: string }) {
	const say = sayIn(c);
	const reading = readRut(text);
	if (text === "") return null;
	if (!reading.ok && reading.problem === "shape")
		return (
			<p>
				<NamesLink c={c} text={text} />
			</p>
		);
	return (
		<Notice kind="info">
			<p>
				{say(T.holders)} {may(c, "operate") && <a href={`${BASE}/holders`}>{say(T.toHolders)}</a>}
			</p>
		</Notice>
	);
}

function NamesLink({ c, text }: { c: Call; text: string }) {
	return <a href={`${BASE}/partners?${new URLSearchParams({ name: text })}`}>{sayIn(c)(T.inNames)}</a>;
}
