/** Colours, distances and radii of every page, those of the guide too; light and dark. */
export const VALUES = `
:root{color-scheme:light dark;
--ink:#171b21;--quiet:#56606d;--bg:#f6f7f9;--paper:#fff;--soft:#eff1f4;--faint:#e1e5ea;--line:#858e9a;
--act:#3451d1;--act-over:#2a43b4;--on-act:#fff;--act-soft:#ebeffd;
--good:#0f6a34;--good-soft:#e1f4e8;--warn:#8a4600;--warn-soft:#fdeed8;--bad:#b3221b;--bad-soft:#fdeae8;--info:#1f4bb5;--info-soft:#e6edfc;
--s1:.25rem;--s2:.5rem;--s3:.75rem;--s4:1rem;--s5:1.5rem;--s6:2.5rem;--pad:1.25rem;
--r1:.375rem;--r2:.625rem;--small:.8125rem;--lift:0 1px 2px #171b210f}
@media (prefers-color-scheme:dark){:root{
--ink:#e8ebf0;--quiet:#a3acb8;--bg:#0e1115;--paper:#15191f;--soft:#1d222a;--faint:#2a3039;--line:#737e8c;
--act:#93aaff;--act-over:#b3c3ff;--on-act:#0b1024;--act-soft:#1b2340;
--good:#79d69b;--good-soft:#112c1d;--warn:#f3bf70;--warn-soft:#36260d;--bad:#ff9f95;--bad-soft:#40191a;--info:#96b6ff;--info-soft:#1a2746;--lift:none}}
`;
