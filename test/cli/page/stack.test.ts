/** The page of `local --serve`, from an upload by its form to the results, through the whole stack. */
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PageJob } from '../../../lib/cli/page/page-jobs.ts';
import { LOCAL_STACK } from '../../../lib/local/stack-names.ts';
import { EASY, SOLUTION } from '../../support/puzzles.ts';
import { folderWith, startProgram } from '../program.ts';

let page: string;
let stop: () => Promise<void>;
const said: string[] = [];

beforeAll(async () => {
  const program = startProgram(folderWith({}, afterAll), ['local', '--serve', '--json']);
  const lines = createInterface({ input: program.stdout });
  page = await new Promise((resolve) => lines.once('line', (line) => resolve(JSON.parse(line).page)));
  stop = async () => {
    program.kill('SIGTERM');
    await new Promise((resolve) => program.once('close', resolve));
  };
}, 60_000);
afterAll(() => stop());

async function ask(path: string, init?: RequestInit): Promise<string> {
  const answer = await fetch(new URL(path, page), init);
  const text = await answer.text();
  expect([path, answer.status, text.slice(0, 200)]).toEqual([path, 200, text.slice(0, 200)]);
  said.push(text, JSON.stringify([...answer.headers]));
  return text;
}

test('a file goes in by a form, and its solutions come back by a link', async () => {
  expect(await ask('/')).toContain('<title>dlx-batch');
  const wish = { name: 'a.txt', bytes: 82, options: { output: 'line', records: 'true' } };
  const headers = { 'content-type': 'application/json' };
  const form = JSON.parse(
    await ask('/_page/uploads', { method: 'POST', headers, body: JSON.stringify(wish) }),
  );
  const body = new FormData();
  for (const [name, value] of Object.entries<string>(form.fields)) body.append(name, value);
  body.append('file', new Blob([`${EASY}\n`]), 'file');
  expect((await fetch(new URL(form.action, page), { method: 'POST', body })).status).toBe(204);

  let job: PageJob;
  for (;;) {
    [job] = JSON.parse(await ask('/_page/jobs')).jobs;
    if (job.over) break;
    await sleep(50);
  }
  expect(job).toMatchObject({ name: 'a.txt', state: 'done', text: 'The puzzle was solved.' });
  const href = (wanted: string) => job.files!.find(({ name }) => name === wanted)!.href;
  expect(await ask(href('solutions.txt'))).toBe(`${SOLUTION}\n`);
  expect(JSON.parse(await ask(href('manifest.json'))).options).toMatchObject({ records: true });
  expect(await ask(job.report!)).toContain('The puzzle was solved.');
  expect(said.join('\n')).not.toContain(LOCAL_STACK.secretAccessKey);
}, 60_000);
