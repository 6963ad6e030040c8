/* Adds to a page of the guide, which is whole without: search, copy buttons, the reader's language in all examples. */

const WORDS = {
	es: { copied: "Copiado", none: "No se encontró nada", found: "resultados" },
	en: { copied: "Copied", none: "Nothing found", found: "results" },
}[document.documentElement.lang.slice(0, 2)];
const SHOWN = 8;
/** Words of every page: with them an excerpt would show them in place of what was asked. */
const COMMON =
	/(?<!\S)(de|del|la|el|los|las|un|una|y|o|a|al|en|con|por|para|que|se|su|the|of|an|in|on|to|for|and|or|is|it|by|with)(?!\S)/gi;
const status = document.querySelector("[role=status]");
const form = document.querySelector("[role=search]");
const field = form.querySelector("input");
const results = document.getElementById("results");

for (const button of document.querySelectorAll(".copy")) {
	const label = button.textContent;
	button.hidden = false;
	button.addEventListener("click", async () => {
		await navigator.clipboard.writeText(button.parentElement.querySelector("code").textContent);
		button.textContent = status.textContent = WORDS.copied;
		setTimeout(() => {
			button.textContent = label;
			status.textContent = "";
		}, 2000);
	});
}

const tabs = [...document.querySelectorAll(".tabs input")];
const choose = (label) => {
	for (const tab of tabs) if (tab.value === label) tab.checked = true;
};
choose(localStorage.getItem("language"));
for (const tab of tabs)
	tab.addEventListener("change", () => {
		choose(tab.value);
		localStorage.setItem("language", tab.value);
	});

const contents = document.querySelector("#contents details");
if (contents) contents.open = matchMedia("(min-width: 80rem)").matches;

form.hidden = false;
let pagefind;
async function begin() {
	const loaded = await import("/docs/pagefind/pagefind.js");
	// Who types a call's name wants its page before those that mention it.
	await loaded.options({ baseUrl: "/", ranking: { metaWeights: { call: 20 } } });
	return loaded;
}
function load() {
	pagefind ??= begin();
	return pagefind;
}
field.addEventListener("focus", load, { once: true });
field.addEventListener("input", async () => {
	const found = await (await load()).debouncedSearch(field.value.replaceAll(COMMON, ""), {}, 150);
	// A later letter has begun a search of its own.
	if (found) await show(found.results);
});
form.addEventListener("submit", (event) => {
	event.preventDefault();
	results.querySelector("a")?.focus();
});
document.addEventListener("keydown", (event) => {
	const { key, target } = event;
	if (key === "/" && !target.closest("input, textarea")) {
		event.preventDefault();
		field.focus();
	}
	if (key === "Escape" && !results.hidden) {
		results.hidden = true;
		field.focus();
	}
	const places = [field, ...results.querySelectorAll("a")];
	const step = { ArrowDown: 1, ArrowUp: -1 }[key];
	if (!step || results.hidden || !places.includes(target)) return;
	event.preventDefault();
	places[places.indexOf(target) + step]?.focus();
});

/** Shows the first pages, each with the sections that fit best. */
async function show(all) {
	const asked = field.value;
	const pages = await Promise.all(all.slice(0, SHOWN).map((one) => one.data()));
	if (field.value !== asked) return;
	const list = document.createElement("ol");
	for (const { url, meta, excerpt, sub_results } of pages) {
		const item = document.createElement("li");
		const sections = sub_results.filter(({ title }) => title !== meta.title).slice(0, 2);
		item.append(linkTo(url, meta.title), marked(sections[0]?.excerpt ?? excerpt));
		item.append(...sections.map((section) => linkTo(section.url, section.title)));
		list.append(item);
	}
	status.textContent = all.length === 0 ? WORDS.none : `${all.length} ${WORDS.found}`;
	const said = document.createElement("p");
	said.textContent = status.textContent;
	results.replaceChildren(said, list);
	results.hidden = asked.trim() === "";
}

function linkTo(url, text) {
	const link = document.createElement("a");
	link.href = url;
	link.textContent = text;
	return link;
}

/** Pagefind's excerpt: escaped text with <mark> around what was asked for. */
function marked(excerpt) {
	const paragraph = document.createElement("p");
	paragraph.innerHTML = excerpt;
	return paragraph;
}
