/** The formats of files and the outputs, each with an example that is solved now. */
import { FORMAT_NAMES, OUTPUT_PROFILES } from '../../lib/formats/formats.ts';
import type { CatalogueCase } from '../formats/catalogue.ts';
import { shortest, solved } from './codes.ts';

/** Shorter files have no puzzle that one would want to solve. */
const MIN_CHARACTERS = 30;
/** Longest example, in lines. */
const MAX_LINES = 24;

/** Each format with the shortest well-formed case of the catalogue that has it, and its solutions. */
export async function formatExamples(): Promise<string> {
  const cases = shortest().filter(isExample);
  const parts: string[] = [];
  for (const format of FORMAT_NAMES) parts.push(await formatExample(format, cases));
  return parts.join('\n\n');
}

async function formatExample(format: string, cases: readonly CatalogueCase[]): Promise<string> {
  const known = cases.filter((each) => formatsOf(each).every((name) => name === format));
  const knuth = KNUTH[format];
  const candidates = knuth === undefined ? known : [{ input: Buffer.from(knuth), options: {} }];
  for (const { input, options } of candidates) {
    const { solutions, records } = await solved(input, options);
    const text = Buffer.from(input).toString();
    // Each of its puzzles is solved, and was not solved before.
    if (solutions === '' || solutions === text || records.length > 0) continue;
    const option = 'format' in options ? `, with \`--format ${format}\`` : '';
    return `### \`${format}\`\n\n${fenced(text)}\n\nsolved${option}:\n\n${fenced(solutions)}`;
  }
  throw new Error(`the catalogue has no example of ${format}`);
}

/** The examples of "The Art of Computer Programming", volume 4B, for the format of its programs: without and with colours. */
const KNUTH: Readonly<Record<string, string>> = {
  dlx: 'a b c d e f g\nc e\na d g\nb c f\na d f\nb g\nd e g\n',
  xcc: 'p q r | x y\np q x y:A\np r x:A y\np x:B\nq x:A\nr y:B\n',
};

function formatsOf({ records }: CatalogueCase): string[] {
  return records.flatMap((record) => /"format":"([\w-]+)"/.exec(record)?.[1] ?? []);
}

function isExample(each: CatalogueCase): boolean {
  const { records, input, options, parts } = each;
  const text = Buffer.from(input).toString();
  return (
    text.length >= MIN_CHARACTERS &&
    parts.every(({ times }) => times <= 4) &&
    formatsOf(each).length > 0 &&
    Object.entries(options).every(([name, value]) => name === 'format' && value === formatsOf(each)[0]) &&
    records.every((record) => record.startsWith('{') && !/"(error|warnings)"/.test(record)) &&
    text.split('\n').length <= 4 * MAX_LINES &&
    /^[\x20-\x7e\n]+$/.test(text)
  );
}

const TWO_PUZZLES = [
  '53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79',
  '55..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79',
  '',
].join('\n');

/** Each output of a file with a puzzle that is solved and one whose givens clash. */
export async function outputExamples(): Promise<string> {
  const parts: string[] = [];
  for (const output of OUTPUT_PROFILES) {
    if (output === 'same') continue;
    const { solutions, rejected } = await solved(TWO_PUZZLES, { output });
    parts.push(`### \`${output}\``, fenced(rejected?.message ?? solutions));
  }
  return parts.join('\n\n');
}

function fenced(text: string): string {
  const lines = text.replace(/\n+$/, '').split('\n');
  const shown = lines.length > MAX_LINES ? [...lines.slice(0, MAX_LINES), '...'] : lines;
  return `\`\`\`text\n${shown.join('\n')}\n\`\`\``;
}
