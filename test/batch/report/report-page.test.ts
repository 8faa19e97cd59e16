import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { REPORT_SCRIPT } from '../../../lib/batch/report/report-script.ts';
import { FakeClock } from '../../support/dependencies.ts';
import { type Element, elementsOf, elementText, named, parsePage } from '../../support/html-tree.ts';
import {
  CLASHING,
  CUT_OFF,
  EASY,
  HARD,
  MIXED_FILE,
  MIXED_OPTIONS,
  TWO_SOLUTIONS,
} from '../../support/puzzles.ts';
import { type RunRequest, solveText } from '../../support/run-job.ts';

/** Solves a file and parses its report. */
async function reportOf(
  text: string,
  options: Readonly<Record<string, string>> = {},
  request: RunRequest = {},
): Promise<Element> {
  const { files } = await solveText(text, options, request);
  return parsePage(files['report.html']!);
}

function sectionOf(page: Element, id: string): Element {
  return named(page, 'section').find(({ attributes }) => attributes['aria-labelledby'] === id)!;
}

function cellsOf(page: Element, id: string): string[][] {
  return named(sectionOf(page, id), 'tr').map((row) =>
    row.children.filter((cell) => typeof cell !== 'string').map(elementText),
  );
}

function paragraphs(element: Element): string[] {
  return named(element, 'p').map(elementText);
}

/** The titles of the groups of puzzles, and the lines of the puzzles. */
function groupsOf(section: Element): string[] {
  return summariesIn(named(section, 'details').filter(({ attributes }) => attributes.class === 'group'));
}

function linesOf(section: Element): string[] {
  const puzzles = named(section, 'li').filter(({ attributes }) => attributes.class === 'puzzle');
  return summariesIn(puzzles);
}

function summariesIn(elements: readonly Element[]): string[] {
  return elements.map((element) => elementText(named(element, 'summary')[0]!));
}

/** Files whose reports are checked against the rules for every page. */
const FILES: readonly (readonly [name: string, text: string, options?: Readonly<Record<string, string>>])[] =
  [
    ['a puzzle of each status', MIXED_FILE, MIXED_OPTIONS],
    ['no puzzle', '# nothing\n'],
    ['a thousand puzzles', `${EASY}\n`.repeat(1000)],
    ['puzzles of several sizes', `${EASY}\n\n${'.'.repeat(16)}\n\n${EASY}\n`],
    ['an enumeration', MIXED_FILE, { solutions: 'all' }],
    ['an exact cover', 'A B C\nA B\nC\nA C\nB\n', { format: 'dlx' }],
    ['two hundred exceptions', `${CLASHING}\n${CUT_OFF}\n`.repeat(100)],
    [
      'labels that would be markup',
      `${EASY} </script><img src=x onerror=alert(1)>\n${CLASHING} "><svg onload='x'>\n<b>&amp;<!--\n`,
    ],
  ];

describe.each(FILES.map(([name, text, options = {}]) => ({ name, text, options })))(
  'the report of $name',
  ({ text, options }) => {
    let page: Element;
    let elements: Element[];
    beforeAll(async () => {
      page = await reportOf(text, options, { fileName: '<puzzles> & "more".txt' });
      elements = elementsOf(page);
    });

    it('names its language and its file', () => {
      expect(page.attributes.lang).toBe('en');
      expect(named(named(page, 'head')[0]!, 'title').map(elementText)).toEqual([
        '<puzzles> & "more".txt · dlx-batch report',
      ]);
      expect(named(page, 'h1').map(elementText)).toEqual(['<puzzles> & "more".txt']);
    });

    it('has only elements of text, tables and drawings, and sends no requests', () => {
      const allowed =
        'html head meta title style body header main footer nav section h1 h2 h3 p a ul ol li dl dt dd div span bdi ' +
        'strong code time table caption thead tbody tr th td details summary svg g path rect line text ' +
        'b figure figcaption pre script use defs form label input select option button';
      const others = elements.filter(({ name }) => !allowed.split(' ').includes(name));
      expect(others).toEqual([]);
      const policy = elements.find(
        ({ attributes }) => attributes['http-equiv'] === 'Content-Security-Policy',
      );
      const hash = createHash('sha256').update(REPORT_SCRIPT).digest('base64');
      expect(policy?.attributes.content).toBe(
        `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'`,
      );
      expect(named(page, 'script').map(elementText)).toEqual([REPORT_SCRIPT]);
      expect(named(page, 'style').map(elementText).join()).not.toMatch(/url\(|@import/);
    });

    it('has no attribute that runs, styles or leads elsewhere', () => {
      const names = elements.flatMap(({ attributes }) => Object.keys(attributes));
      expect(names.filter((name) => /^on|^style$|^src|^xlink|^action$|^srcset$/.test(name))).toEqual([]);
      const targets = elements.flatMap(({ attributes: { href } }) => href ?? []);
      const ids = elements.flatMap(({ attributes: { id } }) => id ?? []);
      expect(new Set(ids).size).toBe(ids.length);
      expect(
        targets.filter(
          (href) =>
            href !== 'exceptions.jsonl' && (!ids.includes(href.replace(/^#/, '')) || !href.startsWith('#')),
        ),
      ).toEqual([]);
      expect(targets.length).toBeGreaterThan(5);
    });

    it('has headings that skip no level, and a label that exists for every section', () => {
      const levels = elements.flatMap(({ name }) => (/^h[1-6]$/.test(name) ? Number(name[1]) : []));
      const skipped = levels.filter((level, k) => level > (levels[k - 1] ?? 0) + 1);
      expect(skipped).toEqual([]);
      const headings = new Set(named(page, 'h2').map(({ attributes }) => attributes.id));
      const labels = named(page, 'section').map(({ attributes }) => attributes['aria-labelledby']);
      expect(labels.filter((label) => !headings.has(label))).toEqual([]);
    });

    it('has a caption in every table, headers with a scope, and a title in every drawing', () => {
      const untitled = named(page, 'table').filter(
        (table) => elementText(named(table, 'caption')[0]!) === '',
      );
      expect(untitled).toEqual([]);
      const scopes = named(page, 'th').map(({ attributes }) => attributes.scope);
      expect(new Set(scopes)).toEqual(new Set(['col', 'row']));
      for (const drawing of named(page, 'svg').filter(({ attributes }) => attributes.role === 'img')) {
        const [first] = drawing.children;
        expect(typeof first === 'object' && first.name === 'title' && elementText(first)).toMatch(/\w{3}/);
      }
      expect(elements.filter(({ attributes }) => attributes.tabindex && !attributes['aria-label'])).toEqual(
        [],
      );
    });
  },
);

describe('a report', () => {
  it('states the outcome of the puzzles', async () => {
    const page = await reportOf(MIXED_FILE, MIXED_OPTIONS);
    expect(paragraphs(page)).toContain(
      '2 of 7 puzzles were solved; 5 exceptions: 1 with more than one solution, 1 unsolvable, 1 invalid, 1 unreadable, 1 limit.',
    );
    expect(cellsOf(page, 'status').map((cells) => cells.slice(0, 3))).toEqual([
      ['Status', 'Puzzles', 'Share'],
      ['solved', '2', '28.6 %'],
      ...['multiple', 'unsolvable', 'invalid', 'unreadable', 'limit'].map((status) => [
        status,
        '1',
        '14.3 %',
      ]),
    ]);
  });

  it.each([
    ['', {}, 'No puzzles: the file is empty.'],
    ['# none\n', {}, 'No puzzles: the file has only comments.'],
    [`${EASY}:1\n${EASY}:2\n`, {}, 'All 2 puzzles were solved; 1 exception: 1 expected result differs.'],
    [EASY, {}, 'The puzzle was solved.'],
    [`${EASY}\n`.repeat(1200), {}, 'All 1,200 puzzles were solved.'],
    [
      `${MIXED_FILE}`,
      { solutions: '3' },
      /^4 of 7 puzzles were solved, 1 with more than one solution; 3 exceptions: 1 unsolvable,/,
    ],
  ])('of %# has the right sentence', async (text, options, expected) => {
    const [, verdict] = paragraphs(await reportOf(text, options as Record<string, string>));
    expect(verdict).toEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected));
  });

  it('gives each puzzle that its script draws the lines of its size and its regions', async () => {
    const jigsaw = (regions: string) => ({ puzzle: '1...............', regions });
    const kinds = [
      { puzzle: EASY },
      { puzzle: '1.....3..4.....2' },
      { puzzle: EASY, variant: 'x' },
      jigsaw('aaababbbcccdcddd'),
      jigsaw('aaaabbbbccccdddd'),
    ];
    const records = Array.from({ length: 100 }, (_, k) => ({
      ...kinds[k % kinds.length],
      id: `kind ${k % kinds.length}`,
    }));
    const page = await reportOf(records.map((record) => JSON.stringify(record)).join('\n'), {
      format: 'json',
    });
    const shapes = new Map(
      named(page, 'g').map(({ attributes }) => [attributes.id, attributes['data-cells']]),
    );
    const puzzles = named(sectionOf(page, 'puzzles'), 'li').filter(
      ({ attributes }) => attributes.class === 'puzzle',
    );
    const found = new Map<string, Set<string>>();
    for (const puzzle of puzzles) {
      const kind = elementText(named(puzzle, 'bdi')[0]!);
      for (const { attributes } of named(puzzle, 'figure')) {
        const shape = attributes['data-shape']!;
        found.set(kind, (found.get(kind) ?? new Set()).add(`${shape} of ${shapes.get(shape)}`));
      }
    }
    // One shape for each kind, whether the page or its script draws it.
    expect([...found.values()].map(({ size }) => size)).toEqual([1, 1, 1, 1, 1]);
    expect(new Set([...found.values()].flatMap((names) => [...names])).size).toBe(5);
    expect([...found].sort().map(([, names]) => [...names][0]!.replace(/.* /, ''))).toEqual([
      '81',
      '16',
      '81',
      '16',
      '16',
    ]);
  });

  it('groups the exceptions by reason, and draws those that are grids', async () => {
    const section = sectionOf(await reportOf(MIXED_FILE, MIXED_OPTIONS), 'puzzles');
    expect(groupsOf(section)).toEqual([
      'multiple: more than one solution: 1 puzzle',
      'unsolvable: it has no solution: 1 puzzle',
      'invalid: 1 occurs twice in a row: 1 puzzle',
      'unreadable: found another number of characters on a line of a 9x9 puzzle: expected 81 characters: 1 puzzle',
      'limit: the search budget ran out: 1 puzzle',
      'solved: 2 puzzles',
    ]);
    expect(linesOf(section).map((text) => text.replace(/ [\d.]+ .s$/, ''))).toEqual([
      expect.stringMatching(/^Line 3 multiple 77 givens · \d guess(?:es)? · \d nodes? ·$/),
      expect.stringMatching(/^Line 4 unsolvable 9 givens · 0 guesses · \d nodes? ·$/),
      'Line 5 invalid 2 givens',
      'Line 6 unreadable',
      expect.stringMatching(/^Line 7 limit 21 givens · \d guesses · 5 nodes ·$/),
      expect.stringMatching(/^Line 2 solved 30 givens · 0 guesses · 1 node ·$/),
      expect.stringMatching(/^Line 8 solved 30 givens · 0 guesses · 1 node ·$/),
    ]);
    expect(paragraphs(section)).toEqual(
      expect.arrayContaining([
        '2 or more solutions; cells that differ in two of them are marked. Puzzle 2 of the file.',
        '1 occurs twice in row 1 (r1c1, r1c2); 1 occurs twice in box 1 (r1c1, r1c2) Puzzle 4 of the file.',
      ]),
    );
    expect(named(section, 'title').map(elementText)).toEqual([
      'Puzzle 2, standard 9x9: First solution',
      'Puzzle 2, standard 9x9: Second solution',
      'Puzzle 3, standard 9x9: Givens',
      'Puzzle 4, standard 9x9: Givens, 2 of them clash',
      'Puzzle 6, standard 9x9: Givens',
      'Puzzle 1, standard 9x9: Solution',
      'Puzzle 7, standard 9x9: Solution',
    ]);
  });

  it('has both solutions of a puzzle with several, and the text of one that was unreadable', async () => {
    const section = sectionOf(await reportOf(MIXED_FILE, MIXED_OPTIONS), 'puzzles');
    const codes = named(section, 'code').map(elementText);
    expect(codes[0]).toBe(TWO_SOLUTIONS);
    expect(codes[2]).not.toBe(codes[1]);
    const differing = [...codes[1]!].flatMap((digit, cell) => (digit === codes[2]![cell] ? [] : cell));
    expect(differing).toEqual([...TWO_SOLUTIONS].flatMap((digit, cell) => (digit === '.' ? cell : [])));
    expect(named(section, 'pre').map(elementText)).toEqual([CUT_OFF]);
  });

  it.each([
    ['a table', `id,puzzle\na,${EASY}\nb,${CUT_OFF}\n`, `b,${CUT_OFF}`],
    ['JSON', `["${EASY}", "${EASY}",\n"${CUT_OFF}"]`, `"${CUT_OFF}"`],
    ['several lines', `${EASY}\n\nwhat is\nthis?\n\n${EASY}\n`, 'what is'],
    ['invisible characters', `${EASY}\nab\u202ec\n`, 'ab\\u202ec'],
  ])('has the text of what was unreadable in %s', async (_name, text, source) => {
    const section = sectionOf(await reportOf(text), 'puzzles');
    expect(named(section, 'pre').map(elementText).join()).toContain(source);
  });

  it('shows labels as text', async () => {
    const label = '</script><img src=x onerror=alert(1)> &amp; "\'';
    const section = sectionOf(await reportOf(`${EASY} ${label}\n`), 'puzzles');
    expect(linesOf(section)[0]).toContain(`Line 1 ${label} solved`);
  });

  it('lists a thousand exceptions and one of each kind, counts all, and says so', async () => {
    const page = await reportOf(`${CLASHING}\n`.repeat(1334).concat(`${CUT_OFF}\n`));
    const section = sectionOf(page, 'puzzles');
    expect(groupsOf(section)).toEqual([
      'invalid: 1 occurs twice in a row: 1,334 puzzles',
      'unreadable: found another number of characters on a line of a 9x9 puzzle: expected 81 characters: 1 puzzle',
    ]);
    expect(linesOf(section)).toHaveLength(1001);
    expect(paragraphs(section)).toContain('1,000 of them are listed here.');
    expect(paragraphs(section).at(-1)).toMatch(
      /^This page has 1,001 of the 1,335 puzzles: .* All exceptions are in exceptions.jsonl.$/,
    );
  });

  it('has counts on top, which the script makes filters', async () => {
    const section = sectionOf(await reportOf(MIXED_FILE, MIXED_OPTIONS), 'puzzles');
    const counts = named(section, 'ul').find(({ attributes }) => attributes.class === 'filters')!;
    expect(named(counts, 'li').map(elementText)).toEqual([
      'all 7',
      'solved 2',
      ...['multiple', 'unsolvable', 'invalid', 'unreadable', 'limit'].map((status) => `${status} 1`),
    ]);
  });

  it('has grades and ratings if they are requested', async () => {
    const page = await reportOf(`${EASY}\n${HARD}\n`, { rate: 'true' });
    const section = sectionOf(page, 'puzzles');
    expect(named(section, 'li').slice(0, 4).map(elementText)).toEqual([
      'all 2',
      'solved 2',
      'easy 1',
      'extreme 1',
    ]);
    expect(linesOf(section)[0]).toMatch(/^Line 1 solved easy \d\.\d · 30 givens/);
    expect(linesOf(section)[1]).toMatch(/^Line 2 solved extreme 6\.5 or more · 21 givens/);
    expect(cellsOf(page, 'counts')).toEqual(
      expect.arrayContaining([
        ['easy', '1', '50 %'],
        ['extreme', '1', '50 %'],
      ]),
    );
  });

  it('counts puzzles by guesses and by givens', async () => {
    const page = await reportOf(MIXED_FILE);
    expect(cellsOf(page, 'counts')).toEqual(
      expect.arrayContaining([
        ['Guesses', 'Puzzles', 'Share'],
        ['0', '3', '60 %'],
        ['Givens', 'Puzzles', 'Share'],
        ['2–3', '1', '16.7 %'],
        ['30–31', '2', '33.3 %'],
      ]),
    );
  });

  it('shortens a long reason', async () => {
    const section = sectionOf(await reportOf(`${'1'.repeat(81)}\n`), 'puzzles');
    const why = paragraphs(section).find((text) => text.includes('occurs'))!;
    expect(why).toHaveLength(601 + ' Puzzle 1 of the file.'.length);
    expect(why).toContain('… Puzzle');
  });

  it('lists the ten hardest puzzles: by guesses, then in the order of the file', async () => {
    const section = sectionOf(await reportOf(`${EASY}\n`.repeat(20).concat(`${HARD}\n${HARD}\n`)), 'hardest');
    expect(linesOf(section).map((line) => Number(/^Line (\d+) /.exec(line)![1]))).toEqual([
      21, 22, 1, 2, 3, 4, 5, 6, 7, 8,
    ]);
    expect(named(section, 'svg')).toHaveLength(10);
  });

  it('has no rate for less than a second of solving', async () => {
    const rates = async (stepMs: number) => {
      const page = await reportOf(`${EASY}\n`, {}, { dependencies: { clock: new FakeClock(stepMs) } });
      return (
        named(page, 'main')
          .map(elementText)
          .join()
          .match(/[\d,]+ puzzles per second/g) ?? []
      );
    };
    expect(await rates(900)).toEqual([]);
    expect(await rates(1000)).toHaveLength(1);
  });

  it('has a chart of the rate for a batch of many blocks', async () => {
    const short = await reportOf(`${EASY}\n`, {}, { dependencies: { clock: new FakeClock(1000) } });
    expect(named(sectionOf(short, 'rate'), 'svg')).toEqual([]);
    const section = sectionOf(await reportOf(`${EASY}\n`.repeat(9000)), 'rate');
    expect(named(section, 'tr')).toHaveLength(1 + 24);
  });

  it('has a bar for each doubling of the solve time', async () => {
    const page = await reportOf(`${EASY}\n`, {}, { dependencies: { clock: new FakeClock(3) } });
    expect(cellsOf(page, 'times')).toEqual(
      expect.arrayContaining([
        ['50 % (median)', '3.0 ms'],
        ['2 ms', '4.1 ms', '1', '100 %'],
      ]),
    );
    const bars = named(sectionOf(page, 'times'), 'rect').map(({ attributes }) => Number(attributes.height));
    expect(bars.filter((height) => height > 0)).toEqual([180]);
  });

  it('lists the options', async () => {
    const page = await reportOf(EASY, { engine: 'backtrack', 'max-nodes': '1234' });
    expect(cellsOf(page, 'run')).toEqual(
      expect.arrayContaining([
        ['engine', 'backtrack'],
        ['max-nodes', '1234'],
      ]),
    );
  });

  it('is omitted on request', async () => {
    const { files } = await solveText(EASY, {}, { report: false });
    expect(Object.keys(files)).toEqual(['solutions.txt', 'exceptions.jsonl', 'stats.json']);
  });
});
