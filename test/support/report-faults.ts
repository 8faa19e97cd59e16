/** What every report keeps to. */
import { createHash } from 'node:crypto';
import { REPORT_SCRIPT } from '../../lib/batch/report/report-script.ts';
import { type Element, elementsOf, elementText, named, parsePage } from './html-tree.ts';

const ELEMENTS =
  'html head meta title style body header main footer nav section h1 h2 h3 p a ul ol li dl dt dd div span bdi ' +
  'strong code time table caption thead tbody tr th td details summary svg g path rect line text ' +
  'b figure figcaption pre script use defs form label input select option button';
const HASH = createHash('sha256').update(REPORT_SCRIPT).digest('base64');
const POLICY = `default-src 'none'; script-src 'sha256-${HASH}'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'`;

/** What is wrong with a report: it may run, load or lead elsewhere, or some readers cannot use it. */
export function reportFaults(source: string): unknown[] {
  const page = parsePage(source);
  const elements = elementsOf(page);
  const attributesOf = (name: string) => named(page, name).map(({ attributes }) => attributes);
  const ids = elements.flatMap(({ attributes: { id } }) => id ?? []);
  const levels = elements.flatMap(({ name }) => (/^h[1-6]$/.test(name) ? Number(name[1]) : []));
  const headings = attributesOf('h2').map(({ id }) => id);
  const isTitled = ({ children: [first] }: Element) =>
    typeof first === 'object' && first.name === 'title' && /\w{3}/.test(elementText(first));
  const policy = elements.find(({ attributes }) => attributes['http-equiv'] === 'Content-Security-Policy');
  return [
    ...(page.attributes.lang === 'en' ? [] : ['no language']),
    ...elements.filter(({ name }) => !ELEMENTS.split(' ').includes(name)),
    ...(policy?.attributes.content === POLICY ? [] : [policy]),
    ...named(page, 'script').filter((script) => elementText(script) !== REPORT_SCRIPT),
    ...named(page, 'style').filter((style) => /url\(|@import/.test(elementText(style))),
    ...elements.filter(({ attributes }) =>
      Object.keys(attributes).some((name) => /^on|^style$|^src|^xlink|^action$|^srcset$/.test(name)),
    ),
    ...(new Set(ids).size === ids.length ? [] : ['an id twice']),
    ...elements.filter(
      ({ attributes: { href } }) =>
        href !== undefined &&
        href !== 'exceptions.jsonl' &&
        !(href.startsWith('#') && ids.includes(href.slice(1))),
    ),
    ...levels.filter((level, k) => level > (levels[k - 1] ?? 0) + 1),
    ...attributesOf('section').filter((each) => !headings.includes(each['aria-labelledby'])),
    ...named(page, 'table').filter((table) => elementText(named(table, 'caption')[0]!) === ''),
    ...attributesOf('th').filter(({ scope }) => scope !== 'col' && scope !== 'row'),
    ...named(page, 'svg').filter((svg) => svg.attributes.role === 'img' && !isTitled(svg)),
    ...elements.filter(({ attributes }) => attributes.tabindex !== undefined && !attributes['aria-label']),
  ];
}
