/** A queue with its dead letters and a clock of the test's, by default in a temporary folder. */
import { join } from 'node:path';
import { LocalQueue, type QueueOptions } from '../../lib/local/queue/queue.ts';
import { temporaryFolder } from './fixture-function.ts';
import { ManualClock } from './manual-clock.ts';

export function testQueue({ folder, ...options }: Partial<QueueOptions> & { readonly folder?: string } = {}) {
  const clock = new ManualClock();
  const dataDir = folder ?? temporaryFolder();
  const shared = { visibilityTimeoutMs: 1000, maxReceives: 3, clock, ...options };
  const dead = new LocalQueue({ ...shared, name: 'dead', journal: join(dataDir, 'dead.jsonl') });
  const queue = new LocalQueue({
    ...shared,
    name: 'jobs',
    journal: join(dataDir, 'queue.jsonl'),
    deadLetters: dead,
  });
  const bodies = (maxMessages = 10) => queue.receive(maxMessages).map((record) => record.body);
  return { queue, dead, clock, bodies };
}
