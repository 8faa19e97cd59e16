/** The section about the run: times, search, options and machine. */
import { durationText, numberText } from '../quantities.ts';
import type { JobStats } from '../results/statistics.ts';
import { RESULT_SCHEMA, VERSION } from '../version.ts';
import { type Content, type HtmlMarkup, html } from './markup.ts';

type Row = readonly [name: string, value: Content];

function timeRows({ timing, used }: JobStats): Row[] {
  const { wallMs, readMs, parseMs, solveMs, writeMs } = timing;
  const rows: Row[] = [
    ['Wall time', wallMs],
    ['Waiting for input', readMs],
    ['Reading puzzles', parseMs],
    ['Solving, sum over all workers', solveMs],
    ['Writing', writeMs],
  ].map(([name, ms]) => [String(name), durationText(Number(ms) * 1000)]);
  if (used === undefined) return rows;
  return [
    ...rows,
    ['Shards, and parts of them', `${numberText(used.shards)}, ${numberText(used.pieces)}`],
    ['Function time, sum', durationText(used.functionMs * 1000)],
    ['Memory used', `${numberText(used.gbSeconds)} GB-seconds`],
    ['Cost of the functions', `$${used.lambdaDollars}`],
  ];
}

function searchRows({ search, exactCover }: JobStats): Row[] {
  const rows: Row[] = [
    ['Search nodes', numberText(search.nodes)],
    ['Guesses', numberText(search.guesses)],
    ['Puzzles solved without a guess', numberText(search.withoutGuess)],
    ['Memory of one search, at most', `${numberText(search.maxBytes)} bytes`],
  ];
  if (exactCover === undefined) return rows;
  return [
    ...rows,
    ['Solutions found', numberText(BigInt(exactCover.solutions))],
    [
      'Items, primary and secondary',
      `${numberText(exactCover.primaryItems)}, ${numberText(exactCover.secondaryItems)}`,
    ],
    ['Options', numberText(exactCover.options)],
    ['Entries of all options', numberText(exactCover.entries)],
    ['Nodes of the matrices', numberText(exactCover.matrixNodes)],
    ['Updates', numberText(exactCover.updates)],
    ...(exactCover.cost === undefined
      ? []
      : [['Cost of the cheapest solutions', numberText(exactCover.cost)] as Row]),
  ];
}

function runRows({ engine, runtime }: JobStats): Row[] {
  return [
    ['Engine', `${engine.name}, version ${engine.version}`],
    ['Workers', numberText(engine.workers)],
    ['Runtime', `Node ${runtime.node}, ${runtime.arch}`],
    ['Memory', `${numberText(runtime.memoryMb)} MB`],
    ['dlx-batch', `${VERSION} (${RESULT_SCHEMA})`],
  ];
}

export function runSection(stats: JobStats, canonicalOptions: string): HtmlMarkup {
  const options = Object.entries(JSON.parse(canonicalOptions) as Record<string, unknown>);
  const optionRows = options.map(([name, value]): Row => [name, html`<bdi>${String(value)}</bdi>`]);
  return html`<section aria-labelledby="run"><h2 id="run">Run</h2><div class="columns">
${factTable('Times', timeRows(stats))}
${factTable('Search', searchRows(stats))}
${factTable('Options', optionRows)}
${factTable('Machine', runRows(stats))}</div></section>`;
}

function factTable(caption: string, rows: readonly Row[]): HtmlMarkup {
  return html`<table><caption>${caption}</caption><tbody>${rows.map(
    ([name, value]) => html`<tr><th scope="row">${name}</th><td class="number">${value}</td></tr>`,
  )}</tbody></table>`;
}
