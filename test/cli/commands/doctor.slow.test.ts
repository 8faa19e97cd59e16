/** `dlx-batch doctor` against the local stack. What it finds in a stack on AWS: `test/cli/remote/doctor`. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { recordStack } from '../../../lib/local/running-stack.ts';
import { temporaryFolder } from '../../local/fixture-function.ts';
import { runProgram } from '../program.ts';

test('doctor says that it is for AWS', async () => {
  const endpoint = 'http://127.0.0.1:9';
  const folder = temporaryFolder();
  const environment = { ...process.env, XDG_STATE_HOME: folder };
  vi.stubEnv('XDG_STATE_HOME', folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  onTestFinished(recordStack({ endpoint, region: 'us-east-1', accessKeyId: 'K', secretAccessKey: 'S' }));
  const ended = await runProgram(folder, ['doctor', '--endpoint', endpoint], '', environment);
  expect([ended.status, ended.stdout]).toEqual([2, '']);
  expect(ended.stderr).toContain('doctor examines a stack on AWS');
});
