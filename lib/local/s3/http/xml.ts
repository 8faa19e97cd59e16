/**
 * The subset of XML in S3's API: writes elements and text; reads elements, text, entities and CDATA.
 *
 * Document types are rejected: S3 clients send none, and entity definitions are an attack on XML parsers.
 */

/** Escaped markup, which can be nested in another element. */
export interface XmlMarkup {
  readonly markup: string;
}

/** A parsed element: its name without namespace prefix, its text and its children. */
export interface XmlElement {
  readonly name: string;
  /** Text directly in the element, concatenated, with entities resolved. */
  readonly text: string;
  readonly children: readonly XmlElement[];
}

const NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/';
const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

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

/** The document of a response: `root` with S3's namespace. */
export function responseDocument(root: string, content: string | readonly (XmlMarkup | undefined)[]): string {
  const { markup } = element(root, content);
  return `${DECLARATION}<${root} xmlns="${NAMESPACE}"${markup.slice(root.length + 1)}`;
}

/** The document of an error, which has no namespace in S3. */
export function errorDocument(content: readonly XmlMarkup[]): string {
  return DECLARATION + element('Error', content).markup;
}

/** Control characters become references, as in S3; otherwise a carriage return would be read as a line feed. */
function escapeText(text: string): string {
  return text.replace(/[&<>"]|\p{Cc}/gu, (character) => {
    const name = ENTITY_OF[character];
    return name === undefined ? `&#x${character.charCodeAt(0).toString(16)};` : `&${name};`;
  });
}

const ENTITY_OF: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' };
const CHARACTER_OF: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Ignored markup, CDATA, a tag, or text; tried in this order. */
const TOKEN = /<\?.*?\?>|<!--.*?-->|<!\[CDATA\[(.*?)\]\]>|<(\/?)([\w.:-]+)((?:\s[^<>]*?)?)(\/?)>|([^<]+)/sy;

/** No S3 document is deeper; the limit bounds the cost of hostile input. */
const MAX_DEPTH = 16;

interface OpenElement {
  readonly name: string;
  text: string;
  readonly children: XmlElement[];
}

/**
 * Parses a document and returns its root.
 *
 * @throws SyntaxError with the reason and the character offset
 */
export function parseXml(document: string): XmlElement {
  const root: OpenElement = { name: '', text: '', children: [] };
  const open: OpenElement[] = [root];
  TOKEN.lastIndex = document.startsWith('\uFEFF') ? 1 : 0;
  while (TOKEN.lastIndex < document.length) {
    const at = TOKEN.lastIndex;
    const token = TOKEN.exec(document);
    if (token === null) throw new SyntaxError(`unexpected markup at character ${at}`);
    applyToken(open, token, at);
  }
  if (open.length > 1) throw new SyntaxError(`<${open[open.length - 1]!.name}> is not closed`);
  if (root.children.length !== 1 || root.text.trim() !== '')
    throw new SyntaxError('expected exactly one root element');
  return root.children[0]!;
}

function applyToken(open: OpenElement[], token: RegExpExecArray, at: number): void {
  const [, cdata, closing, name, , selfClosing, text] = token;
  const inside = open[open.length - 1]!;
  if (cdata !== undefined) inside.text += cdata;
  else if (text !== undefined) inside.text += resolveReferences(text, at);
  else if (name === undefined) return;
  else if (closing === '/') {
    if (open.length === 1 || inside.name !== localName(name)) {
      throw new SyntaxError(`</${name}> at character ${at} does not match an open element`);
    }
    open.pop();
  } else {
    const child: OpenElement = { name: localName(name), text: '', children: [] };
    inside.children.push(child);
    if (selfClosing === '') open.push(child);
    if (open.length > MAX_DEPTH) throw new SyntaxError(`elements nested deeper than ${MAX_DEPTH}`);
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function resolveReferences(text: string, at: number): string {
  const resolved = text.replace(
    /&(?:#x([0-9a-fA-F]{1,6})|#([0-9]{1,7})|(\w+));|&/g,
    (reference, hex, decimal, name) => {
      if (name !== undefined && Object.hasOwn(CHARACTER_OF, name)) return CHARACTER_OF[name]!;
      const codePoint = hex !== undefined ? Number.parseInt(hex, 16) : Number(decimal ?? -1);
      if (codePoint >= 0 && codePoint <= 0x10ffff) return String.fromCodePoint(codePoint);
      throw new SyntaxError(`unknown reference ${reference} in the text at character ${at}`);
    },
  );
  // Half a character of UTF-16 has no bytes in UTF-8.
  if (resolved.isWellFormed()) return resolved;
  throw new SyntaxError(`a reference to half a character in the text at character ${at}`);
}

/** The text of the first child of that name, or `undefined`. */
export function childText(parent: XmlElement, name: string): string | undefined {
  return parent.children.find((child) => child.name === name)?.text;
}
