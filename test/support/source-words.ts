/** Splits sources in TypeScript and JavaScript into identifiers and texts, without a parser. */

export interface SourceWords {
  readonly identifiers: readonly string[];
  /** String literals and the literal parts of templates. */
  readonly texts: readonly string[];
}

const TOKEN = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|[\w$]+|\s+|[\s\S]/y;
const REGULAR_EXPRESSION = /\/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\[])+\/\w*/y;
const TEMPLATE_PART = /((?:\\[\s\S]|\$(?!\{)|[^\\`$])*)(`|\$\{)/y;
/** Keywords before which a slash begins a regular expression. */
const OPERATORS = new Set(['return', 'typeof', 'case', 'of', 'in', 'void', 'await', 'yield']);

/** The identifiers and texts of a source, without comments and regular expressions. */
export function wordsIn(source: string): SourceWords {
  const identifiers: string[] = [];
  const texts: string[] = [];
  /** Open braces in the expression of each open template. */
  const templates: number[] = [];
  /** Whether the last token ends an operand, so that a slash divides. */
  let operand = false;
  let at = 0;

  const match = (pattern: RegExp): RegExpExecArray => {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    if (found === null) throw new Error(`unexpected source text: ${source.slice(at, at + 80)}`);
    at = pattern.lastIndex;
    return found;
  };
  const templatePart = (): void => {
    const [, text, end] = match(TEMPLATE_PART);
    texts.push(text!);
    if (end === '${') templates.push(0);
    operand = end === '`';
  };

  while (at < source.length) {
    const start = at;
    const [token] = match(TOKEN);
    if (/^(?:\s|\/\/|\/\*)/.test(token)) continue;
    if (token === '`') {
      templatePart();
      continue;
    }
    if (token === '/' && !operand) {
      at = start;
      match(REGULAR_EXPRESSION);
      operand = true;
      continue;
    }
    if (token === '{' && templates.length > 0) templates[templates.length - 1]!++;
    if (token === '}' && templates.length > 0 && templates[templates.length - 1]!-- === 0) {
      templates.pop();
      templatePart();
      continue;
    }
    if (/^[\w$]/.test(token)) identifiers.push(token);
    if (/^['"]/.test(token)) texts.push(token.slice(1, -1));
    operand = /^[\w$'")\]]/.test(token) && !OPERATORS.has(token);
  }
  return { identifiers, texts };
}
