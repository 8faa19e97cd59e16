/**
 * The only module that writes text to standard output and standard error, so that no name, message or label from outside
 * can control the terminal or forge a line.
 *
 *     print(['inbox/\x1b[2J.txt: 5 files'])     ->     inbox/\u001b[2J.txt: 5 files
 */
import { visibleJson, visibleText } from '../../formats/bytes/visible-text.ts';
import { beforeOutput } from './terminal.ts';

/** Writes lines; each line stays one line. @returns false if the caller should wait for `drain` */
export function print(lines: readonly string[], stream: NodeJS.WritableStream = process.stdout): boolean {
  if (lines.length === 0) return true;
  return writeText(`${lines.map(visibleText).join('\n')}\n`, stream);
}

/** Writes lines to standard error, the first one after the name of the program. */
export function complain(...lines: readonly string[]): void {
  const [first = '', ...more] = lines;
  print([`dlx-batch: ${first}`, ...more], process.stderr);
}

/** Writes one JSON document; in its strings, invisible characters are escaped in JSON's own way, which loses nothing. */
export function printJson(
  document: unknown,
  stream: NodeJS.WritableStream = process.stdout,
  indent?: number,
): boolean {
  return writeText(`${visibleJson(JSON.stringify(document, undefined, indent))}\n`, stream);
}

/** Writes what a command has found: one JSON document with `--json`, else lines. */
export function printFound(
  { json }: { readonly json?: boolean },
  document: object,
  lines: readonly string[],
): void {
  if (json === true) printJson(document);
  else print(lines);
}

/** Writes text that has only constants of the program, or in which everything else is escaped. */
export function writeText(text: string, stream: NodeJS.WritableStream): boolean {
  return writeBytes(text, stream);
}

/** Writes solutions as they are. @returns false if the caller should wait for `drain` */
export function writeBytes(data: Uint8Array | string, stream: NodeJS.WritableStream): boolean {
  beforeOutput(stream as NodeJS.WriteStream, data);
  return stream.write(data);
}
