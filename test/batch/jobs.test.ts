/** Each case of the catalogue of jobs gives what its file says; its report runs, loads and hides nothing; its draws are even. */
import { describe, expect, it } from 'vitest';
import { reportFaults } from '../support/report-faults.ts';
import { jsonLines } from '../support/result-set.ts';
import { describedFound, type Found, type JobCase, jobCatalogue, runCase } from './jobs.ts';
import { testWays } from './jobs-ways.ts';

describe.each(Object.entries(jobCatalogue()))('%s', (_name, cases) => {
  it.each(cases)('$title', async (each) => {
    const found = await runCase(each);
    expect(describedFound(found, each)).toEqual(each.expected);
    const page = found.files['report.html'];
    if (page !== undefined) expect(reportFaults(page)).toEqual([]);
    expect(unevenDraws(each, found)).toEqual([]);
  });
});

/** Draws of a solution, on average, from which on they must be even. */
const MANY_DRAWS = 15;

/**
 * Puzzles of a case whose many random solutions are not drawn evenly: the sum of squares is five standard deviations above
 * its mean.
 */
function unevenDraws({ command }: JobCase, { files }: Found): object[] {
  const count = Number(command[command.indexOf('--random') + 1]);
  if (!command.includes('--random') || files['exceptions.jsonl'] === undefined) return [];
  const draws = drawsOf(files);
  return jsonLines(files['exceptions.jsonl']).flatMap(({ index, status, solutions, exact }) => {
    const mean = count / Number(solutions);
    if (status !== 'multiple' || exact !== true || mean < MANY_DRAWS) return [];
    const times = new Map<string, number>();
    for (const draw of draws) {
      if (draw.index === index) times.set(draw.solution, (times.get(draw.solution) ?? 0) + 1);
    }
    const squares = [...times.values()].reduce((sum, drawn) => sum + (drawn - mean) ** 2 / mean, 0);
    const free = Number(solutions) - 1;
    const isEven = times.size === free + 1 && squares < free + 5 * Math.sqrt(2 * free);
    return isEven ? [] : [{ index, times, squares }];
  });
}

/** The texts of the random solutions. */
function drawsOf({ 'solutions.jsonl': lines, 'solutions.txt': text = '' }: Found['files']) {
  if (lines === undefined) {
    const entries = text.matchAll(/^# puzzle (\d+),.*\n([^#]*)/gm);
    return Array.from(entries, ([, index, solution]) => ({
      index: Number(index),
      solution: solution!.trim(),
    }));
  }
  return jsonLines(lines)
    .filter((line) => 'ordinal' in line)
    .map(({ index, ...line }) => ({ index, solution: JSON.stringify({ ...line, ordinal: 0 }) }));
}

testWays(false);
