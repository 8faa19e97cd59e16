import { expect, test } from 'vitest';
import { messageFor } from '../../../lib/batch/bulk-run/planned-version.ts';
import { markersOf } from '../../../lib/batch/bulk-run/sweep/version-markers.ts';
import type { LargeJob } from '../../../lib/batch/large/steps.ts';
import { sendMissedUploads } from '../../../lib/local/queue/missed-uploads.ts';
import { systemHashing } from '../../../lib/node/system.ts';
import { uploadEvent } from '../../support/built-program.ts';
import { MemoryBuckets, memoryStore } from '../../support/memory-store.ts';

const LONG = 'x'.repeat(900);

/** The message of an upload, as the relay sends it. */
function eventOf(key: string, versionId: string): string {
  const created = {
    bucket: 'input',
    key,
    size: 4,
    etag: 'e',
    versionId,
    sequencer: '1',
    reason: 'PutObject',
  } as const;
  return uploadEvent(created);
}

function executionOf(key: string, versionId: string): string {
  return JSON.stringify({ bucket: 'input', key, versionId, options: '{}' } satisfies LargeJob);
}

test('an upload gets a message if it has no outcome, and no message and no execution names it', async () => {
  const buckets = new MemoryBuckets();
  const upload = (key: string) => buckets.write('input', key, 'text').versionId;
  const isDone = (key: string, versionId: string) => {
    for (const marker of markersOf({ key, versionId, etag: '' }, systemHashing))
      buckets.write('results', marker, '');
  };
  const work: string[] = [];
  const missed: [key: string, versionId: string][] = [];
  for (const key of ['inbox/a', 'inbox/a!', 'inbox/a/b', 'inbox/ü "\\', `inbox/${LONG}1`, `inbox/${LONG}2`]) {
    isDone(key, upload(key));
    work.push(eventOf(key, upload(key)));
    missed.push([key, upload(key)]);
    work.push(executionOf(key, upload(key)));
    const resent = { key, versionId: upload(key), bytes: 4, etag: 'e', lastModified: '', latest: true };
    work.push(messageFor(resent, 'input'));
  }
  missed.push(['inbox/deleted', upload('inbox/deleted')]);
  buckets.markDeleted('input', 'inbox/deleted');
  for (const key of ['scheduled/a', 'elsewhere/a']) upload(key);
  buckets.write('input', 'inbox/folder/', '');
  const sent: unknown[] = [];
  const run = (known: readonly string[]) =>
    sendMissedUploads(
      known,
      { store: memoryStore(buckets), inputBucket: 'input', resultsBucket: 'results', hashing: systemHashing },
      (body) => {
        const { object } = parseUploadEvent(body);
        sent.push([object.key, object['version-id']]);
        work.push(body);
      },
    );
  await run(work);
  expect(sent.sort()).toEqual(missed.sort());
  await run(work);
  expect(sent).toHaveLength(missed.length);
});

function parseUploadEvent(body: string): { object: { key: string; 'version-id': string } } {
  return JSON.parse(body).detail;
}
