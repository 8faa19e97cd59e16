/** What happens to each upload is what its file says: `deliveries.ts`. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { replayDeliveries } from './deliveries.ts';

const FOLDER = new URL('deliveries/', import.meta.url);

test.each(readdirSync(FOLDER))('%s', async (name) => {
  const path = new URL(name, FOLDER).pathname;
  await expect(await replayDeliveries(readFileSync(path, 'utf8'))).toMatchFileSnapshot(path);
});
