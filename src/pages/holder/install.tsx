import { Hono } from "hono";
import type { Child } from "hono/jsx";
import { readUserAgent } from "../../domain/browser-name.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { INSTALL as T } from "../../texts/install.ts";
import { SYSTEMS, type SystemName } from "../../texts/install-systems.ts";
import type { Call } from "../kit/call.ts";
import { chooseLanguage, sayIn } from "../kit/language.ts";
import { answerPage } from "../kit/layout.tsx";
import { FileDrawing, SystemDrawing } from "./drawings.tsx";

/* `/instalar`: what the file is, where it went, how it is installed and used, and what nobody here promises. */

export const installPages = new Hono<AppEnv>();

installPages.get("/instalar", chooseLanguage(null), (c) => {
	const say = sayIn(c);
	const own = sectionOf(c.req.header("user-agent") ?? "");
	const systems = Object.keys(SYSTEMS) as SystemName[];
	const sections = [
		{ id: "archivo", title: T.fileTitle, content: [<FileDrawing />, ...paragraphs(c, T.file)] },
		{
			id: "donde",
			title: T.whereTitle,
			content: (
				<ul>
					{T.where.map((text) => (
						<li>{say(text)}</li>
					))}
				</ul>
			),
		},
		{
			id: "instalar",
			title: T.installTitle,
			content: [
				...paragraphs(c, [T.install, T.systems]),
				<div class="systems">
					{systems
						.toSorted((a, b) => Number(b === own) - Number(a === own))
						.map((system, at) => (
							<System c={c} system={system} open={at === 0} />
						))}
				</div>,
				...paragraphs(c, [T.refused]),
			],
		},
		{
			id: "sii",
			title: T.useTitle,
			content: [...paragraphs(c, [T.use]), steps(c, T.useSteps), ...paragraphs(c, [T.usePrograms])],
		},
		{ id: "promesa", title: T.promiseTitle, content: paragraphs(c, T.promise) },
		{
			id: "perdida",
			title: T.lostTitle,
			content: [
				...paragraphs(c, [T.lost]),
				<p>
					<a class="button" href={`/revocar?lang=${c.get("language")}`}>
						{say(T.revoke)}
					</a>
				</p>,
			],
		},
	];
	return answerPage(c, {
		title: say(T.title),
		name: say(T.title),
		console: null,
		children: (
			<>
				<nav class="contents" aria-label={say(T.contents)}>
					<ul>
						{sections.map(({ id, title }) => (
							<li>
								<a href={`#${id}`}>{say(title)}</a>
							</li>
						))}
					</ul>
				</nav>
				{sections.map(({ id, title, content }) => (
					<section id={id} aria-labelledby={`${id}-title`}>
						<h2 id={`${id}-title`}>{say(title)}</h2>
						{content}
					</section>
				))}
			</>
		),
	});
});

/** The section of a visitor's system; on a computer Firefox has its own, since it keeps certificates itself. */
function sectionOf(userAgent: string): SystemName {
	const { browser, system } = readUserAgent(userAgent);
	if (system === "iPhone" || system === "iPad") return "iphone";
	if (system === "Android") return "android";
	if (browser === "Firefox") return "firefox";
	return system === "macOS" ? "macos" : "windows";
}

function System({ c, system, open }: { c: Call; system: SystemName; open: boolean }) {
	const say = sayIn(c);
	const { name, usedBy, drawn, steps: todo } = SYSTEMS[system];
	return (
		<details id={system} open={open}>
			<summary>{say(name)}</summary>
			<SystemDrawing system={system} words={drawn.map(say)} />
			{steps(c, todo)}
			<p>{say(usedBy)}</p>
		</details>
	);
}

type Texts = readonly Parameters<ReturnType<typeof sayIn>>[0][];

function steps(c: Call, texts: Texts): Child {
	return (
		<ol>
			{texts.map((text) => (
				<li>{sayIn(c)(text)}</li>
			))}
		</ol>
	);
}

function paragraphs(c: Call, texts: Texts): Child[] {
	return texts.map((text) => <p>{sayIn(c)(text)}</p>);
}
