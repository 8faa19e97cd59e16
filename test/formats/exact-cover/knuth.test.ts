import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesOf } from '../reading.ts';
import { readCovers } from './reading-covers.ts';

/** The example in Knuth's program DLX2. */
const COLOURED = `| A simple example of color controls
A B C | X Y
A B X:0 Y:0
A C X:1 Y:1
X:0 Y:1
B X:1
C Y:1
`;

describe("a file in Knuth's format", () => {
  it('is one problem: primary items first, colours by number, options with their text', () => {
    expect(readCovers(COLOURED)).toEqual([
      {
        format: 'dlx',
        line: 2,
        lineEnd: 7,
        primaryCount: 3,
        secondaryCount: 2,
        options: ['0 1 3:1 4:1', '0 2 3:2 4:2', '1 3:2', '2 4:2'],
        texts: ['A B X:0 Y:0', 'A C X:1 Y:1', 'B X:1', 'C Y:1'],
        lines: [3, 4, 6, 7],
        ignoredOptions: 1,
        warnings: [expect.stringMatching(/^line 5: the option "X:0 Y:1" has no primary item: it is omitted/)],
        error: undefined,
      },
    ]);
  });

  const sameProblem: Array<[name: string, text: string]> = [
    ['with CR LF', 'A B | X\r\nA X\r\nB X:1\r\n'],
    ['with lone CR', 'A B | X\rA X\rB X:1\r'],
    ['without a last line end', 'A B | X\nA X\nB X:1'],
    ['with a byte-order mark', '\ufeffA B | X\nA X\nB X:1\n'],
    ['with blank lines and comments anywhere', '\n| c\n A B | X\n\n|\nA X\n   \n  | d\nB X:1\n\n'],
    ['with tabs and spaces', '  A \t B  |  X\t\n\tA   X \n B\tX:1  \n'],
    ['with the bar directly before a name', 'A B |X\nA X\nB X:1\n'],
  ];
  it.each(sameProblem)('%s reads the same', (_name, text) => {
    expect(readCovers(text)).toMatchObject([
      {
        primaryCount: 2,
        secondaryCount: 1,
        options: ['0 2', '1 2:1'],
        texts: ['A X', 'B X:1'],
        warnings: [],
      },
    ]);
  });

  it('may have multiplicities', () => {
    expect(readCovers('A 2|B 0:3|C 1|D 2:99999999999|E | X\nA C X\n')).toMatchObject([
      {
        primaryCount: 5,
        multiplicities: ['1:1', '2:2', '0:3', '1:1', '2:1000000000'],
        options: ['0 2 5'],
        warnings: [],
      },
    ]);
    expect(readCovers('1|A 1:1|B\nA B\n')[0]).not.toHaveProperty('multiplicities');
  });

  it('may have costs, anywhere after the first item; several are added', () => {
    expect(readCovers('A B | X\nA |7\nX |9\nA |2  X |3\nB\n|8 A\nB X:1 |0\n')).toMatchObject([
      {
        costs: [7, 5, 0, 0],
        options: ['0', '0 2', '1', '1 2:1'],
        texts: ['A |7', 'A |2 X |3', 'B', 'B X:1 |0'],
        ignoredOptions: 1,
      },
    ]);
    expect(readCovers('A\nA |9007199254740991\n')).toMatchObject([{ costs: [Number.MAX_SAFE_INTEGER] }]);
  });

  it('may have a bar and no secondary items', () => {
    expect(readCovers('A B |\nA B\n')).toMatchObject([
      { primaryCount: 2, secondaryCount: 0, options: ['0 1'] },
    ]);
  });

  it('may have any printable characters in names and colours, compared by their bytes', () => {
    const bytes = new Uint8Array([
      ...bytesOf('# ü \u00fc\u0308 ~!,;" | '),
      0xff,
      0x20,
      0xfe,
      ...bytesOf('\n# '),
      0xfe,
    ]);
    expect(readCovers(bytes)).toMatchObject([{ primaryCount: 4, secondaryCount: 2, options: ['0 5'] }]);
    expect(readCovers('A | X\nA X::\nA X:|\nA X:ü\n')).toMatchObject([
      { options: ['0 1:1', '0 1:2', '0 1:3'], warnings: [] },
    ]);
  });

  it('without options is a problem, with a warning', () => {
    expect(readCovers('\nA B\n| nothing\n')).toMatchObject([
      { line: 2, options: [], warnings: ['line 2: the problem has items but no options'] },
    ]);
  });

  it('in which no option has a primary item has no options', () => {
    expect(readCovers('A | X\nX\nX:1\n')).toMatchObject([{ options: [], ignoredOptions: 2 }]);
  });

  it.each(['', '\n \n', '| only\n| comments', '\ufeff'])('with only %j has no problem', (text) => {
    expect(readCovers(text)).toEqual([]);
  });

  it('may have more items than two bytes can number', () => {
    const names = Array.from({ length: 150_000 }, (_, item) => item.toString(36));
    const [{ primaryCount, options }] = readCovers(`${names.join(' ')}\n${names[149_999]} 0\n`);
    expect([primaryCount, options]).toEqual([150_000, ['149999 0']]);
  });

  it("warns of what Knuth's programs reject: long names, and colours of several characters", () => {
    const [{ warnings }] = readCovers('ABCDEFGH | ABCDEFGHI\nABCDEFGH ABCDEFGHI:red\n');
    expect(warnings).toEqual([
      expect.stringMatching(/^line 1, column 12: "ABCDEFGHI": the item's name has more than 8 characters/),
      expect.stringMatching(/^line 2, column 20: "red": the colour has more than one character/),
    ]);
  });

  it('lists five warnings of options without a primary item, and counts the others', () => {
    const [{ warnings, ignoredOptions }] = readCovers(`A | X\nA\n${'X\n'.repeat(12)}`);
    expect(ignoredOptions).toBe(12);
    expect(warnings.map((text) => text.slice(0, 8))).toEqual([
      'line 3: ',
      'line 4: ',
      'line 5: ',
      'line 6: ',
      'line 7: ',
      'and 7 mo',
    ]);
  });
});

describe('an error', () => {
  const rows: Array<[name: string, text: string, error: object]> = [
    ['an unknown item', 'A B\nA C\n', { code: 'unknown_item', line: 2, column: 3, found: 'C' }],
    ['an item of another case', 'A B\na\n', { code: 'unknown_item', line: 2, column: 1, found: 'a' }],
    [
      'an item twice in an option',
      'A B | X\nA B A\n',
      { code: 'duplicate_item', line: 2, column: 5, found: 'A' },
    ],
    ['an item twice in two colours', 'A | X\nA X:1 X:2\n', { code: 'duplicate_item', line: 2, column: 7 }],
    ['an item named twice', 'A B A\nA\n', { code: 'duplicate_item', line: 1, column: 5, found: 'A' }],
    ['an item both primary and secondary', 'A | A\n', { code: 'duplicate_item', line: 1, column: 5 }],
    [
      'a second bar among the items',
      'A | X | Y\n',
      { code: 'bad_character', line: 1, column: 7, found: '|' },
    ],
    ['a bar in a name', 'A|B\n', { code: 'bad_character', line: 1, column: 2, found: '|' }],
    ['a colon in a name', 'A | B:1\n', { code: 'bad_character', line: 1, column: 6, found: ':' }],
    ['a coloured primary item', 'A B\nA B:1\n', { code: 'bad_colour', line: 2, column: 3, found: 'B:1' }],
    ['a colon without a colour', 'A | X\nA X:\n', { code: 'bad_colour', line: 2, column: 4, found: 'X:' }],
    ['a missing space', 'A | X Y\nA X:1Y:2\n', { code: 'bad_colour', line: 2, column: 4, found: 'X:1Y:2' }],
    ['a colour without an item', 'A | X\nA :1\n', { code: 'bad_character', line: 2, column: 3, found: ':1' }],
    ['a bar among options', 'A B\nA\nC D | E\n', { code: 'unknown_item', line: 3, column: 1, found: 'C' }],
    ['a lone bar in an option', 'A B\nA | B\n', { code: 'bad_cost', line: 2, column: 3, found: '|' }],
    ['a comment of another format', 'A B\n# no\n', { code: 'unknown_item', line: 2, column: 1, found: '#' }],
    [
      'a control character',
      'A B\u0000C\n',
      { code: 'bad_character', line: 1, column: 4, found: 'the byte 0' },
    ],
    ['a control character as a colour', 'A | X\nA X:\u0007\n', { code: 'bad_character', line: 2, column: 5 }],
    [
      'a column after wide characters',
      'ü | x\nü é\n',
      { code: 'unknown_item', line: 2, column: 3, found: 'é' },
    ],
    ['an upper limit of 0', 'A 0|B\nA\n', { code: 'bad_multiplicity', line: 1, column: 3, found: '0|B' }],
    ['limits in the wrong order', 'A 3:2|B\nA\n', { code: 'bad_multiplicity', line: 1, column: 3 }],
    ['a missing lower limit', 'A :2|B\nA\n', { code: 'bad_multiplicity', line: 1, column: 3 }],
    ['a missing upper limit', 'A 2:|B\nA\n', { code: 'bad_multiplicity', line: 1, column: 3 }],
    ['three limits', 'A 1:2:3|B\nA\n', { code: 'bad_multiplicity', line: 1, column: 3 }],
    ['a limit that is no number', 'A 2x|B\nA\n', { code: 'bad_multiplicity', line: 1, column: 3 }],
    ['a multiplicity without an item', 'A 2| B\nA\n', { code: 'bad_multiplicity', line: 1, column: 4 }],
    [
      'a secondary item with a multiplicity',
      'A | 2|B\nA\n',
      { code: 'bad_multiplicity', line: 1, column: 5 },
    ],
    ['two bars in a multiplicity', 'A 2|B|C\nA\n', { code: 'bad_character', line: 1, column: 6 }],
    ['an item twice, with a multiplicity', 'A 2|A\nA\n', { code: 'duplicate_item', line: 1, column: 5 }],
    ['a cost that is no number', 'A B\nA |x\n', { code: 'bad_cost', line: 2, column: 3, found: '|x' }],
    ['a negative cost', 'A B\nA |-1 B\n', { code: 'bad_cost', line: 2, column: 3, found: '|-1' }],
    ['a cost with a fraction', 'A B\nA B |2.5\n', { code: 'bad_cost', line: 2, column: 5, found: '|2.5' }],
    ['costs beyond 2^53', `A\nA |9007199254740991\nA |1\n`, { code: 'bad_cost', line: 3, column: 3 }],
    [
      'a line of more than 1 MiB',
      `A B\n${'A '.repeat(600_000)}\n`,
      { code: 'too_large', line: 2, column: 1 },
    ],
  ];
  it.each(rows)('names its place and what was found: %s', (_name, text, error) => {
    const records = readCovers(text);
    expect(records).toMatchObject([{ line: 1, warnings: [], error }]);
    expect(records[0]).not.toHaveProperty('options');
    const { message, line, column, expected } = records[0].error!;
    expect(message).toContain(`line ${line}, column ${column}: `);
    expect(message).toContain(expected);
  });

  it('is an error of the whole problem, up to its last line', () => {
    expect(readCovers('A B\nC\nA\nB\n\n| end\n')).toMatchObject([
      { line: 1, lineEnd: 4, error: { line: 2 } },
    ]);
  });

  it('is only the first one', () => {
    expect(readCovers('A B\nC\nD\n')).toMatchObject([{ error: { line: 2, found: 'C' } }]);
  });

  it('shortens a long name', () => {
    const [{ error }] = readCovers(`A\n${'x'.repeat(9999)}\n`);
    expect(error!.found).toBe(`${'x'.repeat(40)}...`);
  });

  it('is not caused by a long comment', () => {
    expect(readCovers(`|${'-'.repeat(1_200_000)}\nA\nA\n`)).toMatchObject([{ options: ['0'] }]);
  });
});

describe('the bytes of a file', () => {
  const text = bytesOf(`\ufeff| ü\r\nAlpha B C\t| X Y\r\nAlpha X:é Y\r\n\r\nX:0 Y:1\rB\nC X:é\n| end`);
  const cuts = fc
    .uniqueArray(fc.integer({ min: 0, max: text.length }), { maxLength: 30 })
    .map((offsets) => offsets.sort((a, b) => a - b));

  it('give the same problem with any chunk boundaries', () => {
    const whole = readCovers(text);
    fc.assert(
      fc.property(cuts, (offsets) => {
        expect(readCovers(text, 'dlx', offsets)).toEqual(whole);
      }),
    );
  });
});
