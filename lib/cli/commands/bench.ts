/** `dlx-batch bench`: compares the engines, and solvers of others, on the user's files. The measuring code is imported on use. */
import type { Command } from 'commander';
import { ENGINE_NAMES } from '../../sudoku/engine.ts';
import type { BenchFlags } from '../bench/bench-files.ts';

const EXAMPLES = `
Examples:
  dlx-batch bench puzzles.txt                     all engines
  dlx-batch bench --engine dlx --engine bitboard puzzles.txt more.csv.gz
  dlx-batch bench --peer 'tdoku=./tdoku-peer' puzzles.txt      also another solver, relative to it
  dlx-batch bench --json puzzles.txt              one JSON object: { "results": [ ... ] }

Engines alternate pass by pass, so other load on the machine affects all of them equally. Every answer is checked
against the rules. Only solving is measured, on one thread: no reading and no writing.

A peer is a command that solves ordinary 9x9 puzzles. It starts once and solves many blocks:
  its input     a line of 81 characters for each puzzle, "." for a blank; an empty line ends a block of at most 10,000
  its output    for each puzzle, in order: 0, or COUNT:SOLUTION (COUNT 2 for two or more); then "time SECONDS" (without
                reading and writing), flushed
It ends when its input ends. A wrong, missing or late answer is an error. docs/how-to/compare-solvers.md in the repository has an example.

Exit status: 0 every file measured, 2 a file has no readable puzzle, or another error.`;

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
    .option(
      '--peer <name=command>',
      'a solver to compare with, run by the shell; can be repeated',
      (peer: string, peers: readonly string[] = []) => [...peers, peer],
    )
    .option('--passes <n>', 'measurements per solver', '5')
    .option('--json', 'write one JSON object')
    .action(async (paths: string[], flags: BenchFlags) => {
      const { benchFiles } = await import('../bench/bench-files.ts');
      process.exitCode = await benchFiles(paths, flags);
    });
}
