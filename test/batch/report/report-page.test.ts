import { beforeAll, describe, expect, it } from 'vitest';
import { FakeClock } from '../../support/dependencies.ts';
import { type Element, elementsOf, elementText, named, parsePage } from '../../support/html-tree.ts';
import { CLASHING, CUT_OFF, EASY, HARD, MIXED_FILE, MIXED_OPTIONS } from '../../support/puzzles.ts';
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
        'strong code time table caption thead tbody tr th td details summary svg g path rect line text';
      const others = elements.filter(({ name }) => !allowed.split(' ').includes(name));
      expect(others).toEqual([]);
      const policy = elements.find(
        ({ attributes }) => attributes['http-equiv'] === 'Content-Security-Policy',
      );
      expect(policy?.attributes.content).toMatch(/^default-src 'none';/);
      expect(named(page, 'style').map(elementText).join()).not.toMatch(/url\(|@import/);
    });

    it('has no attribute that runs, styles or leads elsewhere', () => {
      const names = elements.flatMap(({ attributes }) => Object.keys(attributes));
      expect(names.filter((name) => /^on|^style$|^src|^xlink|^action$|^srcset$/.test(name))).toEqual([]);
      const targets = elements.flatMap(({ attributes: { href } }) => href ?? []);
      const ids = elements.flatMap(({ attributes: { id } }) => id ?? []);
      expect(new Set(ids).size).toBe(ids.length);
      expect(
        targets.filter((href) => !ids.includes(href.replace(/^#/, '')) || !href.startsWith('#')),
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

  it('names the exceptions by line and reason, and draws those that are grids', async () => {
    const section = sectionOf(await reportOf(MIXED_FILE, MIXED_OPTIONS), 'exceptions');
    expect(named(section, 'h3').map(elementText)).toEqual([
      'Line 3 multiple',
      'Line 4 unsolvable',
      'Line 5 invalid',
      'Line 6 unreadable',
      'Line 7 limit',
    ]);
    expect(paragraphs(section)).toEqual(
      expect.arrayContaining([
        '2 or more solutions; the first one is shown.',
        '1 occurs twice in row 1 (r1c1, r1c2); 1 occurs twice in box 1 (r1c1, r1c2)',
        'line 6, column 1: found 60 characters on a line of a 9x9 puzzle: expected 81 characters',
      ]),
    );
    expect(named(section, 'title').map(elementText)).toEqual([
      'Puzzle 2, standard 9x9 with its solution',
      'Puzzle 3, standard 9x9',
      'Puzzle 4, standard 9x9, 2 clashing givens framed',
      'Puzzle 6, standard 9x9',
    ]);
  });

  it('shows labels as text', async () => {
    const label = '</script><img src=x onerror=alert(1)> &amp; "\'';
    const page = await reportOf(`${EASY} ${label}\n`);
    expect(named(page, 'h3').map(elementText)).toEqual([`1. Puzzle 1 · ${label}`]);
  });

  it('lists a hundred exceptions and counts the others', async () => {
    const section = sectionOf(await reportOf(`${CLASHING}\n`.repeat(1334)), 'exceptions');
    expect(named(section, 'h3')).toHaveLength(100);
    expect(paragraphs(section)).toContain('And 1,234 more in exceptions.jsonl.');
  });

  it('shortens a long reason', async () => {
    const section = sectionOf(await reportOf(`${'1'.repeat(81)}\n`), 'exceptions');
    const [, , why] = paragraphs(section);
    expect(why).toHaveLength(601);
    expect(why).toMatch(/…$/);
  });

  it('lists the ten slowest puzzles, slowest first', async () => {
    /** Each reading takes longer than the previous one. */
    class SlowingClock extends FakeClock {
      override monotonicMs(): number {
        this.nowMs += 0.001 * (1 + this.nowMs);
        return super.monotonicMs();
      }
    }
    const { files, stats } = await solveText(
      `${EASY}\n`.repeat(40),
      {},
      { dependencies: { clock: new SlowingClock() } },
    );
    const section = sectionOf(parsePage(files['report.html']!), 'slowest');
    expect(named(section, 'h2').map(elementText)).toEqual(['Slowest puzzles']);
    expect(stats.slowest.map(({ index }) => index)).toEqual([40, 39, 38, 37, 36, 35, 34, 33, 32, 31]);
    const rows = named(section, 'tr').slice(1);
    expect(rows.map((row) => elementText(named(row, 'th')[0]!))).toEqual(
      stats.slowest.map(({ index }) => String(index)),
    );
  });

  it('draws the ten hardest puzzles: by guesses, then in the order of the file', async () => {
    const section = sectionOf(await reportOf(`${EASY}\n`.repeat(20).concat(`${HARD}\n${HARD}\n`)), 'hardest');
    expect(named(section, 'h3').map(elementText)).toEqual(
      [21, 22, 1, 2, 3, 4, 5, 6, 7, 8].map((index, k) => `${k + 1}. Puzzle ${index}`),
    );
    expect(named(section, 'svg')).toHaveLength(10);
    expect(paragraphs(section)[1]).toMatch(/^Line 21 · [\d,]+ guesses · [\d,]+ nodes$/);
  });

  it('has its exceptions first, before all figures, and a section without exceptions last', async () => {
    const order = async (text: string) => {
      const page = await reportOf(text);
      const main = named(page, 'main')[0]!;
      const links = named(named(page, 'nav')[0]!, 'a').map(({ attributes }) => attributes.href);
      const parts = elementsOf(main).filter(({ name }) => name === 'section' || name === 'dl');
      const first = parts[0]?.attributes['aria-labelledby'] ?? parts[0]?.attributes.class;
      return { first, last: parts.at(-1)?.attributes['aria-labelledby'], links: [links[0], links.at(-1)] };
    };
    expect(await order(`${EASY}\n${CLASHING}\n`)).toEqual({
      first: 'exceptions',
      last: 'run',
      links: ['#exceptions', '#run'],
    });
    expect(await order(`${EASY}\n`)).toEqual({
      first: 'figures',
      last: 'exceptions',
      links: ['#status', '#exceptions'],
    });
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
