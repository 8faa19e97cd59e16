/**
 * Parses the HTML that the project writes, more strictly than a browser: elements are closed in order, attributes have
 * double quotes, and texts contain no bare `<`, `>` or `&`.
 */

export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: (Element | string)[];
}

const VOID = new Set(['meta', 'link', 'br', 'hr', 'img', 'input']);
const TAG = /^<(\/?)([a-z][a-zA-Z0-9]*)((?: [a-zA-Z][a-zA-Z0-9:-]*="[^"<>]*")*)(\/?)>/;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** The `html` element of a page. @throws Error naming the position of invalid HTML */
export function parsePage(source: string): Element {
  const start = '<!doctype html>\n';
  if (!source.startsWith(start)) throw new Error(`the page begins with ${source.slice(0, 40)}`);
  const root: Element = { name: '', attributes: {}, children: [] };
  const open: Element[] = [root];
  for (let at = start.length; at < source.length; ) {
    const parent = open.at(-1)!;
    if (source[at] !== '<') {
      // The text of a script may have the sign itself.
      const end = source.indexOf(parent.name === 'script' ? '</script' : '<', at);
      const text = source.slice(at, end < 0 ? source.length : end);
      parent.children.push(['style', 'script'].includes(parent.name) ? text : decoded(text, at));
      at += text.length;
      continue;
    }
    const match = TAG.exec(source.slice(at, at + 20_000));
    if (match === null) throw new Error(`no tag at ${at}: ${source.slice(at, at + 80)}`);
    const [tag, closing, name, attributes, empty] = match as unknown as [
      string,
      string,
      string,
      string,
      string,
    ];
    at += tag.length;
    if (closing === '/') {
      if (open.pop()!.name !== name) throw new Error(`</${name}> closes <${parent.name}> before ${at}`);
      continue;
    }
    const element: Element = { name, attributes: attributesIn(attributes, at), children: [] };
    parent.children.push(element);
    if (empty === '' && !VOID.has(name)) open.push(element);
  }
  if (open.length !== 1) throw new Error(`<${open.at(-1)!.name}> is never closed`);
  const [html, ...rest] = root.children.filter((child) => typeof child !== 'string' || child.trim() !== '');
  if (typeof html !== 'object' || html.name !== 'html' || rest.length > 0)
    throw new Error('more than one root');
  return html;
}

function attributesIn(text: string, at: number): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [, name, value] of text.matchAll(/ ([a-zA-Z][a-zA-Z0-9:-]*)="([^"]*)"/g)) {
    if (found[name!] !== undefined) throw new Error(`${name} twice before ${at}`);
    found[name!] = decoded(value!, at);
  }
  return found;
}

function decoded(text: string, at: number): string {
  if (text.includes('>')) throw new Error(`a bare > after ${at}: ${text.slice(0, 80)}`);
  return text.replace(/&([#a-z0-9]*;)?/g, (entity, name = '') => {
    const character = ENTITIES[name.slice(0, -1)];
    if (character === undefined) throw new Error(`unexpected entity ${entity} after ${at}`);
    return character;
  });
}

/** Every element of a tree, in the order of the page. */
export function elementsOf(element: Element): Element[] {
  const below = element.children.flatMap((child) => (typeof child === 'string' ? [] : elementsOf(child)));
  return [element, ...below];
}

/** Elements of a name. */
export function named(root: Element, name: string): Element[] {
  return elementsOf(root).filter((element) => element.name === name);
}

/** All text in an element. */
export function elementText(element: Element): string {
  return element.children.map((child) => (typeof child === 'string' ? child : elementText(child))).join('');
}
