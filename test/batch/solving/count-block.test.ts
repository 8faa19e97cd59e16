import { describe, expect, it } from 'vitest';
import { solve } from '../../../lib/api/index.ts';
import { DEEP } from '../../support/depth.ts';
import { solveText } from '../../support/run-job.ts';

const GRID = '534678912672195348198342567859761423426853791713924856961537284287419635345286179';
const SAMURAI =
  '7625431984285719364957186325973684121836295746319247856148753297421568935279348613598472619382614578' +
  '1629354724139678532916478532987615294317628563917435948721654897341265852498173637165249869843752113' +
  '4795862714359641728259186437895612897435867342159263847523961325964718295384617748213596786159243691' +
  '578243431762859412839675974235186986457321528916374573621984163478592';
/** Length of each row of a samurai; each but those of the middle grid alone begins with a row of a left grid. */
const ROW_LENGTHS = [18, 18, 18, 18, 18, 18, 21, 21, 21, 9, 9, 9, 21, 21, 21, 18, 18, 18, 18, 18, 18];
const NINE = 9;

/** Blank rows of each grid: of the outer ones from the outside, of the middle one from the top, without the corners. */
interface BlankRows {
  readonly topLeft: number;
  readonly topRight: number;
  readonly bottomLeft: number;
  readonly bottomRight: number;
  readonly middle: number;
}
const NONE: BlankRows = { topLeft: 0, topRight: 0, bottomLeft: 0, bottomRight: 0, middle: 0 };

function samurai(blank: Partial<BlankRows>): string {
  const { topLeft, topRight, bottomLeft, bottomRight, middle } = { ...NONE, ...blank };
  let at = 0;
  return ROW_LENGTHS.map((length, row) => {
    const cells = SAMURAI.slice(at, at + length);
    at += length;
    const below = ROW_LENGTHS.length - 1 - row;
    const parts = [cells.slice(0, NINE), cells.slice(NINE, -NINE), cells.slice(-NINE)];
    if (row >= 6 && row < 6 + middle) parts[length === NINE ? 0 : 1] = '.'.repeat(length === NINE ? NINE : 3);
    if (length === NINE) return parts[0];
    if (row < topLeft || below < bottomLeft) parts[0] = '.'.repeat(NINE);
    if (row < topRight || below < bottomRight) parts[2] = '.'.repeat(NINE);
    return parts.join('');
  }).join('');
}

async function countOf(text: string, options: Record<string, string> = {}) {
  const job = await solveText(`${text}\n`, { solutions: 'all', ...options }, { countOnly: true });
  return { ...job, solutions: job.solutions.trimEnd(), record: job.exceptions[0] };
}

describe('counting the solutions of a puzzle', () => {
  /** A 6x6 with its first row: 28,200,960 / 6! solutions. */
  const sixes = `123456${'.'.repeat(30)}`;

  it.each(DEEP ? ['dlx', 'backtrack'] : ['dlx'])('gives the same with any engine: %s', async (engine) => {
    const { solutions, record } = await countOf(sixes, { engine });
    expect(solutions).toBe('# puzzle 1 (line 1): 39168 solutions');
    expect(record).toMatchObject({ status: 'multiple', solutions: 39_168, exact: true });
    expect(record?.solution).toMatch(/^123456[1-6]{30}$/);
  });

  it('counts a 9x9 as an engine does that finds each solution', async () => {
    const rows = `${'.'.repeat(DEEP ? 41 : 27)}${GRID.slice(DEEP ? 41 : 27)}`;
    const { record } = await countOf(rows);
    const { solutions } = solve(rows, { solutions: Number.POSITIVE_INFINITY });
    expect(record).toMatchObject({ solutions, exact: true });
  });

  it('is exact beyond 2^53, as digits in JSON', async () => {
    const blank = { topLeft: 4, topRight: 4, bottomLeft: 4, bottomRight: 4, middle: 7 };
    const options = { variant: 'samurai', records: 'true' };
    let product = 1n;
    for (const [grid, rows] of Object.entries(blank)) {
      const { record } = await countOf(samurai({ [grid]: rows }), options);
      product *= BigInt(record?.solutions ?? 0);
    }
    expect(product).toBeGreaterThan(2n ** 53n);
    const { solutions, record, records } = await countOf(samurai(blank), options);
    expect(solutions).toBe(`# puzzle 1 (line 1): ${product} solutions`);
    expect(record).toMatchObject({ status: 'multiple', solutions: String(product), exact: true });
    expect(records).toMatchObject([{ solutions: String(product) }]);
  });

  it('counts at least the solutions found when the budget ends', async () => {
    const { solutions, record } = await countOf(sixes, { 'max-nodes': '12000' });
    expect(record).toMatchObject({ status: 'multiple', exact: false, nodes: 12_000 });
    expect(Number(record?.solutions)).toBeGreaterThan(1000);
    expect(Number(record?.solutions)).toBeLessThan(39_168);
    expect(solutions).toBe(`# puzzle 1 (line 1): ${record?.solutions} or more solutions`);
  });

  it('counts up to the requested number', async () => {
    const { record } = await countOf(sixes, { solutions: '9000' });
    expect(record).toMatchObject({ solutions: 9000, exact: false });
  });
});
