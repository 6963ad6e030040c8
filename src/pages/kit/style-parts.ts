/** Style of the parts of pages: forms, tables, figures, charts, badges. */
export const PARTS_STYLE = `
form{margin:0 0 var(--s5)}
.with main>form:not(.toolbar),.with main>dl,main>.chart,.card{padding:var(--s4) var(--pad);margin:0 0 var(--s5);background:var(--paper);border:1px solid var(--faint);border-radius:var(--r2);box-shadow:var(--lift)}
form>h2:first-of-type{margin-top:0}
.with main>form:not(.toolbar,:has(.field,p,h2)){padding:0;border:0;background:none;box-shadow:none}
.card>header{display:flex;flex-wrap:wrap;gap:var(--s2) var(--s4);align-items:center;justify-content:space-between;margin:0 0 var(--s3)}
.card>header h2{margin:0}
.narrow main>:last-child,.entry main>:last-child,.card>:last-child,.card>form:last-child>:last-child{margin-bottom:0}
.card .scroll{margin-inline:calc(-1*var(--pad));border-inline:0;border-radius:0;box-shadow:none}
.card>.scroll:last-child{margin-bottom:calc(-1*var(--s4));border-bottom:0;border-radius:0 0 var(--r2) var(--r2)}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,22rem),1fr));gap:0 var(--s5);align-items:start}
label,legend{display:block;font-weight:600;padding:0}
label .hint,.field>.hint{margin:0 0 .35rem;font-size:.875rem}
fieldset{border:0;margin:0;padding:0;min-width:0}
.field{margin:0 0 1.25rem;max-width:36rem}
input:not([type=radio],[type=checkbox]),select,textarea{width:100%;min-height:2.5rem;padding:.4rem .65rem;font:inherit;color:inherit;background:var(--paper);border:1px solid var(--line);border-radius:var(--r1)}
.field>input,.field>select,.field>textarea{margin-top:.3rem}
.narrow input:not([type=radio],[type=checkbox]),.narrow select{min-height:2.9rem}
input[type=color]{padding:.25rem;max-width:6rem}
input[type=file]{padding:.3rem}
::placeholder{color:var(--quiet);opacity:1}
[aria-invalid=true]{border:2px solid var(--bad)!important}
.wrong{color:var(--bad);font-weight:600;margin:var(--s1) 0}
.choices{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,16rem),1fr));gap:0 var(--s4)}
.choice{display:flex;gap:.6rem;align-items:flex-start;padding:.3rem 0;font-weight:400}
.choice span{min-width:0}
.choice input{width:1.25rem;height:1.25rem;margin:.1rem 0 0;flex:none;accent-color:var(--act)}
.narrow .choice{gap:var(--s3);padding:var(--s3);margin:0 0 var(--s2);background:var(--soft);border-radius:var(--r1);overflow-wrap:anywhere}
.narrow .choice b{display:block}
button,.button{display:inline-flex;align-items:center;justify-content:center;gap:.4rem;min-height:2.5rem;padding:.4rem 1rem;font:inherit;font-weight:600;line-height:1.2;color:var(--on-act);background:var(--act);border:1px solid transparent;border-radius:var(--r1);text-decoration:none;cursor:pointer}
button:hover,.button:hover{background:var(--act-over)}
.narrow button:not(.plain),.narrow .button{min-height:2.9rem;padding-inline:1.25rem}
button.quiet,.button.quiet{color:var(--ink);background:var(--paper);border-color:var(--line);font-weight:500}
button.quiet:hover,.button.quiet:hover{background:var(--soft)}
.top button.quiet{border-color:transparent;padding-inline:var(--s2);min-height:2.25rem}
button.plain{min-height:2rem;padding:0;color:var(--act);background:none;border:0;font-weight:400;text-decoration:underline;text-underline-offset:.2em}
button.danger{color:var(--bad);background:var(--paper);border-color:var(--bad)}
button.danger:hover{background:var(--bad-soft)}
.copyable{display:inline-flex;align-items:center;vertical-align:top;gap:.15rem;max-width:100%}
.copyable code{user-select:all}
button.copy{min-height:1.5rem;padding:.2rem;margin-block:-.1rem;color:var(--quiet);background:none;border:0}
button.copy:hover{color:var(--ink);background:var(--soft)}
button.copy .icon{width:.95rem;height:.95rem}
button.copy .icon+.icon,button.copied .icon{display:none}
button.copied .icon+.icon{display:block;color:var(--good)}
.secret{display:block;padding:var(--s3) var(--s4);background:var(--soft);border:1px solid var(--faint);border-radius:var(--r1);user-select:all}
.badge{display:inline-flex;align-items:center;padding:.1rem .5rem;border-radius:99rem;font-size:var(--small);font-weight:550;line-height:1.45;color:var(--quiet);background:var(--soft);white-space:nowrap}
.good{color:var(--good);background:var(--good-soft)}
.warn{color:var(--warn);background:var(--warn-soft)}
.bad{color:var(--bad);background:var(--bad-soft)}
.info{color:var(--info);background:var(--info-soft)}
.toolbar{display:flex;flex-wrap:wrap;gap:var(--s3);align-items:end;margin:0 0 var(--s4)}
.toolbar .field{margin:0;flex:0 1 auto;min-width:min(100%,9rem)}
.toolbar label{font-size:var(--small);font-weight:500;color:var(--quiet)}
.toolbar .hint{flex-basis:100%;margin:0;font-size:var(--small)}
.toolbar>a{align-self:center;padding-top:1.1rem}
.actions{display:flex;flex-wrap:wrap;gap:var(--s2);margin:0 0 var(--s5)}
.actions form{margin:0}
ul.filters{display:flex;flex-wrap:wrap;gap:var(--s2);padding:0;list-style:none}
ul.filters a{display:block;padding:.25rem .75rem;border:1px solid var(--line);border-radius:99rem;text-decoration:none;color:var(--ink)}
ul.filters [aria-current]{background:var(--act-soft);border-color:var(--act);color:var(--act);font-weight:600}
.scroll{overflow-x:auto;margin:0 0 var(--s4);background:var(--paper);border:1px solid var(--faint);border-radius:var(--r2);box-shadow:var(--lift)}
table{border-collapse:collapse;width:100%;font-size:.875rem}
caption{text-align:start;color:var(--quiet);font-size:var(--small);padding:var(--s3) var(--s4)}
th,td{text-align:start;vertical-align:top;padding:.6rem var(--s4);border-top:1px solid var(--faint)}
thead th{padding-block:.45rem;font-size:var(--small);font-weight:500;color:var(--quiet);background:var(--soft);white-space:nowrap}
th[scope=row]{font-weight:500}
td form,th form{margin:0}
td button.plain{min-height:1.5rem}
tbody tr:hover{background:color-mix(in srgb,var(--soft) 55%,transparent)}
@media (max-width:40rem){
.scroll thead{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden}
.scroll>table,.scroll tbody,.scroll tr,.scroll caption{display:block}
.scroll tr{padding:var(--s3) var(--s4);border-top:1px solid var(--faint)}
.scroll th,.scroll td{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 var(--s4);padding:.15rem 0;border:0;overflow-wrap:anywhere}
.scroll td:empty{display:none}
.scroll td::before{content:attr(data-label);color:var(--quiet)}
.scroll td code,.scroll th code{white-space:normal}
:root{--pad:var(--s4)}
.toolbar .field{flex:1 1 8.25rem;min-width:min(100%,8.25rem)}
.toolbar input[type=date]{padding-inline:.4rem}}
dl{display:grid;grid-template-columns:fit-content(40%) minmax(0,1fr);gap:var(--s2) var(--s5);margin:0 0 var(--s4)}
dt{color:var(--quiet)}
dd{margin:0;overflow-wrap:anywhere}
@media (max-width:30rem){dl{grid-template-columns:minmax(0,1fr);row-gap:0}dd{margin:0 0 var(--s2)}}
.notice{display:flex;gap:var(--s3);padding:var(--s3) var(--s4);margin:0 0 var(--s5);border-radius:var(--r2);overflow-wrap:anywhere;color:var(--ink)}
.notice>.icon{margin-top:.15rem}
.notice.good>.icon{color:var(--good)}.notice.bad>.icon{color:var(--bad)}.notice.warn>.icon{color:var(--warn)}.notice.info>.icon{color:var(--info)}
.notice p:last-child{margin:0}
.notice h2{margin:0 0 var(--s1);font-size:inherit}
.empty{display:grid;justify-items:center;gap:var(--s2);padding:var(--s5) var(--s4);margin:0 0 var(--s4);text-align:center;color:var(--quiet);background:var(--paper);border:1px dashed var(--line);border-radius:var(--r2)}
.empty p{margin:0;max-width:34rem}
.empty .title{font-weight:600;color:var(--ink)}
.empty .title:last-child{font-weight:400;color:var(--quiet)}
.empty .icon{width:1.75rem;height:1.75rem}
.empty .button{margin-top:var(--s2)}
.card .empty{padding-block:var(--s4);border:0}
.steps{padding:0;margin:0;list-style:none}
.steps li{display:flex;flex-wrap:wrap;gap:var(--s1) var(--s3);align-items:baseline;padding:var(--s2) 0;border-top:1px solid var(--faint)}
.steps .badge+span{flex:1 1 16rem;overflow-wrap:anywhere}
.steps a+a{margin-inline-start:var(--s3)}
.codes{columns:13rem;white-space:pre}
.figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(9.5rem,1fr));gap:var(--s3);padding:0;list-style:none}
.figures li{background:var(--paper);border:1px solid var(--faint);border-radius:var(--r2);box-shadow:var(--lift)}
.figures a,.figures li>span{display:block;height:100%;padding:var(--s3) var(--s4);color:var(--quiet);text-decoration:none;border-radius:var(--r2)}
.figures a:hover{background:var(--soft);color:var(--ink)}
.figures b{display:block;font-size:1.5rem;font-weight:650;letter-spacing:-.02em;line-height:1.3;color:var(--ink);font-variant-numeric:tabular-nums}
.figures small{font-size:var(--small);font-weight:500;letter-spacing:0;color:var(--quiet)}
@media (max-width:40rem){.figures{grid-template-columns:repeat(auto-fill,minmax(min(100%,8.25rem),1fr))}}
.pager{display:flex;flex-wrap:wrap;gap:var(--s2) var(--s4);align-items:center;margin:0 0 var(--s5);color:var(--quiet)}
.pager>a{padding:.35rem .75rem;border:1px solid var(--line);border-radius:var(--r1);color:var(--ink);text-decoration:none;background:var(--paper)}
.pager>a:hover{background:var(--soft)}
summary{cursor:pointer;padding:var(--s2) 0;color:var(--quiet)}
.chart figcaption{font-weight:600}
.plot{display:grid;grid-template-columns:auto minmax(0,1fr);gap:0 var(--s3);margin:var(--s4) 0 var(--s2);font-size:var(--small);color:var(--quiet);font-variant-numeric:tabular-nums}
.plot .values{display:flex;flex-direction:column;justify-content:space-between;height:calc(9rem + 1em);margin-block:-.5em;text-align:end;line-height:1}
.plot svg{display:block;width:100%;height:9rem;color:var(--act);overflow:visible}
.plot line{stroke:var(--faint);vector-effect:non-scaling-stroke}
.plot rect:hover{opacity:.7}
.plot .days{grid-column:2;display:flex;justify-content:space-between;padding-top:var(--s2)}
.chart details{overflow-x:auto}
.chart table{max-width:24rem}
progress{width:7rem;max-width:100%;accent-color:var(--act);vertical-align:middle}
.spark{width:7rem;height:1.75rem;color:var(--act);vertical-align:middle}
.spark polyline{fill:none;stroke:currentColor;stroke-width:1.5;vector-effect:non-scaling-stroke}
.preview{display:block;width:100%;max-width:44rem;border:1px solid var(--faint);border-radius:var(--r2);background:var(--paper)}
iframe.preview{height:56rem}
pre.preview{padding:var(--s4);margin:0;white-space:pre-wrap;overflow-wrap:anywhere;font-size:var(--small)}
.logo{max-height:4rem;background:#fff;padding:var(--s1);border:1px solid var(--faint);border-radius:var(--r1)}
`;
