/** Every command exits with what its help says: for each status in a help text, cases that lead to it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { CUT_OFF, EASY, TWO_SOLUTIONS } from '../support/puzzles.ts';
import { folderWith, runProgram } from './program.ts';
import { serveStack } from './served-stack.ts';

const FILES = {
  'a.txt': `${EASY}\n`,
  'mixed.txt': `${EASY}\n${CUT_OFF}\n`,
  'wrong.txt': `${EASY}:2\n`,
  'two.txt': `${TWO_SOLUTIONS}\n`,
  'many.txt': `${'.'.repeat(16)}\n`,
  'junk.txt': 'nothing\n',
  'empty.txt': '',
  'solved.jsonl': '{"index":1,"line":1,"lineEnd":1,"status":"solved"}\n',
  'limit.jsonl': '{"index":1,"line":1,"lineEnd":1,"status":"limit"}\n',
};
/** Replaced by the endpoint of a running stack. */
const SERVER = 'SERVER';
const STACK = ['--endpoint', SERVER];

const CASES: readonly (readonly [command: string, status: number, why: string, args: readonly string[]])[] = [
  ['solve', 0, 'every puzzle solved', ['a.txt']],
  ['solve', 1, 'an unreadable puzzle', ['mixed.txt']],
  ['solve', 1, 'another result than the file expects', ['wrong.txt']],
  ['solve', 1, 'a puzzle with more solutions than one', ['two.txt']],
  ['solve', 0, 'all solutions of a puzzle', ['--solutions', 'all', 'two.txt']],
  [
    'solve',
    1,
    'more solutions than may be written',
    ['--solutions', 'all', '--max-written', '10', 'many.txt'],
  ],
  ['solve', 2, 'a rejected file', ['a.txt', 'junk.txt']],
  ['solve', 2, 'a missing file', ['a.txt', 'none.txt']],
  ['solve', 2, 'a result set that cannot be written', ['-o', 'junk.txt', 'a.txt']],
  ['solve', 2, 'an unknown option', ['--quick']],
  ['solve', 0, 'a file without puzzles', ['empty.txt']],
  ['local', 0, 'every puzzle solved', ['a.txt', 'empty.txt']],
  ['local', 1, 'an unreadable puzzle', ['mixed.txt', 'wrong.txt']],
  ['local', 2, 'an invalid port', ['--port', 'x']],
  ['estimate', 0, 'every file estimated', ['a.txt', 'mixed.txt']],
  ['estimate', 2, 'a rejected file', ['a.txt', 'junk.txt']],
  ['doctor', 2, 'the local stack, as it is for AWS', STACK],
  ['doctor', 2, 'an invalid endpoint', ['--endpoint', 'x']],
  ['upload', 0, 'everything uploaded', [...STACK, 'a.txt', 'junk.txt', 'mixed.txt', '--prefix', 'now/']],
  ['upload', 0, 'every puzzle solved', [...STACK, '--wait', 'a.txt', 'empty.txt', '--prefix', 'w/']],
  ['upload', 1, 'an unreadable puzzle', [...STACK, '--wait', 'a.txt', 'mixed.txt', '--prefix', 'w/']],
  ['upload', 1, 'another result than the file expects', [...STACK, '--wait', 'wrong.txt', '--prefix', 'w/']],
  ['upload', 1, 'a rejected file', [...STACK, '--wait', 'a.txt', 'junk.txt', '--prefix', 'w/']],
  ['upload', 2, 'a missing file', [...STACK, 'none.txt']],
  ['status', 0, 'jobs shown, solved or not', STACK],
  ['status', 2, 'an unknown key', [...STACK, 'inbox/none.txt']],
  ['retry', 0, 'a solved upload', [...STACK, 'inbox/w/a.txt']],
  ['retry', 1, 'a file that is rejected again', [...STACK, '--rejected', '--wait']],
  ['retry', 2, 'an unknown upload', [...STACK, 'inbox/w/a.txt', 'inbox/none.txt']],
  ['retry', 0, 'a run of what has failed', STACK],
  ['retry', 0, 'a rejected upload listed', [...STACK, '--dry-run', 'inbox/w/junk.txt']],
  ['retry', 2, 'a key that is no upload', [...STACK, 'junk.txt']],
  ['retry', 2, 'an unknown run', [...STACK, '--run', '2020-01-01T00-00-00Z-abcdef']],
  ['run', 0, 'a list of uploads', [...STACK, '--dry-run']],
  ['run', 1, 'an upload with an unreadable puzzle', [...STACK, '--wait']],
  ['run', 0, 'runs listed', [...STACK, '--list']],
  ['run', 2, 'an invalid endpoint', ['--endpoint', 'x']],
  ['download', 0, 'everything downloaded, solved or not', [...STACK, 'inbox/w/a.txt', 'inbox/w/mixed.txt']],
  ['download', 1, 'a rejected upload', [...STACK, 'inbox/w/']],
  ['download', 2, 'an unknown key', [...STACK, 'inbox/w/a.txt', 'inbox/none.txt']],
  ['link', 0, 'a link', [...STACK, 'inbox/w/a.txt']],
  ['link', 2, 'a rejected upload', [...STACK, 'inbox/w/junk.txt']],
  ['doctor', 2, 'an invalid id', [...STACK, '--remove', 'x']],
  ['check', 0, 'valid puzzles', ['a.txt', 'empty.txt']],
  ['check', 1, 'an unreadable puzzle', ['a.txt', 'mixed.txt']],
  ['check', 2, 'a rejected file', ['junk.txt', 'mixed.txt']],
  ['check', 0, 'an explanation', ['--explain', 'a.txt']],
  ['check', 1, 'an explanation with an unreadable puzzle', ['--explain', 'mixed.txt']],
  ['check', 2, 'an explanation of a rejected file', ['--explain', 'junk.txt', 'mixed.txt']],
  ['generate', 0, 'a puzzle', ['--seed', '1']],
  ['generate', 2, 'an impossible size', ['--size', '7']],
  ['bench', 0, 'a file measured', ['--passes', '1', '--engine', 'dlx', 'a.txt']],
  ['bench', 2, 'a rejected file', ['--passes', '1', '--engine', 'dlx', 'junk.txt']],
  ['compare', 0, 'the same answers', ['solved.jsonl', 'solved.jsonl']],
  ['compare', 1, 'another answer', ['solved.jsonl', 'limit.jsonl']],
  ['compare', 1, 'a record that only one set has', ['solved.jsonl', 'empty.txt']],
  ['compare', 2, 'a missing set', ['solved.jsonl', 'none']],
  ['compare', 2, 'no records', ['solved.jsonl', 'a.txt']],
  ['completion', 0, 'a script', ['bash']],
  ['completion', 2, 'an unknown shell', ['dos']],
];

/** Statuses that other tests expect of whole commands, which take seconds: command, status, file, expectation. */
const CHECKED_ELSEWHERE = [
  ['doctor', 0, 'doctor/live.nightly.test.ts', 'expect([status, stderr]).toEqual([0'],
  ['doctor', 1, 'doctor/doctor.test.ts', 'expect(status).toBe(1)'],
] as const;

let endpoint: string;
let stop: () => Promise<void>;

beforeAll(async () => {
  ({ endpoint, stop } = await serveStack(folderWith({}, afterAll)));
  const folder = folderWith(FILES, afterAll);
  const upload = ['upload', '--endpoint', endpoint];
  await runProgram(folder, [...upload, '--wait', '--prefix', 'w/', 'a.txt', 'mixed.txt', 'junk.txt']);
  await runProgram(folder, [...upload, '--schedule', 'mixed.txt']);
});
afterAll(() => stop());

describe('the exit status', () => {
  test.each(CASES)('of %s is %i: %s', async (command, status, _why, args) => {
    const folder = folderWith(FILES, onTestFinished);
    const all = args.map((arg) => (arg === SERVER ? endpoint : arg));
    const ended = await runProgram(folder, [command, ...all]);
    expect([ended.status, ended.stderr]).toEqual([status, expect.any(String)]);
  });

  test.each([
    [2, []],
    [0, ['--help']],
    [0, ['help', 'solve']],
    [0, ['--version']],
    [2, ['slove']],
  ])('of the program is %i: %j', async (status, args) => {
    expect((await runProgram(folderWith({}, onTestFinished), args)).status).toBe(status);
  });
});

test('every command says its exit statuses, and there is a case for each', async () => {
  const folder = folderWith({}, onTestFinished);
  const { stdout } = await runProgram(folder, ['--help']);
  const names = [...stdout.matchAll(/^ {2}([a-z]+) [^\n]*/gm)].map(([, name]) => name!);
  const commands = names.filter((name) => name !== 'help');
  expect(commands).toEqual(expect.arrayContaining([...new Set(CASES.map(([command]) => command))]));
  for (const command of commands) {
    const help = (await runProgram(folder, [command, '--help'])).stdout;
    const [, text = ''] = /Exit status: ([\s\S]*)$/.exec(help) ?? [];
    const said = [...text.matchAll(/(?:^|[,\s])([0-9])(?= )/g)].map(([, status]) => Number(status));
    const tested = [...CASES, ...CHECKED_ELSEWHERE].filter(([name]) => name === command);
    expect([command, said]).toEqual([command, [...new Set(tested.map(([, status]) => status))].sort()]);
  }
  for (const [, , file, expectation] of CHECKED_ELSEWHERE) {
    expect(readFileSync(join(import.meta.dirname, file), 'utf8')).toContain(expectation);
  }
});
