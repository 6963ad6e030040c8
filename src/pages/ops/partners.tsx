import { type PartnerRow, selectPartner } from "../../db/partners.ts";
import { query } from "../../db/query.ts";
import { findHome } from "../../directory.ts";
import { listAllPartners } from "../../services/all-partners.ts";
import { FIND, LISTS } from "../../texts/console-find.ts";
import { OPS_CONSOLE } from "../../texts/ops-console.ts";
import { ADDRESSES, CHECKS, OPS_PARTNERS as T } from "../../texts/ops-console-partners.ts";
import { presentPartner } from "../../wire/partner.ts";
import { StatusBadge } from "../kit/badge.tsx";
import type { Call } from "../kit/call.ts";
import { Field } from "../kit/forms.tsx";
import { sayIn } from "../kit/language.ts";
import { ClearFilters } from "../kit/list-form.tsx";
import { Nothing } from "../kit/nothing.tsx";
import { Table, Toolbar } from "../kit/parts.tsx";
import { may, page, show } from "./console.tsx";
import { filterOf, isNamed, PARTNER_FILTERS } from "./partner-filters.ts";

/** Every partner: the checks of its validations, the address of its certificates. */
export const partnersPages = [
	page("/partners", { trips: 1 }, async (c) => {
		const say = sayIn(c);
		const only = filterOf(c.req.query("only"));
		const { partners: all } = await listAllPartners(c.get("platform"));
		const name = c.req.query("name") ?? "";
		const named = all.filter(isNamed(name));
		const partners = only ? named.filter(PARTNER_FILTERS[only].has) : named;
		const path = "/ops/console/partners";
		return show(
			c,
			{ title: OPS_CONSOLE.partners },
			<>
				<Toolbar action={path}>
					<Field name="name" label={say(FIND.nameHas)} value={name} maxlength={100} />
					<button type="submit">{say(LISTS.filter)}</button>
					<ClearFilters c={c} path={path} />
				</Toolbar>
				<ul class="filters">
					<li>
						<a href={path} {...(only === null && { "aria-current": "true" })}>
							{say(T.all)}
						</a>
					</li>
					{Object.entries(PARTNER_FILTERS).map(([name, { label }]) => (
						<li>
							<a href={`${path}?only=${name}`} {...(only === name && { "aria-current": "true" })}>
								{say(label)}
							</a>
						</li>
					))}
				</ul>
				<Table
					caption={`${say(only ? PARTNER_FILTERS[only].label : T.all)}: ${partners.length}`}
					columns={[T.name, T.mode, T.checks, T.address, OPS_CONSOLE.state].map(say)}
					rows={partners.map((partner) => rowOf(c, partner))}
					empty={<Nothing c={c} of="partners" clear={only || name ? path : null} />}
				/>
				{may(c, "operate") && (
					<p>
						<a href={`${path}/new`}>{say(T.create)}</a>
					</p>
				)}
			</>,
		);
	}),
];

function rowOf(c: Call, partner: PartnerRow) {
	const { id, name, mode, suspended } = presentPartner(partner);
	return [
		<a href={`/ops/console/partners/${id}`}>{name}</a>,
		mode,
		checksOf(c, partner),
		addressOf(c, partner),
		<StatusBadge c={c} status={suspended ? "suspended" : "on"} />,
	];
}

/** Names the checks of the partner's validations. */
export function checksOf(c: Call, partner: PartnerRow): string {
	const { identity_checks } = presentPartner(partner);
	return identity_checks.map((check) => sayIn(c)(CHECKS[check])).join(", ");
}

/** Names the address of its certificates; a dash in B2C. */
export function addressOf(c: Call, partner: PartnerRow): string {
	const { delivery_address } = presentPartner(partner);
	return sayIn(c)(delivery_address ? ADDRESSES[delivery_address] : OPS_CONSOLE.nothing);
}

/** Links to a partner by its name. */
export async function partnerLink(c: Call, id: string) {
	const home = await findHome(c.get("platform"), id);
	const [partner] = home ? await query(selectPartner(home.db, id)) : [];
	return <a href={`/ops/console/partners/${id}`}>{partner?.name ?? id}</a>;
}
