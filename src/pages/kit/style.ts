import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";

/* Style sheet of the pages: from 360 px on, light and dark. */

export const STYLE = `
:root{color-scheme:light dark;--ink:#1b1f24;--paper:#fff;--line:#6b7280;--faint:#d7dbe0;--soft:#f3f4f6;--quiet:#4b5563;--act:#1d4ed8;--on-act:#fff;--bad:#b42318;--good:#146c2e}
@media (prefers-color-scheme:dark){:root{--ink:#eceff3;--paper:#14171b;--line:#9aa3af;--faint:#3a414a;--soft:#22272e;--quiet:#b6bec9;--act:#93b4ff;--on-act:#0b1220;--bad:#ffb4a8;--good:#8fdca5}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
.skip{position:absolute;left:-100rem}
.skip:focus{left:1rem;top:.5rem;background:var(--paper);padding:.25rem .5rem}
.top,nav.pages,main,footer{max-width:72rem;margin:0 auto;padding:.75rem 1rem}
.top{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;align-items:center}
.top b{margin-inline-end:auto}
.top form{margin:0}
.who{color:var(--quiet);overflow-wrap:anywhere}
footer{color:var(--quiet)}
nav.pages{border-block:1px solid var(--faint)}
nav.pages ul{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin:0;padding:0;list-style:none}
nav.pages a{display:inline-block;padding:.25rem 0}
nav.pages [aria-current]{font-weight:700;text-decoration-thickness:3px}
h1{font-size:1.6rem;line-height:1.2;margin:.5rem 0 1rem;overflow-wrap:anywhere}
h2{font-size:1.2rem;margin:2rem 0 .5rem}
a{color:var(--act)}
code,.secret{font-family:ui-monospace,monospace;font-size:.95em;overflow-wrap:anywhere}
.whole{white-space:nowrap}
.secret{display:block;padding:.75rem;background:var(--soft);user-select:all}
.scroll{overflow-x:auto;margin:0 0 1rem}
table{border-collapse:collapse;width:100%}
caption{text-align:start;font-weight:600;padding:.25rem 0}
th,td{text-align:start;vertical-align:top;padding:.5rem .75rem .5rem 0;border-bottom:1px solid var(--faint)}
td form{margin:0}
th[scope=row]{font-weight:600}
dl{display:grid;grid-template-columns:fit-content(45%) minmax(0,1fr);gap:.35rem 1.25rem;margin:0 0 1rem}
dt{color:var(--quiet)}
dd{margin:0;overflow-wrap:anywhere}
@media (max-width:30rem){dl{grid-template-columns:1fr;row-gap:0}dd{margin:0 0 .6rem}}
form{margin:0 0 1.5rem}
.filters{display:flex;flex-wrap:wrap;gap:.75rem 1rem;align-items:end}
.filters .field{margin:0}
ul.filters{padding:0;margin:0 0 1rem;list-style:none}
ul.filters [aria-current]{font-weight:700;text-decoration-thickness:3px}
label,legend{display:block;font-weight:600}
.hint{display:block;font-weight:400;color:var(--quiet);margin:0 0 .3rem}
fieldset{border:0;margin:0;padding:0}
.field{margin:0 0 1.25rem;max-width:40rem}
input:not([type=radio],[type=checkbox]),select,textarea{width:100%;min-height:2.75rem;padding:.5rem;font:inherit;color:inherit;background:var(--paper);border:1px solid var(--line);border-radius:.25rem}
input[type=color]{padding:.25rem;max-width:6rem}
[aria-invalid=true]{border:2px solid var(--bad)!important}
.wrong{color:var(--bad);font-weight:600;margin:.25rem 0}
.choice{display:flex;gap:.6rem;align-items:flex-start;padding:.25rem 0;font-weight:400}
.choice input{width:1.5rem;height:1.5rem;margin:0;flex:none}
button,.button{display:inline-block;min-height:2.75rem;padding:.5rem 1.25rem;font:inherit;font-weight:600;color:var(--on-act);background:var(--act);border:0;border-radius:.25rem;cursor:pointer}
.button{text-decoration:none}
button.plain{color:var(--act);background:none;padding-inline:0;text-decoration:underline;font-weight:400}
button.danger{color:var(--bad);background:none;border:2px solid var(--bad)}
.notice{border-inline-start:.4rem solid var(--good);background:var(--soft);padding:.75rem 1rem;margin:0 0 1.25rem;overflow-wrap:anywhere}
.notice.problem{border-color:var(--bad)}
.notice>:first-child{margin-top:0}
.notice>:last-child{margin-bottom:0}
.figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(9.5rem,1fr));gap:.75rem;padding:0;margin:0 0 1rem;list-style:none}
.figures li{border:1px solid var(--faint);border-radius:.25rem;padding:.75rem}
.figures b{display:block;font-size:1.5rem;line-height:1.2}
.pager{display:flex;gap:1.5rem;align-items:center;margin:0 0 1rem}
summary{cursor:pointer;padding:.5rem 0}
.logo{max-height:4rem;background:#fff;padding:.25rem}
td time,th time,td code,th code{white-space:nowrap}
.filters .hint{flex-basis:100%;margin:0}
.ends{display:flex;justify-content:space-between;margin:0;color:var(--quiet)}
.chart{margin:0 0 1rem}
.chart svg{display:block;width:100%;height:8rem;margin:.5rem 0;color:var(--act)}
svg{max-width:100%;height:auto}
.narrow{font-size:1.0625rem}
.narrow .top,.narrow main{max-width:40rem}
.narrow .top{justify-content:end}
.narrow .choice{gap:.75rem;padding:.75rem;margin:0 0 .5rem;background:var(--soft);border-radius:.25rem;overflow-wrap:anywhere}
.narrow .choice b{display:block}
:focus-visible{outline:3px solid var(--act);outline-offset:2px}
`;

/** Nothing but this style, pictures and forms of this service: no script, no frame around it. */
export function policy(): string {
	const style = sha256(utf8ToBytes(STYLE)).toBase64();
	return `default-src 'none'; style-src 'sha256-${style}'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;
}
