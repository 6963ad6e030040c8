import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { SCRIPT_HASH } from "./script.ts";
import { HOLDER_STYLE } from "./style-holder.ts";
import { PARTS_STYLE } from "./style-parts.ts";
import { VALUES } from "./style-values.ts";

/* Style sheet of the pages, from 320 px on, light and dark: its values, the page around its content, and text. */

const PAGE = `
*{box-sizing:border-box}
[hidden]{display:none!important}
html{scroll-padding-top:4.5rem}
body{margin:0;min-height:100vh;background:var(--bg);color:var(--ink);font:.9375rem/1.5 system-ui,sans-serif;overflow-wrap:break-word;-webkit-text-size-adjust:100%}
.skip{position:absolute;left:-100rem;z-index:3}
.skip:focus{left:var(--s4);top:var(--s2);background:var(--paper);padding:var(--s2) var(--s3);border-radius:var(--r1)}
.top{position:sticky;top:0;z-index:2;display:flex;flex-wrap:wrap;gap:var(--s2) var(--s3);align-items:center;min-height:3.5rem;padding:var(--s2) var(--s4);background:var(--paper);border-bottom:1px solid var(--faint)}
.top{font-size:.9375rem}
.top form{margin:0}
.brand{display:flex;align-items:center;gap:var(--s2);min-width:0;color:var(--ink);text-decoration:none;overflow-wrap:anywhere}
.brand b{font-weight:650;letter-spacing:-.01em}
.brand img{flex:none;display:block}
.brand span{color:var(--quiet)}
.top .end{display:flex;align-items:center;gap:var(--s2);margin-inline-start:auto;min-width:0}
.who{max-width:14rem;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.search{position:relative;flex:1 1 14rem;max-width:30rem}
.search .icon{position:absolute;inset:0 auto 0 .65rem;margin:auto;color:var(--quiet)}
.search input:not([type=hidden]){min-height:2.25rem;padding-block:.3rem;padding-inline-start:2.1rem;background:var(--soft);text-overflow:ellipsis}
.menu{border:0;padding:0;margin:0}
nav.pages{font-size:.9375rem}
nav.pages ul{margin:0;padding:0;list-style:none}
nav.pages a{display:flex;align-items:center;gap:.65rem;padding:.45rem .65rem;border-radius:var(--r1);color:var(--quiet);text-decoration:none}
nav.pages a:hover{background:var(--soft);color:var(--ink)}
nav.pages [aria-current]{background:var(--act-soft);color:var(--act);font-weight:600}
nav.pages h2{margin:var(--s4) 0 var(--s1);padding:0 .65rem;font-size:var(--small);font-weight:600;color:var(--quiet)}
[popover]{color:inherit;background:var(--paper);border:1px solid var(--faint);border-radius:var(--r2);padding:var(--s2);box-shadow:0 12px 32px #0003}
nav.pages[popover]{inset:3.75rem auto auto var(--s2);margin:0;width:17rem;max-width:calc(100vw - 1rem);max-height:calc(100vh - 4.5rem)}
.account{inset:3.5rem var(--s3) auto auto;margin:0;min-width:12rem}
.account p{margin:0;padding:.45rem .65rem;max-width:16rem;font-size:var(--small);color:var(--quiet);overflow-wrap:anywhere}
.account a,.account button{display:flex;gap:.65rem;align-items:center;justify-content:start;width:100%;padding:.45rem .65rem;min-height:2.25rem;border:0;border-radius:var(--r1);background:none;color:var(--ink);font:inherit;text-decoration:none;box-shadow:none}
.account a:hover,.account button:hover{background:var(--soft)}
main{max-width:76rem;width:100%;margin:0 auto;padding:var(--s5) var(--s4)}
main:focus{outline:0}
footer{max-width:76rem;margin:0 auto;padding:var(--s4);color:var(--quiet);font-size:var(--small)}
footer p{margin:0}
.shell{display:grid;grid-template-columns:minmax(0,1fr)}
@media (min-width:60rem){
.shell.with{grid-template-columns:15.5rem minmax(0,1fr)}
.with>nav.pages{display:block;position:sticky;top:3.5rem;inset-inline:auto;width:auto;height:calc(100vh - 3.5rem);max-height:none;overflow:auto;padding:var(--s4) var(--s3);background:none;border:0;border-inline-end:1px solid var(--faint);border-radius:0;box-shadow:none}
.menu{display:none}
.with main{padding:var(--s5) 2rem}
.with footer{padding-inline:2rem}}
@media (max-width:40rem){.top{position:static;gap:var(--s2) var(--s1);padding-inline:var(--s2)}.search{order:1;flex-basis:100%;max-width:none}.brand span{display:none}.who{position:absolute;width:1px;clip-path:inset(50%)}.who+.icon{display:none}}
.narrow{font-size:1.0625rem}
.narrow main,.narrow footer{max-width:42rem}
.entry main,.entry footer{max-width:30rem}
@media (min-width:44rem){
.narrow main,.entry main{margin-top:var(--s6);padding:2rem 2.25rem;background:var(--paper);border:1px solid var(--faint);border-radius:var(--r2);box-shadow:var(--lift)}}
@media print{.top,nav.pages,footer,.skip,button,.toolbar,.pager{display:none!important}body{background:none}}
`;

const TEXT = `
h1{font-size:1.5rem;font-weight:650;letter-spacing:-.015em;line-height:1.25;margin:0 0 var(--s5);overflow-wrap:anywhere}
h2{font-size:1.0625rem;font-weight:650;letter-spacing:-.005em;line-height:1.35;margin:2rem 0 var(--s3)}
h3{font-size:.9375rem;font-weight:600;margin:var(--s4) 0 var(--s2)}
p,ul,ol{margin:0 0 var(--s4)}
main>p{max-width:46rem}
a{color:var(--act);text-underline-offset:.2em;text-decoration-thickness:1px;text-decoration-color:color-mix(in srgb,currentColor 40%,transparent)}
a:hover{text-decoration-color:currentColor}
code,.secret{font-family:ui-monospace,"SF Mono","Cascadia Mono",Menlo,Consolas,monospace;font-size:.9em;overflow-wrap:anywhere}
.whole,td time,th time,td code,th code{white-space:nowrap}
.hint{display:block;font-weight:400;color:var(--quiet)}
.icon{width:1.125rem;height:1.125rem;flex:none;fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
svg{max-width:100%}
:focus-visible{outline:3px solid var(--act);outline-offset:2px}
`;

/** Text of twice the size on a telephone. */
const LARGE_TEXT = `
@media (max-width:16rem){
main{padding:var(--s3) var(--s2)}
h1{font-size:1.25rem;hyphens:auto}
code{hyphens:none}
.badge{white-space:normal;border-radius:var(--r1)}}
`;

export const STYLE: string = [VALUES, PAGE, TEXT, PARTS_STYLE, HOLDER_STYLE, LARGE_TEXT]
	.join("")
	.replaceAll("\n", "");

/** Name of the style sheet below `/assets/`: another name for other bytes, so that browsers may keep it. */
export const STYLE_NAME: string = `pages-${bytesToHex(sha256(utf8ToBytes(STYLE))).slice(0, 16)}.css`;

/** This service's style, pictures and forms, and the pages' own script: nothing else, and no frame around it. */
export function policy(): string {
	return `default-src 'none'; style-src 'self'; script-src ${SCRIPT_HASH}; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;
}
