import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { iconText } from "./icon.tsx";

/* Script of the pages. It adds what a page does well without: copying, printing, a link's code in its field, "/" for the search. */

export const SCRIPT = `(()=>{
const all=(query)=>document.querySelectorAll(query),said=document.getElementById("said");
const copy=async(button,text)=>{
await navigator.clipboard.writeText(text);
button.classList.add("copied");said.textContent=said.dataset.copied;
setTimeout(()=>{button.classList.remove("copied");said.textContent=""},1500)};
if(navigator.clipboard){
for(const code of all("[data-copy]")){
const button=document.createElement("button");
button.type="button";button.className="copy";button.title=code.dataset.copy;
button.setAttribute("aria-label",code.dataset.copy+" "+code.textContent);
button.innerHTML=${JSON.stringify(iconText("copy") + iconText("check"))};
button.onclick=()=>copy(button,code.textContent);
(code.closest("a")||code).after(button)}
for(const button of all("[data-copies]")){
const from=document.getElementById(button.dataset.copies),codes=[...from.querySelectorAll("[data-copy]")];
button.hidden=false;
button.onclick=()=>copy(button,codes.length?codes.map((code)=>code.textContent).join("\\n"):from.textContent)}}
for(const button of all("[data-print]")){button.hidden=false;button.onclick=()=>print()}
const go=document.querySelector("a[data-go]");
if(go)location.replace(go.href+location.hash);
const digits=/^#(\\d{12})$/.exec(location.hash),field=document.querySelector("[data-fragment]");
if(digits&&field){
field.value=digits[1].replace(/(\\d{4})(?=\\d)/g,"$1 ");document.querySelector("[data-filled]").hidden=false;
history.replaceState(null,"",location.pathname+location.search)}
addEventListener("keydown",(event)=>{
const search=document.getElementById("q");
if(event.key!=="/"||!search||event.target.closest("input,select,textarea"))return;
event.preventDefault();search.focus()})
})()`;

/** Its hash, for the page's policy. */
export const SCRIPT_HASH: string = `'sha256-${sha256(utf8ToBytes(SCRIPT)).toBase64()}'`;
