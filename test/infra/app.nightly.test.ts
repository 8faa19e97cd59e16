import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const APP = fileURLToPath(new URL('../../bin/app.ts', import.meta.url));
const outDir = mkdtempSync(join(tmpdir(), 'dlx-batch-app-'));
afterAll(() => rmSync(outDir, { recursive: true }));

/** Runs the app as the `cdk` command does: context and output folder in the environment. No credentials. */
function runApp(context: Record<string, unknown>, folder: string) {
  return spawnSync(process.execPath, [APP], {
    encoding: 'utf8',
    env: {
      CDK_OUTDIR: join(outDir, folder),
      CDK_DEFAULT_REGION: 'eu-west-1',
      CDK_CONTEXT_JSON: JSON.stringify({ 'aws:cdk:bundling-stacks': [], ...context }),
    },
  });
}

describe('bin/app.ts', () => {
  it('synthesises the stack that the context names', () => {
    const { status, stderr } = runApp({ 'dlx:stackName': 'puzzles-test' }, 'good');
    expect([status, stderr]).toEqual([0, '']);
    expect(existsSync(join(outDir, 'good', 'puzzles-test.template.json'))).toBe(true);
  });

  it.each([
    {
      what: 'a setting out of range',
      context: { 'dlx:memoryMb': '64' },
      message: 'context dlx:memoryMb is "64": expected a whole number of MiB from 128 to 10240',
    },
    {
      what: 'a default option that no job could take',
      context: { 'dlx:defaultOptions': { engin: 'dlx' } },
      message: 'context dlx:defaultOptions: option "engin" is unknown',
    },
  ])('reports $what in one line, and writes no stack', ({ context, message }) => {
    const { status, stderr } = runApp(context, 'bad');
    expect(status).toBe(1);
    expect(stderr.trimEnd().split('\n')).toEqual([expect.stringContaining(message)]);
    expect(existsSync(join(outDir, 'bad', 'DlxBatch.template.json'))).toBe(false);
  });

  it.each([
    ['dlx:alarmTopicArn', 'arn:aws:sns:us-east-1:111122223333:on-call', 'alarmTopic DlxBatch/AlarmTopic'],
    ['dlx:eventBus', 'arn:aws:events:us-east-1:111122223333:event-bus/mine', 'eventBus DlxBatch/EventBus'],
  ])('refuses %s in another region than that of the command', (name, arn, what) => {
    const { status, stderr } = runApp({ [name]: arn }, 'region');
    expect(status).toBe(1);
    expect(stderr).toContain(
      `${what} is in region us-east-1, the stack DlxBatch in eu-west-1: give one in the same`,
    );
  });
});
