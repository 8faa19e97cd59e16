/** The page of `local --serve` through the whole stack, from an upload to the results. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PageJob } from '../../../lib/cli/page/page-jobs.ts';
import { EASY, SOLUTION } from '../../support/puzzles.ts';
import { folderWith } from '../program.ts';
import { type ServedStack, serveStack } from '../served-stack.ts';

let stack: ServedStack;
const received: string[] = [];

beforeAll(async () => {
  stack = await serveStack(folderWith({}, afterAll));
});
afterAll(() => stack.stop());

async function ask(path: string, init?: RequestInit): Promise<string> {
  const answer = await fetch(new URL(path, stack.page), init);
  const text = await answer.text();
  expect([path, answer.status, text.slice(0, 200)]).toEqual([path, 200, text.slice(0, 200)]);
  received.push(text, JSON.stringify([...answer.headers]));
  return text;
}

test('a file is uploaded, and its solutions are downloaded by a link', async () => {
  expect(await ask('/')).toContain('<title>dlx-batch');
  const headers = { 'content-type': 'application/octet-stream' };
  const query = 'name=a.txt&output=line&records=true';
  await ask(`/_page/uploads?${query}`, { method: 'POST', headers, body: `${EASY}\n` });

  let job: PageJob;
  for (;;) {
    [job] = JSON.parse(await ask('/_page/jobs')).jobs;
    if (job.finished) break;
    await sleep(50);
  }
  expect(job).toMatchObject({ name: 'a.txt', state: 'done', text: 'The puzzle was solved.' });
  const href = (wanted: string) => job.files!.find(({ name }) => name === wanted)!.href;
  expect(await ask(href('solutions.txt'))).toBe(`${SOLUTION}\n`);
  expect(JSON.parse(await ask(href('manifest.json'))).options).toMatchObject({ records: true });
  expect(await ask(job.report!)).toContain('The puzzle was solved.');
  expect(received.join('\n')).not.toContain(stack.secretAccessKey);
});
