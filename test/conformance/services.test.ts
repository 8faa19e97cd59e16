/** Each row of SQS, Step Functions and EventBridge is answered as its file says: `services.ts`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../local/fixture-function.ts';
import { Services } from './services.ts';

const FILE = new URL('services.txt', import.meta.url).pathname;

test('SQS, Step Functions and EventBridge answer as their rows say', async () => {
  const folder = temporaryFolder();
  const paragraphs = readFileSync(FILE, 'utf8')
    .trimEnd()
    .split(/\n{2}(?=\S)/);
  const shown: string[] = [];
  for (const [index, paragraph] of paragraphs.entries()) {
    const services = await Services.start(join(folder, String(index)));
    const lines: string[] = [];
    for (const line of paragraph.split('\n')) {
      if (!line.startsWith('  ')) lines.push(line);
      if (!line.startsWith('  $ ')) continue;
      const answer = await services.row(line.slice(4));
      lines.push(line, ...(answer === '' ? [] : [`  ${answer}`]));
    }
    await services.close();
    shown.push(lines.join('\n'));
  }
  await expect(`${shown.join('\n\n')}\n`).toMatchFileSnapshot(FILE);
});
