/** What an interrupt does to `generate`. What it prints: `test/cli/transcripts`. */
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { endOf, folderWith, startProgram } from '../program.ts';

test('generate that is interrupted, also in the middle of a puzzle, ends by the signal', async () => {
  const program = startProgram(folderWith({}, onTestFinished), ['generate', '--count', '1000000000']);
  onTestFinished(() => void program.kill('SIGKILL'));
  const ended = endOf(program);
  await once(program.stdout, 'data');
  program.kill('SIGINT');
  const { signal, stdout } = await ended;
  expect(signal).toBe('SIGINT');
  expect(stdout).toMatch(/^([1-9.]{81}\n)+/);
});
