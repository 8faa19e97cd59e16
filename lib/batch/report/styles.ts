/**
 * The styles of the pages that the project writes. Light and dark follow the reader's system; print is light.
 *
 * Text has a contrast of at least 4.5 to 1 to its background, every mark of a chart at least 3 to 1, and nothing is shown
 * by colour alone: a status has its name, givens their weight, clashing cells a frame.
 */
import { HtmlMarkup } from './markup.ts';

const LIGHT = `--ground:#f7f7f5;--card:#fff;--text:#1b1d21;--soft:#555b66;--line:#d5d7dc;--rule:#e7e8eb;--accent:#1f5fbf;--tint:#e6e9ee;--shade:#f1ead8;--bar:#3b76cc;--mark:#a13d0c;--differs:#e3d6f5;
--solved:#2f7d4f;--multiple:#7a56b8;--unsolvable:#8a6a00;--invalid:#c02f2f;--unreadable:#6b7280;--limit:#b4570f;--clash:#f9d4d0`;
const DARK = `--ground:#14161a;--card:#1c1f25;--text:#e8eaee;--soft:#a5acb8;--line:#3a3f49;--rule:#2a2e36;--accent:#8ab6ff;--tint:#2e333d;--shade:#332e1f;--bar:#6ea2ee;--mark:#ffb27f;--differs:#493866;
--solved:#57b67f;--multiple:#ad8df0;--unsolvable:#cda72c;--invalid:#f0716c;--unreadable:#99a1ae;--limit:#ee9347;--clash:#5c2524`;

const STATUSES = ['solved', 'multiple', 'unsolvable', 'invalid', 'unreadable', 'limit'];

/** For a `style` element. */
export const PAGE_STYLES: HtmlMarkup = new HtmlMarkup(`
:root{color-scheme:light dark;${LIGHT}}
@media (prefers-color-scheme:dark){:root{${DARK}}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0 auto;padding:1rem;max-width:64rem;background:var(--ground);color:var(--text);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans",sans-serif}
h1{font-size:1.7rem;line-height:1.2;margin:.1rem 0 .4rem;overflow-wrap:anywhere}
h2{font-size:1.2rem;margin:0 0 .6rem;padding:0;border:0}
h3{font-size:1rem;margin:0;overflow-wrap:anywhere}
p{margin:.2rem 0 .8rem}
a{color:var(--accent)}
a:focus-visible,summary:focus-visible,.scroll:focus-visible,button:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:3px}
.skip{position:absolute;left:-999rem}
.skip:focus{position:static}
.kicker{margin:0;color:var(--soft);font-size:.85rem}
.verdict{font-size:1.1rem}
.note,footer,details summary{color:var(--soft);font-size:.92rem}
nav ul{display:flex;flex-wrap:wrap;gap:.2rem 1rem;margin:0 0 1rem;padding:0;list-style:none}
nav a{display:inline-block;padding:.2rem 0}
section,.figures{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:1rem;margin:0 0 1rem}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(8.5rem,1fr));gap:.8rem 1rem}
.figures dt{color:var(--soft);font-size:.85rem}
.figures dd{margin:0;font-size:1.35rem;font-weight:650;font-variant-numeric:tabular-nums}
table{border-collapse:collapse;width:100%;font-size:.92rem}
caption{text-align:left;font-weight:650;padding:.3rem 0}
th,td{text-align:left;padding:.3rem .8rem .3rem 0;border-top:1px solid var(--rule);vertical-align:top}
th{font-weight:500}
thead th{color:var(--soft);border-top:0}
td:last-child,th:last-child{padding-right:0}
.number{text-align:right;font-variant-numeric:tabular-nums}
td.number,th.number{white-space:nowrap}
.scroll{overflow-x:auto}
.columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,19rem),1fr));gap:1rem 2.5rem;align-items:start}
.columns td.number{white-space:normal;overflow-wrap:anywhere}
summary{cursor:pointer;padding:.3rem 0}
svg{display:block}
svg text{fill:var(--text);font:12px system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans",sans-serif}
.chart{overflow:visible;margin:0 0 .8rem}
.chart .bar{fill:var(--bar)}
.chart .rule{stroke:var(--rule)}
.chart .axis{stroke:var(--soft)}
.chart .marker{stroke:var(--mark);stroke-width:1.5;stroke-dasharray:4 3}
.chart .mark{fill:var(--mark);font-weight:600;text-anchor:middle}
.chart .value,.chart .bound{text-anchor:middle}
.chart .value,.chart .mark,.chart .scale{paint-order:stroke;stroke:var(--card);stroke-width:3px}
.none{color:var(--soft)}
.meaning{font-size:.88em;color:var(--soft)}
.chart .scale,.chart .bound{fill:var(--soft)}
.chart .first{text-anchor:start}
.chart .last{text-anchor:end}
svg.bar{border-radius:5px;margin:0 0 .8rem}
.dot{display:inline-block;width:.75em;height:.75em;border-radius:2px;margin-right:.45em;forced-color-adjust:none}
${STATUSES.map((status) => `.dot.${status}{background:var(--${status})}.bar .${status}{fill:var(--${status})}`).join('')}
.badge{white-space:nowrap;font-weight:500;font-size:.9rem;margin-left:.4rem}
/* The lists of puzzles of a report. */
.report{
[hidden]{display:none!important}
.filters{list-style:none;margin:0 0 .8rem;padding:0;display:flex;flex-wrap:wrap;gap:.4rem}
.filters li,.puzzles button,#more{border:1px solid var(--line);border-radius:999px;background:var(--ground);font-size:.92rem}
.filters li{padding:.25rem .8rem}
.filters li:has(button){padding:0}
.filters button,.puzzles button,#more{padding:.25rem .8rem;border-radius:999px;color:inherit;font:inherit;cursor:pointer}
.puzzles button{padding:.1rem .7rem;font-size:.85rem}
.filters button{border:0;background:none}
.filters button[aria-pressed=true]{background:var(--tint);box-shadow:inset 0 0 0 2px var(--accent)}
#tools{display:flex;flex-wrap:wrap;gap:.6rem 1.5rem;margin:0 0 .8rem}
#tools p{margin:0;flex:1 1 14rem}
#tools label{display:block;color:var(--soft);font-size:.85rem}
#tools input,#tools select{width:100%;padding:.4rem .6rem;border:1px solid var(--soft);border-radius:6px;background:var(--card);color:inherit;font:inherit}
#found-note:empty{display:none}
.group{border-top:1px solid var(--rule)}
.group>summary,.puzzles summary{color:var(--text);padding:.45rem 0;overflow-wrap:anywhere}
.group .puzzles{margin-left:1.1rem}
.puzzles{list-style:none;margin:0;padding:0}
.puzzles.long{max-height:70vh;overflow-y:auto}
.puzzles>li{border-top:1px solid var(--rule);break-inside:avoid}
.puzzles summary{padding:.3rem 0}
.facts{margin-left:.6rem;color:var(--soft);font-size:.85rem}
.why{overflow-wrap:anywhere}
.figures-row{display:flex;flex-wrap:wrap;gap:.8rem 1.5rem}
figure{margin:0 0 .6rem;max-width:100%;min-width:0}
figcaption{font-size:.85rem;color:var(--soft)}
.shapes{position:absolute}
.buttons{display:flex;flex-wrap:wrap;gap:.4rem;margin:0}
.text pre{margin:0;font-size:.85rem;white-space:pre-wrap;overflow-wrap:anywhere}
}
.text dt{font-size:.85rem;color:var(--soft)}
.text dd{margin:0 0 .4rem;display:flex;flex-wrap:wrap;align-items:center;gap:.2rem .8rem}
code{font:.85em ui-monospace,SFMono-Regular,Menlo,"Liberation Mono",monospace;overflow-wrap:anywhere}
.grid{max-width:none}
.ground{fill:var(--card)}
.shaded{fill:var(--shade)}
.grid .tint{fill:var(--tint)}
.grid .differs{fill:var(--differs);stroke:var(--multiple);stroke-width:.8}
.grid .clash{fill:var(--clash);stroke:var(--invalid);stroke-width:.8}
.thin{stroke:var(--line);stroke-width:.35;fill:none}
.dashed{stroke:var(--soft);stroke-width:.6;stroke-dasharray:1.5 1;fill:none}
.thick{stroke:var(--text);stroke-width:.9;stroke-linecap:square;fill:none}
.grid text{font-size:7px;text-anchor:middle;dominant-baseline:central}
.grid.wide2 text{font-size:5.6px}
.grid.wide3 text{font-size:4.2px}
.grid .given text{font-weight:700}
.grid .found text{fill:var(--accent)}
@media (max-width:30rem){body{padding:.6rem}section,.figures{padding:.8rem}}
@media print{
:root{color-scheme:light;${LIGHT};--ground:#fff}
@page{margin:14mm}
body{max-width:none;padding:0;font-size:10pt}
nav,.skip,details:not(.report *){display:none}
.report :is(#tools,.buttons,.text,.puzzles>li:not(:has(>[open])),details:not([open]):not(.group)){display:none}
.report .puzzles.long{max-height:none}
section,.figures{border:0;padding:0}
h2,caption{break-after:avoid}
tr,svg{break-inside:avoid}
.scroll{overflow:visible}
.grid{max-width:100%;height:auto}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}
}
`);
