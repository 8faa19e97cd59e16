/**
 * Inputs of the golden corpus that pin what readers of JSON, tables and text decide: data of puzzle editors, rules around
 * and next to puzzles, repeated members, rule columns, openings of code, names of columns, and the places of errors.
 */
import LZString from 'lz-string';
import { CLASSIC, CLASSIC_SOLUTION, rowsOf } from '../formats/reading.ts';

type Inputs = Record<string, string>;

const SECOND = '5...83.17...1..4..3.4..56.8....3...9.9.8245....6....7...9....5...729..861.36.72.4';
const rows = rowsOf(CLASSIC);
const cells = rows.map((row) => Array.from(row, (symbol) => (symbol === '.' ? 0 : Number(symbol))));
const boxMap = Array.from({ length: 81 }, (_, cell) => {
  return 'abcdefghi'[3 * Math.floor(cell / 27) + Math.floor((cell % 9) / 3)];
}).join('');
const json = (value: unknown) => `${JSON.stringify(value)}\n`;

/** All inputs, with names that start with their group. */
export function formatInputs(): Inputs {
  const groups: Record<string, Inputs> = {
    'f-puzzles': fpuzzles(),
    SudokuPad: sudokuPad(),
    member: members(),
    wrapper: wrappers(),
    repeat: repeats(),
    'rule column': ruleColumns(),
    'table header': tableHeaders(),
    opening: openings(),
    'column names': columnNames(),
    'wrong line': wrongLines(),
    'wrong rows': wrongRows(),
    'wrong JSON': wrongJson(),
    'wrong map': wrongMaps(),
  };
  return Object.fromEntries(
    Object.entries(groups).flatMap(([group, texts]) =>
      Object.entries(texts).map(([name, text]): [string, string] => [`${group}: ${name}`, text]),
    ),
  );
}

function fpuzzles(): Inputs {
  const grid = cells.map((row) => row.map((value) => (value === 0 ? {} : { value, given: true })));
  const puzzle = { size: 9, title: 'Classic', author: 'A. Setter', grid };
  const regions = cells.map((row, r) =>
    row.map((value, c) => ({
      ...(value > 0 && { value, given: true }),
      region: 3 * Math.floor(r / 3) + Math.floor(c / 3),
    })),
  );
  const data: Record<string, object> = {
    'givens alone': puzzle,
    'regions of the usual boxes': { size: 9, grid: regions },
    'regions of rows': {
      size: 9,
      grid: regions.map((row, r) => row.map((cell) => ({ ...cell, region: r }))),
    },
    'regions and a map': { size: 9, grid: regions, regions: boxMap },
    'entries of a solver': {
      ...puzzle,
      grid: grid.map((row, r) => row.map((cell, c) => (r === 0 && c === 2 ? { value: 4 } : cell))),
    },
    'candidates of the setter': {
      ...puzzle,
      grid: grid.map((row, r) =>
        row.map((cell, c) => (r === 0 && c === 2 ? { givenPencilMarks: [1, 4] } : cell)),
      ),
    },
    'marks of a solver': {
      ...puzzle,
      grid: grid.map((row, r) =>
        row.map((cell, c) => (r === 0 && c === 2 ? { cornerPencilMarks: [1], c: '#fff' } : cell)),
      ),
    },
    'both diagonals': { ...puzzle, 'diagonal+': true, 'diagonal-': true },
    'one diagonal': { ...puzzle, 'diagonal+': true },
    'an empty rule': { ...puzzle, killercage: [], antiknight: false, thermometer: null },
    'a rule of a cell': { ...puzzle, grid: grid.map((row) => row.map((cell) => ({ ...cell, sum: 9 }))) },
    'a row too few': { ...puzzle, grid: grid.slice(1) },
    'a cell too many': { ...puzzle, grid: [[...grid[0]!, {}], ...grid.slice(1)] },
    'a digit too large': {
      ...puzzle,
      grid: [[{ value: 10, given: true }, ...grid[0]!.slice(1)], ...grid.slice(1)],
    },
  };
  for (const rule of [
    ...['killercage', 'thermometer', 'arrow', 'ratio', 'difference', 'xv', 'sandwichsum', 'littlekillersum'],
    ...[
      'palindrome',
      'renban',
      'whispers',
      'clone',
      'quadruple',
      'betweenline',
      'minimum',
      'maximum',
      'odd',
      'even',
    ],
    ...[
      'extraregion',
      'line',
      'text',
      'cage',
      'entropicline',
      'regionsumline',
      'disabledlogic',
      'customrule',
    ],
  ]) {
    data[`with ${rule}`] = { ...puzzle, [rule]: [{ cells: ['R1C1', 'R1C2'], value: '8' }] };
  }
  for (const flag of ['antiknight', 'antiking', 'disjointgroups', 'nonconsecutive', 'windoku', 'unknownflag'])
    data[`with ${flag}`] = { ...puzzle, [flag]: true };
  const link = (value: object) => LZString.compressToBase64(JSON.stringify(value));
  const texts = Object.entries(data).map(([name, value]): [string, string] => [name, json(value)]);
  const links = ['givens alone', 'with killercage', 'both diagonals', 'regions of rows', 'a row too few'];
  return {
    ...Object.fromEntries(texts),
    ...Object.fromEntries(
      links.map((name) => [
        `a link, ${name}`,
        `https://www.f-puzzles.com/?load=${link(data[name]!)} label\n`,
      ]),
    ),
    'data, cut off': `fpuzzles${link(puzzle).slice(0, 200)}\n`,
    'a link to a server': 'https://f-puzzles.com/?id=yx12abcd\n',
  };
}

function sudokuPad(): Inputs {
  const grid = cells.map((row) => row.map((value) => (value === 0 ? {} : { value })));
  const regions = Array.from({ length: 9 }, (_, region) =>
    Array.from({ length: 9 }, (_, k) => [
      3 * Math.floor(region / 3) + Math.floor(k / 3),
      3 * (region % 3) + (k % 3),
    ]),
  );
  const puzzle = { cellSize: 64, cells: grid, regions };
  const data: Record<string, object> = {
    'cells and regions': puzzle,
    'a caption with an author': { ...puzzle, cages: [{ value: 'author: A' }, { value: 'title: B' }] },
    'a caption with the usual rules': { ...puzzle, cages: [{ value: 'rules: Normal sudoku rules apply.' }] },
    'a caption with a rule': {
      ...puzzle,
      cages: [{ value: 'rules: Digits on an arrow sum to its circle.' }],
    },
    'a cage': {
      ...puzzle,
      cages: [
        {
          cells: [
            [0, 0],
            [0, 1],
          ],
          value: '8',
        },
      ],
    },
    'metadata with rules': {
      ...puzzle,
      metadata: { title: 'T', rules: 'Normal sudoku rules, and thermometers.' },
    },
    'metadata without a rule': { ...puzzle, metadata: { title: 'T', author: 'A' } },
    'empty lines and arrows': { ...puzzle, lines: [], arrows: [], overlays: [], underlays: [] },
    'a region of ten': { ...puzzle, regions: [[...regions[0]!, [3, 3]], ...regions.slice(1)] },
    'a cell in two regions': { ...puzzle, regions: [regions[1]!, ...regions.slice(1)] },
    'regions from one': {
      ...puzzle,
      regions: regions.map((region) => region.map(([r, c]) => [r! + 1, c! + 1])),
    },
  };
  for (const rule of ['lines', 'arrows', 'overlays', 'underlays', 'cosmetics', 'foglight'])
    data[`with ${rule}`] = {
      ...puzzle,
      [rule]: [
        {
          wayPoints: [
            [0, 0],
            [1, 1],
          ],
          color: '#ff0000',
        },
      ],
    };
  const link = (value: object) => `scl${LZString.compressToBase64(JSON.stringify(value))}`;
  return {
    ...Object.fromEntries(Object.entries(data).map(([name, value]) => [name, json(value)])),
    'a link': `https://sudokupad.app/${link(puzzle)}\n`,
    'a link with lines': `https://sudokupad.app/${link(data['with lines']!)}\n`,
    'data alone, twice': `${link(puzzle)}\n${link(puzzle)} second\n`,
    'a short link': 'https://sudokupad.app/abc123xyz\n',
  };
}

function members(): Inputs {
  const values: Record<string, unknown> = {
    'variant "x"': { variant: 'x' },
    'variant "killer"': { variant: 'killer' },
    'type "Sudoku"': { type: 'Sudoku' },
    'type "easy"': { type: 'easy' },
    'type "jigsaw", no map': { type: 'jigsaw' },
    'constraints, a list': { constraints: ['anti-knight'] },
    'constraints, objects': { constraints: [{ type: 'thermo', cells: [1, 2] }] },
    'rules, the usual text': { rules: 'Normal sudoku rules apply.' },
    'rules, a text with a rule': { rules: 'Digits in cages do not repeat and sum to the given total.' },
    'rules, a text with diagonals': { rules: 'The diagonals have each digit once as well.' },
    'diagonal "both"': { diagonal: 'both' },
    'diagonal 1': { diagonal: 1 },
    'diagonals, two signs': { diagonals: ['+', '-'] },
    'diagonals, one sign': { diagonals: ['+'] },
    'windoku true': { windoku: true },
    'windoku "maybe"': { windoku: 'maybe' },
    'box "3x3"': { box: '3x3' },
    'box [2, 3]': { box: [2, 3] },
    'boxRows and boxColumns': { boxRows: 3, boxColumns: 3 },
    'noBoxes true': { noBoxes: true },
    'boxes false': { boxes: false },
    'regions, a text': { regions: boxMap },
    'regions, rows': { regions: rowsOf(boxMap) },
    'regions true': { regions: true },
    'layout, a word': { layout: 'standard' },
    'map, a list': { map: Array.from(boxMap, (region) => region.charCodeAt(0) - 97) },
    'an unknown text': { flavour: 'sour' },
    'an unknown list': { flavours: ['sour'] },
    'an unknown true': { sour: true },
    'an unknown empty list': { flavours: [] },
    'labels of every kind': {
      id: 7,
      level: 'easy',
      rating: 1.5,
      tags: ['a'],
      source: { url: 'u' },
      public: true,
    },
    'a long number': { number: 12345678901234567890n.toString() },
    cages: { cages: [{ cells: [0, 1], sum: 8 }] },
    'cages, off': { cages: null },
    'two variants': { variant: 'x', windoku: true },
    'contradicting variants': { variant: 'latin', boxes: true, windoku: true },
    'a second grid, equal': { board: CLASSIC },
    'a second grid, another': { board: SECOND },
    'a second grid, blank': { board: '.'.repeat(81) },
    'a solution': { solution: CLASSIC_SOLUTION },
    'a wrong solution': { solution: `${CLASSIC_SOLUTION.slice(0, 80)}1` },
    'a short solution': { solution: CLASSIC_SOLUTION.slice(0, 80) },
    'solutions, a list of one': { solutions: [CLASSIC_SOLUTION] },
    'an answer in rows': { answer: rowsOf(CLASSIC_SOLUTION) },
  };
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, json({ puzzle: CLASSIC, ...(value as object) })]),
  );
}

function wrappers(): Inputs {
  const list = [CLASSIC, { puzzle: SECOND, id: 'b' }];
  const around = (value: object) => json({ ...value, puzzles: list });
  const after = (value: object) => json({ puzzles: list, ...value });
  return {
    'puzzles in a list': around({}),
    'a title': around({ title: 'Set', difficulty: 'easy' }),
    'variant x': around({ variant: 'x' }),
    'variant x after the puzzles': after({ variant: 'x' }),
    'killer cages': around({ killercage: [{ cells: ['R1C1'] }] }),
    'killer cages after the puzzles': after({ killercage: [{ cells: ['R1C1'] }] }),
    'empty cages after the puzzles': after({ killercage: [] }),
    'a flag that is unknown': around({ mystery: true }),
    'a flag that is unknown, after': after({ mystery: true }),
    'box 3x3': around({ box: '3x3' }),
    'regions for all': around({ regions: boxMap }),
    'rules of its puzzles': json({ puzzles: [{ puzzle: CLASSIC, cages: [1] }, { puzzle: SECOND }] }),
    'a wrapper in a wrapper': json({ data: { page: 1, items: { easy: list, hard: [SECOND] } } }),
    'rules in the outer wrapper': json({ antiknight: true, data: { puzzles: list } }),
    'levels as names': json({ easy: [CLASSIC], hard: [SECOND] }),
    'puzzles by number': json({ 1: CLASSIC, 2: SECOND }),
    'quizzes and solutions': json({ quizzes: [CLASSIC], solutions: [CLASSIC_SOLUTION] }),
    'too few solutions': json({ quizzes: [CLASSIC, SECOND], solutions: [CLASSIC_SOLUTION] }),
    'solutions without puzzles': json({ solutions: [CLASSIC_SOLUTION] }),
    'an empty list': json({ puzzles: [] }),
    'a puzzle and its solution as a pair': json([[CLASSIC, CLASSIC_SOLUTION]]),
    'grids of an API': json({
      newboard: { grids: [{ value: cells, difficulty: 'Easy' }], results: 1, message: 'All Ok' },
    }),
    'a null among puzzles': json({ puzzles: [CLASSIC, null, SECOND] }),
    'a number among puzzles': json({ puzzles: [CLASSIC, 17, SECOND] }),
    'damage in a puzzle': json({ puzzles: list }).replace('53..7', '53"..7'),
    'damage and a rule': json({ variant: 'x', puzzles: [cells, cells] }).replace('[[5,3', '[[[5,3'),
    'a list without its end': json({ puzzles: [cells, cells] }).slice(0, -3),
    'nine wrappers': json(
      Array.from({ length: 9 }).reduce((inner: object) => ({ set: inner }), { puzzles: list }),
    ),
    pretty: `${JSON.stringify({ title: 'Set', puzzles: list }, null, 2)}\n`,
    'pretty with a rule': `${JSON.stringify({ thermometers: [[1]], puzzles: list }, null, 2)}\n`,
    'comments between lines': `// boards\n${json(cells)}# and another\n${json({ puzzle: SECOND })}`,
  };
}

function repeats(): Inputs {
  const object = (...parts: string[]) => `{${parts.join(',')}}\n`;
  const puzzle = `"puzzle":"${CLASSIC}"`;
  return {
    'a puzzle twice': object(puzzle, `"puzzle":"${SECOND}"`),
    'a rule twice, the last one off': object('"cages":[{"cells":[1]}]', puzzle, '"cages":[]'),
    'a label twice': object('"id":1', puzzle, '"id":2'),
    'an escaped name': object('"id":1', puzzle, '"\\u0069d":2'),
    'within a label': object(puzzle, '"source":{"url":"a","url":"b"}'),
    'within a rule': object(puzzle, '"metadata":{"rules":"none","rules":"cages"}'),
    'of a wrapper': object('"variant":"x"', `"puzzles":["${CLASSIC}"]`, '"variant":"windoku"'),
    'of a puzzle in a wrapper': object(`"puzzles":[{${puzzle},${puzzle}},{${puzzle}}]`),
    'puzzles of a wrapper': object(`"puzzles":["${CLASSIC}"]`, `"puzzles":["${SECOND}"]`),
    'among good ones': [object(puzzle), object(puzzle, puzzle), object(puzzle)].join(''),
  };
}

function ruleColumns(): Inputs {
  const table = (header: string, ...values: string[]) =>
    `puzzle,${header}\n${values.map((value, k) => `${k % 2 === 0 ? CLASSIC : SECOND},${value}\n`).join('')}`;
  return {
    'variant names': table('variant', 'standard', 'x', '', 'killer', 'latin'),
    rule: table('rule', 'none', 'anti-knight', 'x'),
    constraint: table('constraint', '', 'thermo'),
    'type with levels': table('type', 'easy', 'hard', 'killer', 'x'),
    category: table('category', 'Sudoku X', 'windoku'),
    'diagonal flag': table('diagonal', '0', '1', 'yes', 'no', '2'),
    'windoku flag': table('windoku', 'false', 'true'),
    cages: table('cages', '', '0', '[]', '[[0,1]]', '3'),
    killer: table('killer', 'no', 'yes'),
    thermo: table('thermo', '0', '1', 'null'),
    'a statistic named like a rule': table('minimum', '17', '3.5', 'x'),
    'two rule columns': table('variant,cages', 'x,', 'x,1', ',0'),
    'two variants in a row': table('variant,diagonal', 'windoku,1', 'x,1', ',1'),
    'regions and a variant': table(
      'regions,variant',
      `${boxMap},x`,
      `${boxMap},jigsaw-x`,
      `${boxMap},standard`,
    ),
    'an empty region map': table('regions', boxMap, '', boxMap.slice(1)),
    'a region of ten': table('layout', boxMap, `b${boxMap.slice(1)}`),
    'in quotes': table('variant,note', '"x","a, b"', '"killer","c ""d"""'),
    'with semicolons': table('variant;cages', 'x;', ';1').replaceAll(',', ';'),
    'a short row': `puzzle,id,variant\n${CLASSIC},1,x\n${SECOND},2\n${SECOND}\n`,
  };
}

function tableHeaders(): Inputs {
  const pair = (one: string, other: string) =>
    `${one},${other}\n${CLASSIC},${CLASSIC_SOLUTION}\n${SECOND},\n`;
  const names = [
    ['quizzes', 'solutions'],
    ['Puzzle', 'Solution'],
    ['initial', 'final'],
    ['given', 'answer'],
    ['Q', 'A'],
    ['task', 'result'],
    ['Aufgabe', 'Lösung'],
    ['题目', '答案'],
    ['unsolved', 'solved'],
    ['a', 'b'],
    ['0', '1'],
    ['', '0'],
    ['solution', 'puzzle'],
    ['sudoku_puzzle', 'sudoku_solution'],
  ] as const;
  return {
    ...Object.fromEntries(names.map(([one, other]) => [`${one},${other}`, pair(one, other)])),
    'solution first': `solution,puzzle\n${CLASSIC_SOLUTION},${CLASSIC}\n`,
    'no header': `${CLASSIC},${CLASSIC_SOLUTION}\n1,2\n`,
    'id, puzzle, note': `id,puzzle,note\n7,${CLASSIC},"a ""b"", c"\n8,${SECOND},\n`,
    'two columns of puzzles': `puzzle,other\n${CLASSIC},${SECOND}\n${SECOND},${CLASSIC}\n`,
    'two columns of full grids': `puzzle,one,two\n${CLASSIC},${CLASSIC_SOLUTION},${[...CLASSIC_SOLUTION].reverse().join('')}\n`,
    'sep=;': `sep=;\nid;puzzle\n1;${CLASSIC}\n`,
    tabs: `id\tpuzzle\n1\t${CLASSIC}\n2\t${SECOND}\n`,
    'a Markdown table': `| id | puzzle |\n|---|---|\n| 1 | ${CLASSIC} |\n| 2 | \`${SECOND}\` |\n`,
    'quoted grids on lines': `id,puzzle\n1,"${rows.join('\n')}"\n2,"${rowsOf(SECOND).join('\n')}"\n`,
    'spaces as blanks': `id,puzzle\n1,${CLASSIC.replaceAll('.', ' ')}\n`,
    'only a header': 'id,puzzle,solution\n',
    'words above one column': `sudoku puzzles\n${CLASSIC}\n${SECOND}\n`,
    'one name above one column': `puzzle\n${CLASSIC}\n${SECOND}\n`,
  };
}

const list = (open: string, close: string, row = open + close) =>
  cells
    .map((own) => `${row[0]}${own.join(', ')}${row[1]}`)
    .join(',\n')
    .replace(/^/, open)
    .replace(/$/, close);

function openings(): Inputs {
  const brackets = list('[', ']', '[]');
  const braces = list('{', '}', '{}');
  const starts: Record<string, string> = {
    Python: `puzzle = ${brackets}\n`,
    'Python, annotated': `board: list[list[int]] = ${brackets}\n`,
    NumPy: `grid = np.array(${brackets})\n`,
    JavaScript: `const easy = ${brackets};\n`,
    TypeScript: `let board: number[][] = ${brackets};\n`,
    C: `int board[9][9] = ${braces};\n`,
    'C++': `std::array<std::array<int, 9>, 9> hard = ${braces};\n`,
    Java: `int[][] board = new int[][] ${braces};\n`,
    'C#': `var grid = new int[,] ${braces};\n`,
    Rust: `let board: [[u8; 9]; 9] = ${brackets};\n`,
    'a Rust vector': `let board = vec!${brackets.replaceAll(/^(\[*)\[/gm, '$1vec![')};\n`,
    Go: `board := [9][9]int${braces}\n`,
    R: `s <- matrix(c(${cells.flat().join(', ')}), 9)\n`,
    Prolog: `problem(1, ${brackets}).\n`,
    Lisp: `(defvar *board* '(${cells.map((row) => `(${row.join(' ')})`).join('\n')}))\n`,
    'a Lisp vector': `#2A(${cells.map((row) => `(${row.join(' ')})`).join('\n')})\n`,
    Haskell: `easy = [${cells.map((row) => `[${row.join(',')}]`).join('\n  ,')}]\n`,
    MATLAB: `M = [${cells.map((row) => row.join(' ')).join('; ...\n')}];\n`,
    LaTeX: `\\begin{tabular}{ccc}\n${cells.map((row) => `${row.join(' & ')} \\\\ \\hline`).join('\n')}\n\\end{tabular}\n`,
    'a wiki table': `{|\n${cells.map((row) => `|-\n| ${row.join(' || ')}`).join('\n')}\n|}\n`,
    YAML: `grid: |\n${rows.map((row) => `  ${row}`).join('\n')}\n`,
    'a YAML list': `puzzles:\n${[CLASSIC, SECOND].map((line) => `  - "${line}"`).join('\n')}\n`,
    'a text in quotes': `puzzle = """\n${rows.join('\n')}\n"""\n`,
    'strings in a list': `rows = [\n${rows.map((row) => `  "${row}",`).join('\n')}\n]\n`,
    'strings joined by plus': `s = ${rows.map((row) => `"${row}"`).join(' +\n    ')};\n`,
    'continued lines': `s = "\\\n${rows.map((row) => `${row}\\`).join('\n')}\n"\n`,
    'a key and a line': `easy: ${CLASSIC}\n`,
    'a call': `solve("${CLASSIC}");\n`,
    'an assignment of a line': `String s = "${CLASSIC}";\n`,
    SQL: `INSERT INTO puzzles VALUES (7, '${CLASSIC}', '${CLASSIC_SOLUTION}');\n`,
    'an array of lines': `char *p[] = {\n  "${CLASSIC}",\n  "${SECOND}"\n};\n`,
    'words for blanks': `b = ${brackets.replaceAll('0', 'None')}\n`,
    'a damaged row': `b = ${brackets.replace('6, 0', '6, six')}\n`,
    'a missing row': `b = ${brackets.replace(/\[8[^\n]*\n/, '')}\n`,
    'two in one list': `boards = [\n${brackets},\n${brackets}\n]\n`,
  };
  return starts;
}

function columnNames(): Inputs {
  const grid = cells.map((row) => row.join(',')).join('\n');
  const numbered = cells.map((row, k) => [k, ...row].join(',')).join('\n');
  const names = (of: (k: number) => string) => Array.from({ length: 9 }, (_, k) => of(k)).join(',');
  return {
    'c0 to c8': `${names((k) => `c${k}`)}\n${grid}\n`,
    '0 to 8': `${names(String)}\n${grid}\n`,
    '1 to 9': `${names((k) => String(k + 1))}\n${grid}\n`,
    'A to I': `${names((k) => 'ABCDEFGHI'[k]!)}\n${grid}\n`,
    'A to I, two grids': `${names((k) => 'ABCDEFGHI'[k]!)}\n${grid}\n${grid}\n`,
    'words with a wrong row': `${names((k) => `c${k}`)}\n${grid.replace('6,0', '60')}\n`,
    'an index': `,${names(String)}\n${numbered}\n`,
    'an index from A': `x,${names((k) => 'ABCDEFGHI'[k]!)}\n${numbered}\n`,
    'an index, cut': `,${names(String)}\n${numbered.split('\n').slice(0, 7).join('\n')}\n`,
    '81 names': `${Array.from({ length: 81 }, (_, k) => `x${k}`).join(',')}\n${cells.flat().join(',')}\n`,
    'an empty Markdown head': `|${'   |'.repeat(9)}\n|${'---|'.repeat(9)}\n${cells.map((row) => `|${row.join('|')}|`).join('\n')}\n`,
    'a Markdown head of words': `|${names((k) => `c${k}`).replaceAll(',', '|')}|\n|${'---|'.repeat(9)}\n${cells.map((row) => `|${row.join('|')}|`).join('\n')}\n`,
  };
}

/** A line in a file of lines, changed at its start, in its middle and at its end. */
function wrongLines(): Inputs {
  const changes: Record<string, (line: string) => string> = {
    'a cell too few': (line) => line.slice(1),
    'a cell too many': (line) => `${line}1`,
    'a percent sign at the start': (line) => `%${line.slice(1)}`,
    'a percent sign in the middle': (line) => `${line.slice(0, 40)}%${line.slice(41)}`,
    'a percent sign at the end': (line) => `${line.slice(0, 80)}%`,
    'a letter': (line) => `${line.slice(0, 9)}A${line.slice(10)}`,
    'an umlaut': (line) => `${line.slice(0, 30)}ü${line.slice(31)}`,
    'a space': (line) => `${line.slice(0, 50)} ${line.slice(51)}`,
    'an inserted space': (line) => `${line.slice(0, 50)} ${line.slice(50)}`,
    'half a line': (line) => line.slice(0, 40),
    'two lines joined': (line) => line + line,
    'a quote': (line) => `"${line}`,
    'a label before it': (line) => `no. ${line}`,
    'a comment sign': (line) => `# ${line}`,
    nothing: () => '',
    prose: () => 'the next puzzle is hard',
    'a wrong solution count': (line) => `${line}:x`,
    'a wrong solution': (line) => `${line}:1:${CLASSIC_SOLUTION.slice(1)}`,
    'an escape sequence': (line) => `\u001b[31m${line}\u001b[0m`,
  };
  return Object.fromEntries(
    Object.entries(changes).map(([name, change]) => [
      name,
      `${CLASSIC}\n${change(SECOND)}\n${CLASSIC} easy\n`,
    ]),
  );
}

/** A grid in the second place of three, changed, in several layouts. */
function wrongRows(): Inputs {
  const layouts: Record<string, readonly string[]> = {
    rows,
    tokens: cells.map((row) => row.join(' ')),
    commas: cells.map((row) => row.join(',')),
    boxes: rows.map((row) => `${row.slice(0, 3)}|${row.slice(3, 6)}|${row.slice(6)}`),
    'drawn boxes': rows.flatMap((row, k) => [
      ...(k % 3 === 0 ? ['+-------+-------+-------+'] : []),
      `| ${[...row].join(' ').replace(/^(.{5}) (.{5}) /, '$1 | $2 | ')} |`,
    ]),
    lists: cells.map((row) => `[${row.join(', ')}],`),
  };
  const changes: Record<string, (lines: readonly string[]) => readonly string[]> = {
    'a row too few': (lines) => lines.slice(0, -1),
    'a row too many': (lines) => [...lines, lines.at(-1)!],
    'a short row': (lines) => lines.map((line, k) => (k === 4 ? line.replace(/\d(?!.*\d)/, '') : line)),
    'a stray sign': (lines) => lines.map((line, k) => (k === 4 ? line.replace(/\d/, '%') : line)),
    'a digit too large': (lines) => lines.map((line, k) => (k === 4 ? line.replace(/\d/, '12') : line)),
    'a blank line within': (lines) => [...lines.slice(0, 4), '', ...lines.slice(4)],
    'prose within': (lines) => [...lines.slice(0, 4), 'to be continued', ...lines.slice(4)],
  };
  return Object.fromEntries(
    Object.entries(layouts).flatMap(([layout, lines]) =>
      Object.entries(changes).map(([name, change]) => {
        const text = (own: readonly string[]) => `${own.join('\n')}\n`;
        return [`${layout}, ${name}`, [text(lines), text(change(lines)), text(lines)].join('\n')];
      }),
    ),
  );
}

function wrongJson(): Inputs {
  const board = JSON.stringify(rows.map((row) => [...row]));
  const numbers = JSON.stringify(cells);
  const changes: Record<string, (text: string) => string> = {
    'a missing quote': (text) => text.replace('"6"', '"6'),
    'a missing bracket': (text) => text.replace('],', ','),
    'an extra bracket': (text) => text.replace('],', ']],'),
    'a missing comma': (text) => text.replace(',', ''),
    'a short row': (text) => text.replace(/,[^,\]]+\]/, ']'),
    'a row too few': (text) => text.replace(/\[[^[\]]*\],/, ''),
    'a word as a cell': (text) => text.replace(/\["?5"?/, '[five'),
    'a text as a cell': (text) => text.replace(/\["?5"?/, '["five"'),
    'a fraction as a cell': (text) => text.replace(/\["?5"?/, '[5.5'),
    'a negative cell': (text) => text.replace(/\["?5"?/, '[-3'),
    'an object as a cell': (text) => text.replace(/\["?5"?/, '[{"sum":5}'),
    'a line break in a string': (text) => text.replace('"3"', '"3\n"'),
    'cut off': (text) => text.slice(0, text.length >> 1),
  };
  const texts = Object.entries(changes).flatMap(([name, change]) =>
    Object.entries({ board, numbers }).map(([kind, text]): [string, string] => [
      `${kind}, ${name}`,
      `[${text},${change(text)},${text}]\n`,
    ]),
  );
  return {
    ...Object.fromEntries(texts),
    'lines, a word between': `${board}\nnone\n${board}\n`,
    'lines, an object without a grid': `${json({ puzzle: CLASSIC })}{"name":"none"}\n${json({ puzzle: SECOND })}`,
    'lines, a short puzzle': `${json({ puzzle: CLASSIC })}${json({ puzzle: SECOND.slice(1) })}${json({ puzzle: SECOND })}`,
    'lines, a stray sign': `${json({ puzzle: CLASSIC })}${json({ puzzle: SECOND.replace('8', '%') })}`,
  };
}

function wrongMaps(): Inputs {
  const maps: Record<string, string> = {
    right: boxMap,
    'a region of ten': `b${boxMap.slice(1)}`,
    'a cell too few': boxMap.slice(1),
    'a cell too many': `${boxMap}i`,
    'a stray sign': boxMap.replace('e', '%'),
    'ten regions': `j${boxMap.slice(1)}`,
  };
  const layouts: Record<string, (map: string) => string> = {
    'on its line': (map) => `${CLASSIC} ${map}\n${SECOND} ${boxMap}\n`,
    joined: (map) => `${CLASSIC}${map}\n${SECOND}${boxMap}\n`,
    'on the next line': (map) => `${CLASSIC}\n${map}\n\n${SECOND}\n${boxMap}\n`,
    'in rows below': (map) =>
      `${rows.join('\n')}\n\n${rowsOf(map.padEnd(81, 'i').slice(0, 81)).join('\n')}\n\n${rowsOf(SECOND).join('\n')}\n\n${rowsOf(boxMap).join('\n')}\n`,
    'in JSON': (map) => json({ puzzle: CLASSIC, regions: map }),
  };
  return Object.fromEntries(
    Object.entries(layouts).flatMap(([layout, write]) =>
      Object.entries(maps).map(([name, map]) => [`${layout}, ${name}`, write(map)]),
    ),
  );
}
