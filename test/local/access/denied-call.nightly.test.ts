/** A function of the local stack that its role does not permit to write: what a user sees. */
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { uploadObject } from '../../../lib/aws/upload-object.ts';
import { startLocalStack } from '../../../lib/local/stack.ts';
import type { StackTemplate } from '../../../lib/local/template.ts';
import { builtProgram, roleNamed } from '../../support/built-program.ts';
import { clientOf } from '../../support/client-of.ts';
import { EASY } from '../../support/puzzles.ts';
import { temporaryFolder } from '../fixture-function.ts';

test('a call that the template does not permit fails, and the log names the object', async () => {
  const { template } = await builtProgram(temporaryFolder(afterAll));
  const role = roleNamed(template, 'solve-batch');
  const changed = JSON.parse(JSON.stringify(template), (_name, value) => {
    const isPolicy =
      Array.isArray(value?.Roles) && value.Roles.some(({ Ref }: { Ref?: string }) => Ref === role);
    return isPolicy
      ? JSON.parse(JSON.stringify(value).replaceAll('"s3:PutObject"', '"s3:PutObjectAcl"'))
      : value;
  }) as StackTemplate;
  const lines: string[] = [];
  const stack = await startLocalStack({
    dataDir: temporaryFolder(onTestFinished),
    template: changed,
    maxReceives: 1,
    // The report of the failure is denied too, and waits.
    fastRetries: true,
    onLog: ({ line }) => void lines.push(line),
  });
  onTestFinished(() => stack.close());
  await uploadObject(clientOf(stack), stack.inputBucket, 'inbox/a.txt', Buffer.from(EASY), {});
  await stack.idle();
  expect(stack.deadLetters).toHaveLength(1);
  expect(lines.join('\n')).toContain('access denied while writing s3://dlx-batch-results/');
});
