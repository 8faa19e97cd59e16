/** Nothing from outside controls the terminal: no name, label, message or key in the output of any command. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { print, printJson } from '../../../lib/cli/terminal/output.ts';
import { solutionsOnly } from '../../../lib/cli/terminal/standard-output.ts';
import { propertyRuns } from '../../support/depth.ts';
import { EASY } from '../../support/puzzles.ts';
import { scriptedServer } from '../../support/scripted-server.ts';
import { folderWith, runProgram } from '../program.ts';
import { serveSolved } from '../solved-keys.ts';

const LIB = fileURLToPath(new URL('../../../lib/', import.meta.url));
/** Characters that a terminal obeys or that have no shape, other than line feeds. */
const UNSEEN = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|\u034f|\u115f|\u3164/u;
/** Clears the screen, reverses the text, hides a letter, and forges a line. */
const HOSTILE = 'a\x1b[2J\u009b31m\u202e\u200b\u2028\u0085\u{e0041}\x07\x7f\nforged: 1 puzzle';

function written(write: (stream: PassThrough) => void): string {
  const stream = new PassThrough();
  write(stream);
  return String(stream.read());
}

test('a line stays one line, with invisible characters escaped', () => {
  expect(written((stream) => print(['one', HOSTILE, 'ü 数独 🙂 ❤️'], stream))).toBe(
    'one\na\\u001b[2J\\u009b31m\\u202e\\u200b\\u2028\\u0085\\u{e0041}\\u0007\\u007f\\u000aforged: 1 puzzle\nü 数独 🙂 ❤️\n',
  );
});

test('a JSON document has only visible characters, and the same content', () => {
  const unit = fc.constantFrom('a', '"', '\\', '\n', '\ud800', '🙂', ...HOSTILE);
  const text = fc.string({ unit, maxLength: 20 });
  fc.assert(
    fc.property(text, text, fc.constantFrom(undefined, 2), (name, value, indent) => {
      const document = { [name]: [value], hostile: HOSTILE };
      const json = written((stream) => printJson(document, stream, indent));
      expect(json).not.toMatch(UNSEEN);
      expect(JSON.parse(json)).toEqual(document);
    }),
    { numRuns: propertyRuns(100) },
  );
});

test('solutions on a terminal have only visible characters; a pipe gets their bytes', async () => {
  const solutions = 'a\u202e\x1b[2J\t1\r\nü\r2\n';
  const shown = async (isTTY: boolean) => {
    const stream = Object.assign(new PassThrough(), { isTTY });
    const file = solutionsOnly(stream as unknown as NodeJS.WriteStream).open('solutions.csv');
    for (const byte of Buffer.from(solutions)) await file.write(Buffer.from([byte]));
    return String(stream.read());
  };
  expect(await shown(true)).toBe('a\\u202e\\u001b[2J\t1\\u000d\nü\\u000d2\n');
  expect(await shown(false)).toBe(solutions);
});

test('only one module writes text to the terminal', () => {
  // Scripts of the page have no terminal.
  const sources = readdirSync(join(LIB, 'cli'), { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.startsWith(join('page', 'browser')),
  );
  const found = (pattern: RegExp) =>
    sources.filter((name) => pattern.test(readFileSync(join(LIB, 'cli', name), 'utf8'))).sort();
  expect(found(/\bstd(?:out|err)\.write\b|\bconsole\.|\bstream\.write\(`/)).toEqual([]);
  // Help, scripts of shells, and tables, whose cells are escaped before they are coloured.
  expect(found(/\bwriteText\(/)).toEqual([
    'commands/completion.ts',
    'commands/status.ts',
    'program.ts',
    'terminal/output.ts',
  ]);
});

describe('the output of', () => {
  const FILES: Readonly<Record<string, string>> = {
    [HOSTILE]: `${EASY}\n${EASY.slice(1)}x\u202e\n# \x1b[31mcomment\u202e\n`,
    [`${HOSTILE}.csv`]: `id\u202e\x1b,puzzle,un\u2066used\n"x\u202e\x1b",${EASY},1\n"y\x9b",${EASY.slice(2)},2\n`,
    [`${HOSTILE}.junk`]: `\x1b[2J\u202e nothing\n`,
    [`${HOSTILE}.ec`]: `| \u202e\x1b\na\u202e b\na\u202e\nb b\n`,
  };
  const NAMES = Object.keys(FILES);
  const KEY = `inbox/${HOSTILE}`;
  /** Replaced by the endpoint. */
  const SERVER = 'SERVER';
  const REMOTE = ['--endpoint', SERVER];
  let endpoint: string;

  beforeAll(async () => {
    const keys = [KEY, `${KEY}.junk`];
    ({ endpoint } = await serveSolved(keys, (key) => FILES[key.slice('inbox/'.length)]!));
  });

  test.each<readonly [name: string, args: readonly string[]]>([
    ['solve', ['solve', ...NAMES]],
    ['solve -o', ['solve', '-o', HOSTILE.slice(0, 20), ...NAMES]],
    ['solve of a missing file', ['solve', `${HOSTILE}.none`]],
    ['solve with an unknown option', ['solve', `--${HOSTILE}`]],
    ['solve with a wrong value', ['solve', '--engine', HOSTILE, '--alphabet', HOSTILE]],
    ['an unknown command', [HOSTILE]],
    ['check', ['check', ...NAMES]],
    ['check --json', ['check', '--json', ...NAMES]],
    ['check --explain', ['check', '--explain', ...NAMES]],
    ['estimate', ['estimate', ...NAMES]],
    ['bench', ['bench', '--passes', '1', '--engine', 'dlx', `${HOSTILE}.junk`]],
    ['generate', ['generate', '--variant', HOSTILE]],
    ['local', ['local', '--schedule', HOSTILE]],
    ['upload', ['upload', ...REMOTE, ...NAMES]],
    ['estimate of one file', ['estimate', HOSTILE]],
    ['status', ['status', ...REMOTE]],
    ['status of one key', ['status', ...REMOTE, KEY]],
    ['status --json', ['status', '--json', ...REMOTE]],
    ['status of an unknown key', ['status', ...REMOTE, `${KEY}.none`]],
    ['download', ['download', '-o', HOSTILE.slice(0, 20), ...REMOTE]],
    ['download --json', ['download', '--json', ...REMOTE]],
    ['download of an unknown key', ['download', ...REMOTE, `${KEY}.none`]],
    ['download of an unknown run', ['download', ...REMOTE, '--run', HOSTILE]],
    ['link', ['link', ...REMOTE, KEY]],
    ['link --json', ['link', '--json', ...REMOTE, KEY]],
    ['link to a rejected file', ['link', ...REMOTE, `${KEY}.junk`]],
    ['retry', ['retry', ...REMOTE, HOSTILE]],
    ['run', ['run', ...REMOTE, '--prefix', HOSTILE]],
    ['retry --dry-run', ['retry', '--dry-run', ...REMOTE]],
    ['retry --run', ['retry', ...REMOTE, '--run', HOSTILE]],
    ['run --list', ['run', '--list', '--endpoint', HOSTILE]],
    ['completion', ['completion', HOSTILE]],
  ])('%s has no invisible character from outside, and no forged line', async (_name, args) => {
    const folder = folderWith(FILES, onTestFinished);
    const all = args.map((arg) => (arg === SERVER ? endpoint : arg));
    const { stdout, stderr } = await runProgram(folder, all);
    expect(`${stdout}${stderr}`).not.toBe('');
    // Solutions keep the text of the file, for other programs.
    const isSolutions = args[0] === 'solve' && !args.includes('-o');
    for (const text of isSolutions ? [stderr] : [stdout, stderr]) {
      expect(text).not.toMatch(UNSEEN);
      expect(text).not.toMatch(/^forged/m);
    }
    if (args.includes('--json')) {
      const json = args[0] === 'solve' ? stderr.trimEnd().split('\n').at(-1)! : stdout.split(/\n(?=\{)/)[0]!;
      expect(JSON.stringify(JSON.parse(json))).toContain(JSON.stringify(HOSTILE).slice(1, -1));
    }
  });

  test('a command whose server answers with hostile messages has no invisible character from it', async () => {
    const { endpoint: url } = await scriptedServer((response, request) => {
      request.resume();
      response.writeHead(400, { 'content-type': 'application/xml' });
      response.end(
        '<Error><Code>Bad\u202eCode</Code><Message>\u009b2J\u202ea\u2028\nforged: b</Message></Error>',
      );
    });
    const keys = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' };
    for (const args of [
      ['status'],
      ['download', 'inbox/a.txt'],
      ['upload', HOSTILE],
      ['link', 'inbox/a.txt'],
    ]) {
      const folder = folderWith(FILES, onTestFinished);
      const ended = await runProgram(folder, [...args, '--endpoint', url], '', { ...process.env, ...keys });
      expect([ended.status, ended.stderr]).toEqual([2, expect.stringMatching(/^dlx-batch: /)]);
      if (args[0] === 'download') expect(ended.stderr).toContain('\\u202e');
      expect(`${ended.stdout}${ended.stderr}`).not.toMatch(UNSEEN);
      expect(ended.stderr).not.toMatch(/^forged/m);
    }
  });
});
