/** Where `generate` writes, and what an interrupt leaves. What it prints: `test/cli/transcripts`. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { endOf, folderWith, runProgram, startProgram } from '../program.ts';

const folder = folderWith({}, afterAll);
const generate = (...args: string[]) => runProgram(folder, ['generate', ...args]);

describe('generate', () => {
  test('writes to a pipe and through a link, and does not replace them', async () => {
    const at = (name: string) => join(folder, name);
    execFileSync('mkfifo', [at('pipe')]);
    symlinkSync('linked.txt', at('link'));
    writeFileSync(at('linked.txt'), 'old\n');
    const [piped] = await Promise.all([
      readFile(at('pipe'), 'utf8'),
      generate('--count', '3', '--seed', '2', '-o', 'pipe'),
      generate('--count', '3', '--seed', '2', '-o', 'link'),
    ]);
    expect(piped).toMatch(/^([1-9.]{81}\n){3}$/);
    expect(readFileSync(at('linked.txt'), 'utf8')).toBe(piped);
    expect([lstatSync(at('pipe')).isFIFO(), lstatSync(at('link')).isSymbolicLink()]).toEqual([true, true]);
  });

  test('interrupted in the middle leaves no file, reports that, and ends by the signal', async ({
    onTestFinished,
  }) => {
    const own = folderWith({}, onTestFinished);
    const program = startProgram(own, ['generate', '--count', '1000000000', '-o', 'endless.txt']);
    onTestFinished(() => void program.kill('SIGKILL'));
    const ended = endOf(program);
    // The file has content, so generation has started.
    const unfinished = join(own, 'endless.txt.unfinished');
    while (!existsSync(unfinished) || statSync(unfinished).size === 0) await sleep(20);
    program.kill('SIGINT');
    const { signal, stderr } = await ended;
    expect(signal).toBe('SIGINT');
    expect(stderr).toMatch(
      /dlx-batch: interrupted: endless\.txt was not written, and no partial file is left\n$/,
    );
    expect(readdirSync(own)).toEqual([]);
  });
});
