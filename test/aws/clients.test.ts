/** Every AWS client is made with timeouts: without them the SDK waits forever. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const FOLDER = join(import.meta.dirname, '../../lib/aws');
const CLIENT = /new (?:S3|SQS|SFN|CloudFormation)\((?<settings>[^;]*?)\);?\n/gs;

it('sets a request handler with timeouts for every client', () => {
  const clients = readdirSync(FOLDER).flatMap((name) =>
    [...readFileSync(join(FOLDER, name), 'utf8').matchAll(CLIENT)].map((match) => [
      name,
      match.groups!.settings,
    ]),
  );
  expect(clients.length).toBeGreaterThan(5);
  for (const [name, settings] of clients) expect(settings, name).toContain('requestHandler');
});
