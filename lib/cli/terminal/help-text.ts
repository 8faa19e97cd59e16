/** Wraps help texts to the terminal width. Commander wraps neither the text after the options nor narrow columns. */

/** Extra indentation of a description that is moved to its own line. */
const HANGING_COLUMNS = 4;
/** Minimum width of a description; in a narrower terminal the lines overflow. */
const MIN_COLUMNS = 16;

/** An indented term and its description, with a gap of two or more spaces: an option or an example. */
const TERM_WITH_DESCRIPTION = /^( +)(\S.*?) {2,}(\S.*)$/;

/**
 * Wraps a help text.
 *
 *     --port <n>      port of the S3 endpoint             --port <n>
 *                                                  ->         port of the S3
 *                                                             endpoint
 *
 * Example commands are never broken, because users copy them.
 *
 * @param columns width of the terminal; undefined for no terminal, which leaves the text unchanged
 */
export function wrappedHelp(text: string, columns: number | undefined): string {
  if (columns === undefined) return text;
  return text
    .split('\n')
    .flatMap((line) => (line.length <= columns ? [line] : wrappedLine(line, columns)))
    .join('\n');
}

function wrappedLine(line: string, columns: number): string[] {
  const [, indent, term, description] = TERM_WITH_DESCRIPTION.exec(line) ?? [];
  if (indent !== undefined) {
    const hanging = indent.length + HANGING_COLUMNS;
    return [`${indent}${term}`, ...wrapped(description!, hanging, columns)];
  }
  return line.startsWith(' ') ? [line] : wrapped(line, 0, columns);
}

/** Breaks a text between words into lines that are indented by `indent` columns. */
function wrapped(text: string, indent: number, columns: number): string[] {
  const width = Math.max(MIN_COLUMNS, columns - indent);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  lines.push(line);
  return lines.map((each) => ' '.repeat(indent) + each);
}
