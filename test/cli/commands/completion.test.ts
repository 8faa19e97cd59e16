import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Command } from 'commander';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { folderWith, runProgram } from '../program.ts';

const script = async (shell: string) => {
  const ended = await runProgram(folderWith({}, onTestFinished), ['completion', shell]);
  return ended.stdout;
};

describe('completion in bash', () => {
  let bash: string;
  beforeAll(async () => {
    const { completion } = await import('../../../lib/cli/commands/completion.ts');
    const program = new Command('dlx-batch');
    program.command('solve').option('-o, --output-dir <dir>', 'folder').option('--json', 'JSON');
    program.command('status').option('--watch', "it's watched [again]: $HOME");
    program.command('completion');
    const written: string[] = [];
    const { write } = process.stdout;
    process.stdout.write = ((text: string) => written.push(text) > 0) as typeof write;
    try {
      await completion('bash', program);
    } finally {
      process.stdout.write = write;
    }
    bash = written.join('');
  });

  test.each([
    ['a command', 'st', ['status']],
    ['all commands', '', ['solve', 'status', 'completion']],
    ['the options of a command', 'solve --', ['--output-dir', '--json', '--help']],
    ['short options', 'solve -o', ['-o']],
    ['options after files', 'status a.txt --w', ['--watch']],
    ['nothing for a file', 'solve a', []],
    ['nothing for the value of an option', 'solve -o --j', []],
  ])('offers %s', async (_name, line, offered) => {
    const words = ['dlx-batch', ...line.split(' ')];
    const asks = `${bash}
      COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
      _dlx_batch; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', asks]);
    expect(stdout.split('\n').filter((text) => text !== '')).toEqual(offered);
  });
});

test.each(['bash', 'zsh', 'fish'])('a script for %s names every command and its options', async (shell) => {
  const text = await script(shell);
  for (const name of ['solve', 'local', 'upload', 'status', 'download', 'link', 'check']) {
    expect(text).toContain(name);
  }
  expect(text).toMatch(/(--|-l )results-bucket/);
});

test('bash accepts the script for bash', async () => {
  const folder = folderWith({ 'completion.bash': await script('bash') }, onTestFinished);
  const { stdout } = await promisify(execFile)('bash', [
    '--norc',
    '-c',
    `source ${join(folder, 'completion.bash')} && complete -p dlx-batch`,
  ]);
  expect(stdout).toBe('complete -o default -F _dlx_batch dlx-batch\n');
});
