/** Each row of S3 is answered as its file says: `rows.ts`. */
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { replayRows } from './rows.ts';
import { openTarget, type Target } from './target.ts';

const FOLDER = new URL('rows/', import.meta.url);

let target: Target;
beforeAll(async () => {
  target = await openTarget(process.env);
});
afterAll(() => target.close());

test.each(readdirSync(FOLDER))('%s', async (name) => {
  const path = new URL(name, FOLDER).pathname;
  await expect(await replayRows(readFileSync(path, 'utf8'), target)).toMatchFileSnapshot(path);
});

test('errors of links are those that LocalStack recorded from S3 (test_s3.py, validated snapshots of 23 March 2026)', async () => {
  const links = readFileSync(new URL('recorded/links.jsonl', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  for (const line of links) {
    const { test: name, row, answer } = JSON.parse(line);
    const replayed = await replayRows(`A link.\n\n  $ ${row}`, target);
    expect(replayed.split('\n').at(-1), name).toBe(`  ${answer}`);
  }
});
