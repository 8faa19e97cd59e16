/** What a user sees on a terminal, after the progress line. */
import { expect, onTestFinished, test } from 'vitest';
import { EASY, SOLUTION } from '../../support/puzzles.ts';
import { HAS_TERMINAL, runOnTerminal } from '../on-terminal.ts';
import { folderWith } from '../program.ts';

const PROGRAM = `'${process.execPath}' '${new URL('../../../bin/dlx-batch.mjs', import.meta.url).pathname}'`;

// Other systems have another `script`.
test.runIf(HAS_TERMINAL)('the progress line is erased before solutions, at 40 and 80 columns', async () => {
  const name = '非常に長い名前の数独問題集・完全版・第一巻.txt';
  const folder = folderWith({ [name]: `${EASY}\n` }, onTestFinished);
  for (const columns of [40, 80]) {
    const { status, screen } = await runOnTerminal(folder, `${PROGRAM} solve '${name}'`, { columns });
    const text = screen.replaceAll('\n', '');
    expect([status, text.slice(0, 81)]).toEqual([0, SOLUTION]);
    expect(text.slice(81)).toMatch(new RegExp(`^${name}: `));
  }
});
