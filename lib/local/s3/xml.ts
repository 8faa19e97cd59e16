/** The XML of S3's API: elements, text and entities. Attributes are skipped, and all other markup is rejected. */

/** Escaped markup, which can be nested in another element. */
export interface XmlMarkup {
  readonly markup: string;
}

/** A parsed element: its name without namespace prefix, its text and its children. */
export interface XmlElement {
  readonly name: string;
  text: string;
  readonly children: XmlElement[];
}

const NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/';

/** An element with text, which is escaped, or with children (`undefined` ones are omitted). */
export function element(
  name: string,
  content: string | number | boolean | readonly (XmlMarkup | undefined)[],
): XmlMarkup {
  const inner =
    typeof content === 'object'
      ? content.map((piece) => piece?.markup ?? '').join('')
      : escapeText(String(content));
  return { markup: `<${name}>${inner}</${name}>` };
}

export function document({ markup }: XmlMarkup): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${markup}`;
}

/** The document of a response: `root` with S3's namespace. */
export function responseDocument(root: string, content: string | readonly (XmlMarkup | undefined)[]): string {
  const { markup } = element(root, content);
  return document({ markup: `<${root} xmlns="${NAMESPACE}"${markup.slice(root.length + 1)}` });
}

/** Control characters become references, as in S3; otherwise a carriage return would be read as a line feed. */
function escapeText(text: string): string {
  return text.replace(/[&<>"]|\p{Cc}/gu, (character) => `&#x${character.charCodeAt(0).toString(16)};`);
}

const ENTITIES = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** A declaration, a tag, or text; tried in this order. */
const TOKEN = /<\?.*?\?>|<(\/?)([\w.:-]+)(?:\s[^<>]*?)?(\/?)>|([^<]+)/sy;

/**
 * Parses a document and returns its root.
 *
 * @throws SyntaxError with the reason
 */
export function parseXml(text: string): XmlElement {
  const root: XmlElement = { name: '', text: '', children: [] };
  const open = [root];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex;
    const token = TOKEN.exec(text);
    if (token === null) throw new SyntaxError(`unexpected markup at character ${at}`);
    const [, closing, tag, selfClosing, characters] = token;
    const inside = open.at(-1)!;
    if (characters !== undefined) inside.text += resolveReferences(characters);
    if (tag === undefined) continue;
    const name = tag.slice(tag.indexOf(':') + 1);
    if (closing !== '') {
      if (inside.name !== name) throw new SyntaxError(`</${tag}> does not match an open element`);
      open.pop();
    } else {
      const child: XmlElement = { name, text: '', children: [] };
      inside.children.push(child);
      if (selfClosing === '') open.push(child);
    }
  }
  const [only, ...others] = root.children;
  if (open.length === 1 && only !== undefined && others.length === 0) return only;
  throw new SyntaxError('expected exactly one root element, which is closed');
}

function resolveReferences(text: string): string {
  const resolved = text.replace(
    /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w+));|&/gi,
    (reference, hex, decimal, name) => {
      const codePoint = hex === undefined ? Number(decimal ?? -1) : Number.parseInt(hex, 16);
      const character =
        codePoint >= 0 && codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : ENTITIES.get(name);
      if (character !== undefined) return character;
      throw new SyntaxError(`unknown reference ${reference}`);
    },
  );
  // Half a character of UTF-16 has no bytes in UTF-8.
  if (resolved.isWellFormed()) return resolved;
  throw new SyntaxError('a reference to half a character');
}

/** The text of the first child of that name, or `undefined`. */
export function childText(parent: XmlElement, name: string): string | undefined {
  return parent.children.find((child) => child.name === name)?.text;
}
