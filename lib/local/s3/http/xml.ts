/**
 * As much XML as S3 speaks: elements and text out; elements, text, entities and CDATA in.
 *
 * A document type is refused: nobody who speaks S3 sends one, and entity definitions are how XML parsers are
 * attacked.
 */

/** Markup that is ready to be put inside another element. */
export interface XmlMarkup {
  readonly markup: string;
}

/** An element that was read: its name without a namespace prefix, its text, the elements inside it. */
export interface XmlElement {
  readonly name: string;
  /** The text directly inside, entities resolved, pieces joined. */
  readonly text: string;
  readonly children: readonly XmlElement[];
}

const NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/';
const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** One element around text (which is escaped here) or around other elements (`undefined` ones are left out). */
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

/** The document of an answer: `root` with S3's namespace on it. */
export function responseDocument(root: string, content: string | readonly (XmlMarkup | undefined)[]): string {
  const { markup } = element(root, content);
  return `${DECLARATION}<${root} xmlns="${NAMESPACE}"${markup.slice(root.length + 1)}`;
}

/** The document of an error, which S3 sends without a namespace. */
export function errorDocument(content: readonly XmlMarkup[]): string {
  return DECLARATION + element('Error', content).markup;
}

/** Control characters go out as references, as S3 does; a carriage return would otherwise be read as a line feed. */
function escapeText(text: string): string {
  return text.replace(/[&<>"]|\p{Cc}/gu, (character) => {
    const name = ENTITY_OF[character];
    return name === undefined ? `&#x${character.charCodeAt(0).toString(16)};` : `&${name};`;
  });
}

const ENTITY_OF: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' };
const CHARACTER_OF: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Markup that is passed over, CDATA, a tag, or a run of text; tried in this order at each place. */
const TOKEN = /<\?.*?\?>|<!--.*?-->|<!\[CDATA\[(.*?)\]\]>|<(\/?)([\w.:-]+)((?:\s[^<>]*?)?)(\/?)>|([^<]+)/sy;

/** Elements deeper than this are no S3 document; the bound keeps hostile input from costing anything. */
const MAX_DEPTH = 16;

interface OpenElement {
  readonly name: string;
  text: string;
  readonly children: XmlElement[];
}

/**
 * Reads a document and returns its root.
 *
 * @throws SyntaxError that says what is wrong and at which character
 */
export function parseXml(document: string): XmlElement {
  const root: OpenElement = { name: '', text: '', children: [] };
  const open: OpenElement[] = [root];
  TOKEN.lastIndex = document.startsWith('\uFEFF') ? 1 : 0;
  while (TOKEN.lastIndex < document.length) {
    const at = TOKEN.lastIndex;
    const token = TOKEN.exec(document);
    if (token === null) throw new SyntaxError(`unexpected markup at character ${at}`);
    takeToken(open, token, at);
  }
  if (open.length > 1) throw new SyntaxError(`<${open[open.length - 1]!.name}> is not closed`);
  if (root.children.length !== 1 || root.text.trim() !== '')
    throw new SyntaxError('expected exactly one root element');
  return root.children[0]!;
}

function takeToken(open: OpenElement[], token: RegExpExecArray, at: number): void {
  const [, cdata, closing, name, , selfClosing, text] = token;
  const inside = open[open.length - 1]!;
  if (cdata !== undefined) inside.text += cdata;
  else if (text !== undefined) inside.text += resolveReferences(text, at);
  else if (name === undefined) return;
  else if (closing === '/') {
    if (open.length === 1 || inside.name !== localName(name)) {
      throw new SyntaxError(`</${name}> at character ${at} closes nothing`);
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
  return text.replace(
    /&(?:#x([0-9a-fA-F]{1,6})|#([0-9]{1,7})|(\w+));|&/g,
    (reference, hex, decimal, name) => {
      if (name !== undefined && name in CHARACTER_OF) return CHARACTER_OF[name]!;
      const codePoint = hex !== undefined ? Number.parseInt(hex, 16) : Number(decimal ?? -1);
      if (codePoint >= 0 && codePoint <= 0x10ffff) return String.fromCodePoint(codePoint);
      throw new SyntaxError(`unknown reference ${reference} in the text at character ${at}`);
    },
  );
}

/** The text of the first child of that name, or `undefined`. */
export function childText(parent: XmlElement, name: string): string | undefined {
  return parent.children.find((child) => child.name === name)?.text;
}
