/** Help that fits the terminal it is shown in: commander wraps neither what follows the options nor narrow columns. */

/** Columns by which the explanation of an option or an example stands further in than itself, where it gets a line of its own. */
const HANGING_COLUMNS = 4;
/** Explanations are not squeezed into fewer columns than that: the terminal breaks them instead. */
const LEAST_COLUMNS = 16;

/** An indented line with a gap in it: an option or an example, and what it means. */
const EXPLAINED = /^( +)(\S.*?) {2,}(\S.*)$/;

/**
 * Help in lines of a terminal.
 *
 *     --port <n>      port of the S3 endpoint             --port <n>
 *                                                  ->         port of the S3
 *                                                             endpoint
 *
 * Examples themselves are never broken: they are copied.
 *
 * @param columns of the terminal; undefined, where there is none, leaves everything as it is
 */
export function wrappedHelp(text: string, columns: number | undefined): string {
  if (columns === undefined) return text;
  return text
    .split('\n')
    .flatMap((line) => (line.length <= columns ? [line] : brokenLine(line, columns)))
    .join('\n');
}

function brokenLine(line: string, columns: number): string[] {
  const [, indent, explained, explanation] = EXPLAINED.exec(line) ?? [];
  if (indent !== undefined) {
    const hanging = indent.length + HANGING_COLUMNS;
    return [`${indent}${explained}`, ...wrapped(explanation!, hanging, columns)];
  }
  return line.startsWith(' ') ? [line] : wrapped(line, 0, columns);
}

/** Words in as few lines as hold them, each `indent` columns in. */
function wrapped(text: string, indent: number, columns: number): string[] {
  const width = Math.max(LEAST_COLUMNS, columns - indent);
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
