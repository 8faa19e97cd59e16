/** Reports the size of each puzzle's exact-cover matrix: `solve --explain`. */
import type { JobLimits } from '../../batch/job-limits.ts';
import type { SolveOptions } from '../../batch/options.ts';
import { counted, numberText } from '../../batch/quantities.ts';
import { BlockPool } from '../../batch/solving/block-pool.ts';
import { type MatrixReport, matrixReport, problemReport } from '../../sudoku/matrix-report.ts';
import { EXIT_SOLVED, EXIT_UNSOLVED } from '../exit.ts';
import { detected, forEachFile, withSource } from '../files/each-file.ts';
import type { InputFile } from '../files/input-files.ts';
import { print, printJson } from '../terminal/output.ts';

/** @returns the exit status: 1 if a puzzle was unreadable, 2 if a whole file was */
export function explainMatrices(
  files: readonly InputFile[],
  options: SolveOptions,
  jobLimits: JobLimits,
  json: boolean,
): Promise<number> {
  return forEachFile(files, 'explained', (file) =>
    withSource({ ...file, stream: file.openReusingBuffers() }, options, jobLimits, async (source) => {
      const detection = await detected(source);
      let index = 0;
      let status: number = EXIT_SOLVED;
      const write = (line: number, size: number | undefined, found: MatrixReport | Problem) => {
        index++;
        if ('error' in found) status = EXIT_UNSOLVED;
        const name = `puzzle ${index} (line ${line})`;
        if (json) printJson({ file: file.path, index, line, ...(size && { size }), ...found });
        else if ('error' in found) print([`${name}: unreadable: ${found.error.message}`]);
        else print([`${name}${size ? `, ${size}x${size}` : ''}: ${reportText(found)}`]);
      };
      if (detection.kind === 'exact-cover') {
        for await (const { line, cover, error } of source.covers(detection)) {
          write(line, undefined, cover === undefined ? { error: error! } : problemReport(cover.problem));
        }
      }
      if (detection.kind !== 'puzzles') return status;
      const pool = new BlockPool(false);
      for await (const block of source.blocks(detection, pool)) {
        const { geometry, cells } = block;
        for (let i = 0; i < block.count; i++) {
          const error = block.notes.get(i)?.error;
          if (error !== undefined) write(block.line[i]!, undefined, { error });
          else write(block.line[i]!, geometry.size, matrixReport(geometry, cells, i * geometry.cellCount));
        }
        pool.release(block, 0);
      }
      return status;
    }),
  );
}

interface Problem {
  readonly error: { readonly message: string };
}

function reportText({ options, items, nodes, bytes, seedBytes }: MatrixReport): string {
  return (
    `${counted(options, 'option')}, ${counted(items, 'item')}, ${counted(nodes, 'node')}; ` +
    `${counted(bytes, 'byte')} in typed arrays, ${numberText(seedBytes)} in a linked layout with ` +
    '6 bytes per node, 2 per option, 1 per item'
  );
}
