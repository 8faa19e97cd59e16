/** `dlx-batch bench`: the engines side by side on the user's own files. What measures loads on use. */
import type { Command } from 'commander';
import { ENGINE_NAMES } from '../../sudoku/engine.ts';
import type { BenchFlags } from '../bench/bench-files.ts';

const EXAMPLES = `
Examples:
  dlx-batch bench puzzles.txt                     all engines on your file
  dlx-batch bench --engine dlx --engine bitboard puzzles.txt more.csv.gz
  dlx-batch bench --json puzzles.txt              one JSON object: { "results": [ ... ] }

Engines take turns, pass after pass, so that whatever else the machine does meets all of them alike. Every answer is
checked against the rules. Only the engines are measured: no reading, no writing, one thread.

Exit status: 0 every file was measured, 2 it could not run.`;

/** Registers the command. */
export function registerBench(program: Command): void {
  program
    .command('bench')
    .description('measure the engines side by side on your own puzzle files')
    .argument('<file...>', 'puzzle files; - reads standard input')
    .addHelpText('after', EXAMPLES)
    .option(
      '--engine <name>',
      `one of ${ENGINE_NAMES.join(', ')}; may be given several times (default: all of them)`,
      (name: string, names: readonly string[] = []) => [...names, name],
    )
    .option('--passes <n>', 'how often each engine is timed', '5')
    .option('--json', 'the results as one JSON object')
    .action(async (paths: string[], flags: BenchFlags) => {
      const { benchFiles } = await import('../bench/bench-files.ts');
      await benchFiles(paths, flags);
    });
}
