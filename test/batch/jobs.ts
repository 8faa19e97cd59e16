/**
 * The catalogue of jobs: inputs with their options, and the result files that they give. Each file of `test/batch/jobs` has cases
 * of one kind:
 *
 *     === A puzzle with two solutions has both             the case in a sentence
 *     solutions: all                                       options, as in the metadata of an upload
 *     command: --count-only --max-written 2                what only the command line or the operator can set
 *     clock: 10                                            milliseconds that each reading of the clock takes
 *     file name: inbox/a.dlx
 *     function ms: 20000                                   the time of each of many functions, if one puzzle takes over two seconds
 *     shown: stats.json report.html                        what the case is about, of these two files
 *     except by threads: it is cut off by time             a way to run it that gives something else, and why
 *     --- input                                            as in `test/formats/catalogue.ts`
 *     --- outcome                                          counts of the puzzles, or why the file is rejected
 *     --- solutions.txt                                    a long file is cut, and has its digest
 *     --- stats.json                                       without times
 *
 * `npm run jobs` rewrites what follows the input; `git diff` then shows what is otherwise.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { JobDependencies } from '../../lib/batch/job/job-run.ts';
import { DEFAULT_JOB_LIMITS, type JobLimits, parseJobLimits } from '../../lib/batch/job-limits.ts';
import { JOB_LIMIT_NAMES } from '../../lib/batch/limits.ts';
import { parseOptions } from '../../lib/batch/options.ts';
import { escaped, unescaped } from '../formats/catalogue.ts';
import { FakeClock } from '../support/dependencies.ts';
import { elementsOf, elementText, named, parsePage } from '../support/html-tree.ts';
import { MemoryBuckets } from '../support/memory-store.ts';
import { readResultSet } from '../support/result-set.ts';
import { MemoryFiles, type RunRequest, runText } from '../support/run-job.ts';
import { deliver, upload } from '../support/uploads.ts';

const FOLDER = new URL('jobs/', import.meta.url);
/** Lines of a file that are kept. */
const KEPT_LINES = 24;
/** Lines of the text of a report that are kept, and characters of any line. */
const KEPT_REPORT_LINES = 120;
const KEPT_CHARACTERS = 700;
const HEADING = /^--- (?:input(?:, (\d+) times)?|([\w.]+))$/;

export interface JobCase {
  readonly title: string;
  readonly options: Readonly<Record<string, string>>;
  /** Flags of the command line. */
  readonly command: readonly string[];
  readonly settings: Readonly<Record<string, string>>;
  readonly parts: readonly { readonly times: number; readonly lines: readonly string[] }[];
  readonly input: Uint8Array;
  /** What follows the input. */
  readonly expected: readonly string[];
}

/** What a job leaves: the files, or why there are none. */
export interface Found {
  readonly error?: object;
  readonly files: Readonly<Record<string, string>>;
}

const SETTINGS = /^(command|clock|file name|function ms|shown|except .*)$/;

/** All cases by the names of their files. */
export function jobCatalogue(): Readonly<Record<string, readonly JobCase[]>> {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.txt'));
  return Object.fromEntries(
    names.sort().map((name) => [name, parseCases(readFileSync(new URL(name, FOLDER), 'utf8'))]),
  );
}

function parseCases(text: string): JobCase[] {
  return text
    .split(/^=== /m)
    .slice(1)
    .map((part) => parseCase(part.trimEnd().split('\n')));
}

function parseCase([title = '', ...lines]: readonly string[]): JobCase {
  const first = lines.findIndex((line) => HEADING.test(line));
  const facts = lines.slice(0, first).map((line) => /^(.*?): (.*)$/.exec(line)!.slice(1) as [string, string]);
  const sections: { heading: RegExpExecArray; lines: string[] }[] = [];
  for (const line of lines.slice(first)) {
    const heading = HEADING.exec(line);
    if (heading === null) sections.at(-1)!.lines.push(line);
    else sections.push({ heading, lines: [] });
  }
  const parts = sections
    .filter(({ heading }) => heading[2] === undefined)
    .map((section) => ({ times: Number(section.heading[1] ?? 1), lines: section.lines }));
  const settings = Object.fromEntries(facts.filter(([name]) => SETTINGS.test(name)));
  return {
    title,
    options: Object.fromEntries(facts.filter(([name]) => !SETTINGS.test(name))),
    command: settings.command?.split(' ') ?? [],
    settings,
    parts,
    input: Buffer.concat(parts.flatMap((part) => Array<Buffer>(part.times).fill(unescaped(part.lines)))),
    expected: sections.slice(parts.length).flatMap(({ heading, lines: own }) => [heading[0], ...own]),
  };
}

/** The text of a case up to its input. */
function head({ title, options, settings, parts }: JobCase): string[] {
  return [
    `=== ${title}`,
    ...Object.entries({ ...options, ...settings }).map(([name, value]) => `${name}: ${value}`),
    ...parts.flatMap(({ times, lines }) => [
      times === 1 ? '--- input' : `--- input, ${times} times`,
      ...lines,
    ]),
  ];
}

/** Rewrites the files of all cases. @returns the titles of those that changed */
export async function regenerateJobs(): Promise<string[]> {
  const changed: string[] = [];
  for (const [name, cases] of Object.entries(jobCatalogue())) {
    let text = '';
    for (const each of cases) {
      const found = describedFound(await runCase(each), each);
      if (found.join('\n') !== each.expected.join('\n')) changed.push(`${name}: ${each.title}`);
      text += `${[...head(each), ...found].join('\n')}\n\n`;
    }
    writeFileSync(new URL(name, FOLDER), text.replace(/\n$/, ''));
  }
  return changed;
}

/** The operator's limits for a case. */
export function limitsOf({ command }: JobCase): JobLimits {
  const texts = JOB_LIMIT_NAMES.flatMap((name) => {
    const at = command.indexOf(`--${name}`);
    return at < 0 ? [] : [[name, command[at + 1]!] as const];
  });
  return texts.length === 0 ? DEFAULT_JOB_LIMITS : parseJobLimits(Object.fromEntries(texts));
}

/** Whether an upload can request what the case requests. */
export function isUploadable({ command, settings }: JobCase): boolean {
  const only = command.some(
    (flag) => flag.startsWith('--') && !JOB_LIMIT_NAMES.some((name) => flag === `--${name}`),
  );
  return !only && settings.clock === undefined;
}

/** The key of an upload of the case. */
export function keyOf({ settings }: JobCase): string {
  return settings['file name'] ?? 'inbox/puzzles';
}

/** Solves a case with one thread; one whose options are wrong as an upload. */
export async function runCase(each: JobCase, request: RunRequest = {}, bytes = each.input): Promise<Found> {
  const { command, options, settings } = each;
  if ('errors' in parseOptions(options)) return deliverCase(each);
  const numberOf = (flag: string) => {
    const at = command.indexOf(flag);
    return at < 0 ? undefined : Number(command[at + 1]);
  };
  const files = new MemoryFiles();
  const clock = settings.clock === undefined ? {} : { clock: new FakeClock(Number(settings.clock)) };
  const count = numberOf('--random');
  const outcome = await runText(bytes, options, {
    ...(settings['file name'] !== undefined && { fileName: settings['file name'] }),
    ...(count !== undefined && { random: { count, seed: numberOf('--seed') ?? 1 } }),
    ...(command.includes('--max-ms') && { maxMs: numberOf('--max-ms')! }),
    countOnly: command.includes('--count-only'),
    report: !command.includes('--no-report'),
    jobLimits: limitsOf(each),
    storedBytes: bytes.length,
    ...request,
    dependencies: { ...clock, ...request.dependencies } as Partial<JobDependencies>,
    files,
  });
  if (files.unfinished.size > 0) throw new Error(`left open: ${[...files.unfinished].join(', ')}`);
  return outcome.kind === 'rejected'
    ? { error: outcome.error, files: files.closed }
    : { files: files.closed };
}

/** Delivers a case as an upload. */
export async function deliverCase(each: JobCase, dependencies = {}): Promise<Found> {
  const buckets = new MemoryBuckets();
  const uploaded = upload(buckets, keyOf(each), each.input, each.options);
  await deliver(buckets, uploaded, { dependencies: { jobLimits: limitsOf(each), ...dependencies } });
  return storedFound(buckets, keyOf(each));
}

/** What is stored of the only job of a key. */
export function storedFound(buckets: MemoryBuckets, key: string): Found {
  const [reject] = buckets.keys('results', 'rejects/');
  if (reject === undefined) return { files: readResultSet(buckets, key).files };
  const left = buckets.keys('results', 'results/').filter((name) => !name.endsWith('/latest.json'));
  const files = Object.fromEntries(left.map((name) => [name, buckets.text('results', name)]));
  return { error: buckets.json<{ error: object }>('results', reject).error, files };
}

/** What is found, in lines. @param isShort whether long files are cut */
export function describedFound(
  { error, files }: Found,
  { settings }: Pick<JobCase, 'settings'>,
  isShort = true,
): string[] {
  // A rejected file leaves no files.
  if (error !== undefined) return ['--- outcome', JSON.stringify({ rejected: error }), ...Object.keys(files)];
  const { 'stats.json': stats, 'report.html': page, ...others } = files;
  const { puzzles, ...facts } = statistics(JSON.parse(stats!));
  const shown = (name: string) => settings.shown?.includes(name) === true;
  return [
    '--- outcome',
    JSON.stringify({ completed: Object.fromEntries(Object.entries(puzzles!).filter(([, n]) => n > 0)) }),
    ...Object.entries(others).flatMap(([name, text]) => [
      `--- ${name}`,
      ...shortened(untimed(text), isShort ? KEPT_LINES : Infinity),
    ]),
    ...(isShort && !shown('stats.json')
      ? []
      : [
          '--- stats.json',
          ...Object.entries(facts).map(([name, value]) => `${name}: ${JSON.stringify(value)}`),
        ]),
    ...(shown('report.html')
      ? [
          '--- report.html',
          ...shortened(`${pageText(page!, isShort)}\n`, isShort ? KEPT_REPORT_LINES : Infinity),
        ]
      : []),
  ];
}

function untimed(text: string): string {
  return text.replaceAll(/"solveUs":[\d.]+,?/g, '');
}

function statistics(stats: Record<string, object>): Record<string, object> {
  const { schema: _, timing: __, slowest: ___, engine: ____, runtime: _____, used: ______, ...rest } = stats;
  return rest;
}

function shortened(text: string, keptLines: number): string[] {
  const all = escaped(Buffer.from(text)).map((line) => (HEADING.test(line) ? `\\x2d${line.slice(1)}` : line));
  const lines = all.map((line) => line.replace(/^=(?=== )/, '\\x3d'));
  const isLong = keptLines < Infinity && lines.some((line) => line.length > KEPT_CHARACTERS);
  if (lines.length <= keptLines && !isLong) return lines;
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
  const kept = lines.length <= keptLines ? lines : lines.slice(0, keptLines - 4);
  return [...kept.map(cut), `... ${lines.length} lines, sha256 ${digest}`];
}

function cut(line: string): string {
  return line.length <= KEPT_CHARACTERS ? line : `${line.slice(0, KEPT_CHARACTERS)}...`;
}

/** Sections of a report that depend on the machine. */
const TIMED = ['times', 'rate', 'run'];
const LINES = ['h1', 'h2', 'h3', 'p', 'tr', 'summary', 'title', 'pre', 'code', 'li', 'dt', 'dd'];

/** The text of a report without times: a line for each paragraph, row, title of a drawing, and so on. @param withFacts whether it has the lists of facts, some of which are times */
function pageText(source: string, withFacts: boolean): string {
  const page = parsePage(source);
  const timed = named(page, 'section').filter(({ attributes }) =>
    TIMED.includes(attributes['aria-labelledby']!),
  );
  const hidden = new Set(timed.flatMap(elementsOf));
  return (
    elementsOf(named(page, 'main')[0]!)
      .filter((each) => LINES.includes(each.name) && !hidden.has(each))
      .filter(({ name }) => withFacts || !/^d[td]$/.test(name))
      // Of elements in each other, the inner one has the line.
      .filter(
        (each) =>
          !elementsOf(each)
            .slice(1)
            .some(({ name }) => LINES.includes(name)),
      )
      .map((each) => {
        const cells = each.children.map((child) => (typeof child === 'string' ? child : elementText(child)));
        const text = cells.join(each.name === 'tr' ? ' | ' : '').replaceAll('\n', ' ');
        return `${each.name}: ${text.replaceAll(/[\d.,]+ (µs|ms|s)\b/g, '*')}`;
      })
      .filter((line) => !line.endsWith(' | 0 | 0 %'))
      .join('\n')
  );
}
