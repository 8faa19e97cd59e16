/** Each transcript prints what its file says. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { folderWith } from './program.ts';
import { replay } from './transcripts.ts';

const FOLDER = join(import.meta.dirname, 'transcripts');

test.each(readdirSync(FOLDER))('%s', async (name) => {
  const path = join(FOLDER, name);
  const folder = folderWith({}, onTestFinished);
  await expect(await replay(readFileSync(path, 'utf8'), folder)).toMatchFileSnapshot(path);
});
