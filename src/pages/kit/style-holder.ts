/** Style of what holders get: the steps of /instalar with their drawings, QR codes, a receipt and its print. */
export const HOLDER_STYLE = `
.contents{padding:var(--s3) var(--s4);margin:0 0 var(--s5);background:var(--soft);border-radius:var(--r2)}
.contents ul{margin:0;padding-inline-start:1.1rem}
.systems{margin:0 0 var(--s4)}
.systems details{margin:0 0 var(--s2);border:1px solid var(--faint);border-radius:var(--r2)}
.systems summary{padding:var(--s3) var(--s4);font-weight:600;color:var(--ink)}
.systems details>:not(summary){margin-inline:var(--s4)}
.narrow li{margin-bottom:var(--s2)}
.drawing{display:block;width:20rem;margin-block:var(--s2) var(--s4);fill:none;stroke:currentColor;stroke-width:1.25;stroke-linejoin:round}
.systems .drawing{max-width:calc(100% - 2*var(--s4))}
.drawing text{font:500 9px system-ui,sans-serif;fill:currentColor;stroke:none}
.drawing .act{stroke:var(--act);stroke-width:2}
.drawing .dots{stroke-width:5;stroke-linecap:round}
.drawing text.act{fill:var(--act);stroke:none;font-weight:650}
.qr{display:block;width:13rem;margin:0 0 var(--s4);background:#fff;fill:#000;border-radius:var(--r1)}
.receipt .issuer{display:none;align-items:center;gap:var(--s2)}
@media print{.receipt .issuer{display:flex}:root{color-scheme:light;--ink:#000;--quiet:#333;--paper:#fff;--bg:#fff;--act:#000;--faint:#bbb}
main:has(.receipt) :not(:has(.receipt),.receipt,.receipt *){display:none}}
`;
