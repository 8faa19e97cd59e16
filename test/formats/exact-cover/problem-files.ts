/** Writes problems as files. */
import type { ExactCoverProblem } from '../../../lib/exact-cover/problem.ts';

/**
 * A problem in Knuth's format: items `i0` and so on, a colour as one letter, secondary items after a bar, each multiplicity
 * and each cost in full.
 */
export function knuthText(problem: ExactCoverProblem): string {
  const { primaryCount, secondaryCount, multiplicities, costs } = problem;
  const names = Array.from({ length: primaryCount + secondaryCount }, (_, item) => `i${item}`);
  const secondary = names.slice(primaryCount);
  const bar = secondary.length > 0 ? ['|', ...secondary] : [];
  const lines = optionsOf(problem).map((option, number) =>
    [
      ...option.map(([item, colour]) => (colour === 0 ? names[item] : `${names[item]}:${COLOURS[colour]}`)),
      ...(costs === undefined ? [] : [`|${costs[number]}`]),
    ].join(' '),
  );
  const primary = names
    .slice(0, primaryCount)
    .map((name, item) =>
      multiplicities === undefined
        ? name
        : `${multiplicities.least[item]}:${multiplicities.most[item]}|${name}`,
    );
  return `${[[...primary, ...bar].join(' '), ...lines].join('\n')}\n`;
}

const COLOURS = '-abcdefghijklmnopqrstuvwxyz';

/** A problem without colours as lists of item numbers. */
export function sparseText(problem: ExactCoverProblem): string {
  const lines = optionsOf(problem).map((option) => option.map(([item]) => item).join(' '));
  return `${[header(problem), ...lines].join('\n')}\n`;
}

/** A problem without colours as rows of 0 and 1, separated by `separator`. */
export function denseText(problem: ExactCoverProblem, separator = ''): string {
  const width = problem.primaryCount + problem.secondaryCount;
  const lines = optionsOf(problem).map((option) => {
    const row = Array(width).fill('0');
    for (const [item] of option) row[item] = '1';
    return row.join(separator);
  });
  return `${[header(problem), ...lines].join('\n')}\n`;
}

function header({ primaryCount, secondaryCount }: ExactCoverProblem): string {
  const items = primaryCount + secondaryCount;
  return secondaryCount > 0 ? `${items} ${secondaryCount}` : `${items}`;
}

function optionsOf(problem: ExactCoverProblem): [item: number, colour: number][][] {
  const { optionCount, optionStart, items, colours } = problem;
  return Array.from({ length: optionCount }, (_, option) =>
    Array.from(items.subarray(optionStart[option], optionStart[option + 1]), (item, k): [number, number] => [
      item,
      colours?.[optionStart[option] + k] ?? 0,
    ]),
  );
}
