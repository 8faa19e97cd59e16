/**
 * HTML as a value of its own, so that text can never be taken for it.
 *
 *     html`<p>${'a < b'}</p>`                   -> <p>a &lt; b</p>
 *     html`<ul>${rows.map((row) => html`<li>${row}</li>`)}</ul>`     markup inside markup stays as it is
 *
 * Whatever is put into a template is escaped, unless it came out of one. So it takes no care to be safe, and the only
 * way around it is the constructor of `Markup`, which only constants of the sources may be given.
 */

/** A piece of HTML, or of the SVG in it. */
export class HtmlMarkup {
  readonly source: string;

  /** @param source trusted as it stands: never text of a file */
  constructor(source: string) {
    this.source = source;
  }
}

/** What may stand in a template; undefined and false leave nothing. */
export type Content = HtmlMarkup | string | number | undefined | false | readonly Content[];

/** A template whose values are escaped, for elements and for attributes in double quotes. */
export function html(parts: TemplateStringsArray, ...values: readonly Content[]): HtmlMarkup {
  let source = parts[0]!;
  for (const [k, value] of values.entries()) source += sourceOf(value) + parts[k + 1]!;
  return new HtmlMarkup(source);
}

function sourceOf(content: Content): string {
  if (content instanceof HtmlMarkup) return content.source;
  if (content === undefined || content === false) return '';
  if (typeof content === 'object') return content.map(sourceOf).join('');
  return escapeHtml(String(content));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Text as it stands in an element or in a quoted attribute.
 *
 * Characters that HTML does not have (controls, halves of surrogate pairs, noncharacters) become U+FFFD.
 */
export function escapeHtml(text: string): string {
  return text
    .toWellFormed()
    .replace(NOT_IN_HTML, '\ufffd')
    .replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}

const NOT_IN_HTML = /(?![\t\n])\p{Cc}|\p{Noncharacter_Code_Point}/gu;
