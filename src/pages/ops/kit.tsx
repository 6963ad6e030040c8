import { DAY_MS } from "../../domain/durations.ts";
import { errorAnswer } from "../../http/errors.ts";
import { KIT_PAGE as T } from "../../texts/kit.ts";
import { STATUS_WORDS, type Status } from "../../texts/status-words.ts";
import { RECEIPT } from "../../texts/widget-receipt.ts";
import { StatusBadge } from "../kit/badge.tsx";
import type { Call } from "../kit/call.ts";
import { DayChart, Sparkline } from "../kit/chart.tsx";
import { CopyAll, Copyable, Print } from "../kit/copyable.tsx";
import { Choices, Field, PostForm, Select } from "../kit/forms.tsx";
import { sayIn } from "../kit/language.ts";
import {
	Card,
	EmptyState,
	Facts,
	Figure,
	Figures,
	Notice,
	Pager,
	Table,
	Time,
	Toolbar,
} from "../kit/parts.tsx";
import { Receipt } from "../kit/receipt.tsx";
import { page, show } from "./console.tsx";

/* `/ops/console/kit`: each part of the pages once, for who builds and looks at them; not in prod. Its forms lead nowhere. */

const KIT = "/ops/console/kit";

const SAMPLE = {
	holder: { name: "ANA MARÍA ROJAS DÍAZ", rut: "XX.XXX.111-1" },
	seller: "Librería Alerce",
	serialNumber: "4F0C6D1E9A3B5C7D8E9F0A1B2C3D4E5F",
	validFrom: Date.UTC(2026, 10, 21),
	validTo: Date.UTC(2027, 10, 21),
	revokedAt: null,
};

export const kitPages = [
	page("/kit", { trips: 0 }, (c) =>
		c.get("platform").settings.environment === "prod"
			? errorAnswer(c, "not_found")
			: show(
					c,
					{ title: T.title },
					<>
						<p>{sayIn(c)(T.introduction)}</p>
						<Words c={c} />
						<Lists c={c} />
						<Numbers c={c} />
						<Filled c={c} />
						<Card title={sayIn(c)(RECEIPT.title)}>
							<Receipt c={c} receipt={SAMPLE} />
						</Card>
					</>,
				),
	),
];

function Words({ c }: { c: Call }) {
	const say = sayIn(c);
	return (
		<>
			<Card title={say(T.statuses)}>
				<p id="statuses">
					{(Object.keys(STATUS_WORDS) as Status[]).map((status) => (
						<>
							<StatusBadge c={c} status={status} />{" "}
						</>
					))}
				</p>
			</Card>
			{(["done", "problem", "warning", "info"] as const).map((kind) => (
				<Notice kind={kind}>
					<p>{say(T[kind])}</p>
				</Notice>
			))}
		</>
	);
}

function Lists({ c }: { c: Call }) {
	const say = sayIn(c);
	const language = c.get("language");
	const now = c.get("platform").clock();
	const statuses = ["emitido", "bloqueado", "sin_utilizar"] as const;
	return (
		<>
			<Toolbar action={KIT}>
				<Field name="text" label={say(T.field)} />
				<Field name="day" type="date" label={say(T.day)} />
				<button type="submit">{say(T.button)}</button>
				<CopyAll of="codes" label={say(T.copyAll)} />
				<Print label={say(T.print)} />
			</Toolbar>
			<div id="codes">
				<Table
					caption={say(T.list)}
					columns={[T.code, T.status, T.day].map(say)}
					rows={statuses.map((status, i) => [
						<Copyable text={`7K4M9Q2XWT8${i + 1}`} language={language} href={KIT} />,
						<StatusBadge c={c} status={status} />,
						<Time at={now - i * DAY_MS} locale={language} />,
					])}
					empty=""
				/>
			</div>
			<Pager locale={language} previous={KIT} next={KIT}>
				{say(T.list)}
			</Pager>
			<EmptyState title={say(T.nothing)} next={{ href: KIT, label: say(T.button) }}>
				{say(T.nothingYet)}
			</EmptyState>
		</>
	);
}

function Numbers({ c }: { c: Call }) {
	const say = sayIn(c);
	const values = [3, 8, 5, 0, 12, 9, 14, 11, 2, 7, 13, 18, 16, 21];
	const today = c.get("platform").clock();
	const days = values.map((n, i) => ({
		day: new Date(today - (values.length - 1 - i) * DAY_MS).toISOString().slice(0, 10),
		n,
	}));
	return (
		<>
			<Figures>
				<Figure value="1.204" label={say(T.figure)} href={KIT} change={18} />
				<Figure value="7" label={say(T.figure)} change={-3} />
				<Figure value="0" label={say(T.figure)} />
			</Figures>
			<DayChart days={days} label={say(T.chart)} language={c.get("language")} />
			<Card title={say(T.card)} action={<a href={KIT}>{say(T.button)}</a>}>
				<Facts
					facts={[
						[say(T.field), "7K4M"],
						[say(T.chart), <Sparkline values={values} label={`${say(T.chart)}: ${values.join(", ")}`} />],
					]}
				/>
			</Card>
		</>
	);
}

function Filled({ c }: { c: Call }) {
	const say = sayIn(c);
	const options = [
		{ value: "1", label: say(T.one), hint: say(T.hint) },
		{ value: "2", label: say(T.other) },
	];
	return (
		<PostForm action={KIT} csrf={c.get("csrf")}>
			<Field name="kept" label={say(T.field)} hint={say(T.hint)} value="7K4M" />
			<Field name="wrong" label={say(T.field)} problem={say(T.problem)} autofocus={false} />
			<Select name="select" label={say(T.choice)} options={options} />
			<Choices name="several" label={say(T.choice)} options={options} chosen={["1"]} />
			<button type="submit">{say(T.button)}</button>{" "}
			<button class="quiet" type="button">
				{say(T.button)}
			</button>{" "}
			<button class="danger" type="button">
				{say(T.button)}
			</button>{" "}
			<button class="plain" type="button">
				{say(T.button)}
			</button>
		</PostForm>
	);
}
