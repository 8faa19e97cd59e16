/** A peer that solves with our own engine and, if its argument names a defect, misbehaves. */
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { createAnswers } from '../../lib/sudoku/engine.ts';
import { createEngine } from '../../lib/sudoku/engines.ts';
import { standardGeometry } from '../../lib/sudoku/geometry/geometry.ts';

const [defect = 'none', parameter = ''] = process.argv.slice(2);
const geometry = standardGeometry(9);
const engine = createEngine('bitboard');
const limits = {
  maxSolutions: 2,
  maxNodes: Number.POSITIVE_INFINITY,
  sliceNodes: Number.POSITIVE_INFINITY,
  pauseAtSolution: false,
};
let puzzles: string[] = [];
let blocks = 0;

for await (const line of createInterface({ input: process.stdin })) {
  if (line === '') {
    process.stdout.write(answerBlock(puzzles, blocks++));
    puzzles = [];
  } else {
    if (!/^[1-9.]{81}$/.test(line)) throw new Error(`not a puzzle: ${line}`);
    puzzles.push(line);
  }
}

function answerBlock(block: readonly string[], number: number): string {
  const cells = Uint8Array.from(block.join(''), (symbol) => (symbol === '.' ? 0 : Number(symbol)));
  const answers = createAnswers(block.length, 81);
  const startMs = performance.now();
  engine.solve({ geometry, cells }, 0, block.length, limits, answers);
  const seconds = (performance.now() - startMs) / 1000;
  const lines = block.map((_, i) => {
    const count = answers.solutions[i]!;
    return count === 0 ? '0' : `${count}:${answers.cells.subarray(81 * i, 81 * (i + 1)).join('')}`;
  });
  const time = `time ${seconds.toFixed(9)}`;
  // The first block is part of the warm-up, in which answers are not checked.
  if (number === 0 && parameter === 'later') return `${[...lines, time].join('\n')}\n`;
  switch (defect) {
    case 'none':
      return `${[...lines, time].join('\n')}\n`;
    case 'crlf':
      return `${[...lines, time].join('\r\n')}\r\n`;
    case 'count':
      return `${[...lines.map((answer) => answer.replace(/^2:/, '1:')), time].join('\n')}\n`;
    case 'unsolvable':
      return `${[...lines.map(() => '0'), time].join('\n')}\n`;
    case 'solution':
      return `${[...lines.map((answer) => answer.replace(/1$/, '2').replace(/9$/, '1')), time].join('\n')}\n`;
    case 'last':
      return `${[...lines.slice(0, -1), lines.at(-1) === '0' ? `1:${'1'.repeat(81)}` : '0', time].join('\n')}\n`;
    case 'exits':
      process.stderr.write('a table\n  is missing\n');
      process.exit(3);
      break;
    case 'hangs':
      writeFileSync(parameter, String(process.pid));
      for (;;);
    case 'silent':
      return '';
    case 'few':
      return `${[...lines.slice(0, -1), time].join('\n')}\n`;
    case 'many':
      return `${[...lines, lines[0], time].join('\n')}\n`;
    case 'after':
      return `${[...lines, time].join('\n')}\nthe end\n`;
    case 'milliseconds':
      return `${[...lines, 'time 5000'].join('\n')}\n`;
    case 'zero':
      return `${[...lines, 'time 0.000000000'].join('\n')}\n`;
    case 'words':
      return 'usage: solve FILE\n';
    default:
      throw new Error(`unknown defect ${defect}`);
  }
  return '';
}
