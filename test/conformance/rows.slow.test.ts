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
