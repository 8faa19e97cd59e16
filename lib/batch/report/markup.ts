/**
 * HTML as a separate type, so that text is never used as HTML.
 *
 *     html`<p>${'a < b'}</p>`                   -> <p>a &lt; b</p>
 *     html`<ul>${rows.map((row) => html`<li>${row}</li>`)}</ul>`     markup inside markup is not escaped
 *
 * Every value in a template is escaped, unless it is the result of another template. The only way to avoid the escaping
 * is the constructor of `HtmlMarkup`, which takes only constants of the source code.
 */

/** A fragment of HTML or SVG. */
export class HtmlMarkup {
  readonly source: string;

  /** @param source trusted HTML: never text of a file */
  constructor(source: string) {
    this.source = source;
  }
}

/** A value in a template; undefined and false give an empty text. */
export type Content = HtmlMarkup | string | number | undefined | false | readonly Content[];

/** A template whose values are escaped, in elements and in attributes in double quotes. */
export function html(parts: TemplateStringsArray, ...values: readonly Content[]): HtmlMarkup {
  let source = parts[0]!;
  for (let k = 0; k < values.length; k++) source += sourceOf(values[k]) + parts[k + 1]!;
  return new HtmlMarkup(source);
}

function sourceOf(content: Content): string {
  if (content instanceof HtmlMarkup) return content.source;
  if (content === undefined || content === false) return '';
  if (typeof content === 'object') return content.map(sourceOf).join('');
  return typeof content === 'number' ? String(content) : escapeHtml(content);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Escapes text for an element or a quoted attribute.
 *
 * Characters that HTML does not allow (controls, halves of surrogate pairs, noncharacters) become U+FFFD.
 */
export function escapeHtml(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .toWellFormed()
    .replace(NOT_IN_HTML, '\ufffd')
    .replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}

/** Printable ASCII without the entities: most values, of which a page has many thousands. */
const PLAIN = /^[\t\n !#-%(-;=?-~]*$/;
const NOT_IN_HTML = /(?![\t\n])\p{Cc}|\p{Noncharacter_Code_Point}/gu;

/** A section with a heading that the navigation of the page links to. */
export function section(id: string, title: string, ...content: readonly Content[]): HtmlMarkup {
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${content}</section>`;
}

/**
 * A table whose rows begin with their name. Other cells of plain text are numbers, which are aligned on the right.
 *
 * @param columns their titles; without them, a row has a name and a value
 * @param rows cells, and whether the row is faint
 */
export function table(
  caption: string,
  columns: readonly string[] | undefined,
  rows: readonly (readonly Content[])[],
  isFaint: (row: number) => boolean = () => false,
): HtmlMarkup {
  const alignment = (cell: Content, column: number) =>
    column > 0 && (columns === undefined || typeof cell === 'string') && NUMBER;
  return html`<table><caption>${caption}</caption>${
    columns &&
    html`<thead><tr>${columns.map((name, column) => html`<th scope="col"${alignment(rows[0]?.[column], column)}>${name}</th>`)}</tr></thead>`
  }<tbody>${rows.map(
    ([name, ...cells], row) =>
      html`<tr${isFaint(row) && FAINT}><th scope="row">${name}</th>${cells.map((cell, k) => html`<td${alignment(cell, k + 1)}>${cell}</td>`)}</tr>`,
  )}</tbody></table>`;
}

const NUMBER = new HtmlMarkup(' class="number"');
const FAINT = new HtmlMarkup(' class="none"');

/** Content that is wider than a phone, and scrolls there. */
export function scrolling(label: string, content: Content): HtmlMarkup {
  return html`<div class="scroll" role="region" aria-label="${label}" tabindex="0">${content}</div>`;
}
