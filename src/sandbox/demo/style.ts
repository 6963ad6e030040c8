export const STYLE = `
:root {
	color-scheme: light dark;
	--paper: light-dark(#fbf8f2, #16181a); --card: light-dark(#fff, #1f2326); --ink: light-dark(#22281f, #ecebe4);
	--soft: light-dark(#5b6357, #a8aea3); --line: light-dark(#e2ddd0, #363c3f); --green: light-dark(#1f5c43, #7cc9a5);
	--on-green: light-dark(#fff, #10231a); --dark: #14211b; --on-dark: #dfeee5;
	font: 1.0625rem/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper);
}
* { box-sizing: border-box; }
body { margin: 0; overflow-wrap: break-word; }
[hidden] { display: none !important; }
a { color: var(--green); }
:focus-visible { outline: 3px solid var(--green); outline-offset: 3px; }
.ribbon { margin: 0; padding: .4rem 1rem; text-align: center; font-size: .875rem; background: var(--dark); color: var(--on-dark); }
header, main { max-width: 74rem; margin: 0 auto; padding: 0 1.25rem; }
header { display: flex; flex-wrap: wrap; gap: 0 1rem; justify-content: space-between; align-items: baseline; padding-block: 1.5rem; }
.shop, h1 { font-family: Georgia, "Iowan Old Style", serif; }
.shop { font-size: 1.35rem; font-weight: 600; color: inherit; text-decoration: none; }
.shop::before { content: ""; display: inline-block; width: .8em; height: .8em; margin-inline-end: .45em; background: var(--green); clip-path: polygon(50% 0, 85% 45%, 68% 45%, 100% 100%, 0 100%, 32% 45%, 15% 45%); }
main { padding-bottom: 4rem; }
h1 { font-size: clamp(1.75rem, 6vw, 3.25rem); line-height: 1.1; letter-spacing: -.015em; margin: clamp(1rem, 5vw, 3.5rem) 0 1rem; text-wrap: balance; }
.introduction { max-width: 38rem; font-size: 1.1875rem; color: var(--soft); margin: 0 0 2rem; text-wrap: pretty; }
fieldset { border: 0; margin: 0 0 1.5rem; padding: 0; min-width: 0; }
legend { font-weight: 600; padding: 0; margin-bottom: .5rem; }
.products { display: grid; grid-template-columns: repeat(auto-fit, minmax(8rem, 1fr)); gap: .75rem; max-width: 48rem; }
.products legend { grid-column: 1 / -1; }
.products label { display: grid; gap: .15rem; padding: 1.1rem; border: 1px solid var(--line); border-radius: .9rem; background: var(--card); cursor: pointer; }
.products label:has(:checked) { border-color: var(--green); box-shadow: inset 0 0 0 1px var(--green); }
.products label:has(:focus-visible) { outline: 3px solid var(--green); outline-offset: 3px; }
.products input { position: absolute; opacity: 0; pointer-events: none; }
.products b { font-size: 1.25rem; }
.products span { color: var(--soft); font-variant-numeric: tabular-nums; }
.buy { font: inherit; font-weight: 600; padding: .85rem 1.6rem; border: 0; border-radius: 99rem; background: var(--green); color: var(--on-green); cursor: pointer; }
.buy:disabled { opacity: .6; cursor: progress; }
#problem { min-height: 1.6em; color: light-dark(#a3261b, #ff9d92); }
details { max-width: 48rem; border-top: 1px solid var(--line); padding-top: 1rem; color: var(--soft); }
summary { cursor: pointer; }
details fieldset { margin: 1rem 0 0; }
details label { display: grid; grid-template-columns: auto 1fr; gap: .6rem; align-items: baseline; padding-block: .15rem; }
#order { display: grid; gap: 1.5rem; align-items: start; }
@media (min-width: 62rem) { #order { grid-template-columns: minmax(0, 1fr) 24rem; } #order aside { position: sticky; top: 1rem; } }
#order > section { min-width: 0; }
.bar { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; justify-content: space-between; align-items: baseline; scroll-margin-top: 1rem; }
h2 { font-size: 1.125rem; margin: 0 0 .75rem; }
#qr { display: block; width: 14rem; max-width: 100%; margin: .75rem 0; border-radius: .6rem; background: #fff; fill: #000; }
code, output, #events { font-family: ui-monospace, monospace; }
code { font-size: .9em; font-weight: 400; color: var(--soft); white-space: nowrap; }
#done:not(:empty) { padding: .75rem 1rem; border-radius: .6rem; background: var(--green); color: var(--on-green); }
#widget { border-radius: 1rem; overflow: hidden; background: var(--card); border: 1px solid var(--line); min-height: 12rem; }
#order aside { padding: 1.25rem; border-radius: 1rem; background: var(--dark); color: var(--on-dark); min-width: 0; font-size: .9375rem; }
#order aside h3 { font-size: .8125rem; font-weight: 500; margin: 1.25rem 0 .35rem; opacity: .75; }
#order aside p { margin: 0; }
output { font-size: 1.25rem; color: #9be0bd; }
#events { list-style: none; margin: 0; padding: 0; max-height: 16rem; overflow: auto; font-size: .8125rem; overflow-wrap: anywhere; }
#events:empty::after { content: attr(data-none); opacity: .75; }
#events li { padding: .3rem 0; border-bottom: 1px solid #ffffff1f; }
#events b { color: #9be0bd; font-weight: 500; }
#events small { opacity: .7; }
.people { list-style: none; margin: .5rem 0 0; padding: 0; font-size: .8125rem; }
.people li { padding: .35rem 0; border-top: 1px solid #ffffff1f; }
.people b { display: block; font-weight: 500; }
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
`;
