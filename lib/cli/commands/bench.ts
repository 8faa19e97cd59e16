/** `dlx-batch bench`: compares the engines on the user's files. The measuring code is imported on use. */
import type { Command } from 'commander';
import { ENGINE_NAMES } from '../../sudoku/engine.ts';
import type { BenchFlags } from '../bench/bench-files.ts';

const EXAMPLES = `
Examples:
  dlx-batch bench puzzles.txt                     all engines
  dlx-batch bench --engine dlx --engine bitboard puzzles.txt more.csv.gz
  dlx-batch bench --json puzzles.txt              one JSON object: { "results": [ ... ] }

Engines alternate pass by pass, so other load on the machine affects all of them equally. Every answer is checked
against the rules. Only solving is measured, on one thread: no reading and no writing.

Exit status: 0 every file measured, 2 error.`;

export function registerBench(program: Command): void {
  program
    .command('bench')
    .description('compare the engines on your own puzzle files')
    .argument('<file...>', 'puzzle files (-: standard input)')
    .addHelpText('after', EXAMPLES)
    .option(
      '--engine <name>',
      `${ENGINE_NAMES.join(', ')}; can be repeated (default: all)`,
      (name: string, names: readonly string[] = []) => [...names, name],
    )
    .option('--passes <n>', 'measurements per engine', '5')
    .option('--json', 'write one JSON object')
    .action(async (paths: string[], flags: BenchFlags) => {
      const { benchFiles } = await import('../bench/bench-files.ts');
      await benchFiles(paths, flags);
    });
}
