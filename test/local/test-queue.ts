/** A queue with its dead letters, a clock of the test's, and by default a journal in memory. */
import { LocalQueue, type QueueOptions } from '../../lib/local/queue/queue.ts';
import type { JournaledMessage, QueueJournal } from '../../lib/local/queue/queue-journal.ts';
import { ManualClock } from './manual-clock.ts';

export function memoryJournal(): QueueJournal {
  const sent: JournaledMessage[] = [];
  return {
    earlier: [],
    recordSend: (message: JournaledMessage) => sent.push(message) - 1,
    read: (place: number) => sent[place]!,
    recordDelete() {},
    recordDead() {},
    close() {},
  } as unknown as QueueJournal;
}

export function testQueue(options: Partial<QueueOptions> = {}) {
  const clock = new ManualClock();
  const journal = options.journal ?? memoryJournal();
  const shared = { visibilityTimeoutMs: 1000, maxReceives: 3, clock, ...options, journal };
  const dead = new LocalQueue({ ...shared, name: 'dead', isDeadLetters: true });
  const queue = new LocalQueue({ ...shared, name: 'jobs', deadLetters: dead });
  const bodies = (maxMessages = 10) => queue.receive(maxMessages).map((record) => record.body);
  return { queue, dead, clock, bodies };
}
