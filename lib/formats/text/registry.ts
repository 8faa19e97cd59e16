/** The layouts of text, in the order in which the reader tries them. A new layout is one file and one entry here. */
import type { WordLayout } from '../records/word-layout.ts';
import type { GridWriter } from '../writing/grid-writer.ts';
import { Boxed } from './drawings/boxed.ts';
import { GridDrawer } from './drawings/grid-drawer.ts';
import { marksDrawing } from './drawings/marks-drawing.ts';
import type { FastPath } from './fast-path.ts';
import { CellGrids } from './grids/cell-grids.ts';
import { CellLines } from './grids/cell-lines.ts';
import { FieldDrawer } from './grids/field-drawer.ts';
import { Count } from './headers/count.ts';
import { descriptions } from './headers/descriptions.ts';
import { end } from './headers/end.ts';
import { header } from './headers/header.ts';
import { sections } from './headers/sections.ts';
import { sizeHeader } from './headers/size.ts';
import { bank } from './lines/bank.ts';
import { coordinates } from './lines/coordinates.ts';
import { expected } from './lines/expected.ts';
import { hodoku, isLibraryLine } from './lines/hodoku.ts';
import { jigsaw } from './lines/jigsaw.ts';
import { Line } from './lines/line.ts';
import { LineBatches } from './lines/line-batches.ts';
import { pencilmarks } from './lines/pencilmarks.ts';
import { variants } from './lines/variants.ts';
import { WordLines } from './lines/words.ts';
import type { Recogniser } from './recogniser.ts';
import type { WholeGrids } from './rows/row-grids.ts';
import { Rows } from './rows/rows.ts';
import { SameShape } from './rows/same-shape.ts';
import { spacedLine, spacedRows } from './rows/spaced-blanks.ts';
import { Samurai } from './samurai/samurai.ts';
import { SamuraiLine } from './samurai/samurai-line.ts';
import { LineRuns } from './shape/judge.ts';
import { tokens } from './shape/readings.ts';
import { TokenGrids } from './tokens/token-grids.ts';
import { Tokens } from './tokens/tokens.ts';
import { UnlinedGrids } from './tokens/unlined-grids.ts';
import { Walls } from './tokens/walls.ts';
import { UnreadableLines } from './unreadable.ts';

export const TEXT_FORMAT_NAMES = [
  'line',
  'pencilmarks',
  'jigsaw',
  'walls',
  'expected',
  'bank',
  'link',
  'samurai-line',
  'samurai',
  'rows',
  'boxed',
  'tokens',
  'cells-line',
  'cells',
] as const;

/** The readers of one file's lines. */
export interface TextLayouts {
  /** In the order in which they are tried, before any recogniser. */
  readonly fastPaths: readonly FastPath[];
  /** In the order in which they are tried. */
  readonly recognisers: readonly Recogniser[];
  /** Reads rows of blanks between tabs, which have no text. */
  readonly cellGrids: CellGrids;
  /** Takes the lines that no recogniser takes. */
  readonly unreadable: UnreadableLines;
}

/**
 * @param wordLayouts layouts of other modules, which come first
 * @param only the format that the user named: headers are read, and this format alone
 */
export function createTextLayouts(wordLayouts: readonly WordLayout[], only?: string): TextLayouts {
  const words = wordLayouts.map((layout) => new WordLines(layout));
  const runs = new LineRuns();
  const drawer = new GridDrawer();
  const unlined = new UnlinedGrids();
  const sameShape = new SameShape(runs, drawer, unlined);
  const fieldDrawer = new FieldDrawer(drawer);
  const cellGrids = new CellGrids(drawer, fieldDrawer, sameShape);
  const cellLines = new CellLines(fieldDrawer);
  const wholeGrids: WholeGrids = (context, at) => cellGrids.matchWhole(context, at);
  const headers: Recogniser[] = [
    header,
    sections,
    descriptions,
    end,
    new Count((context, at) => cellGrids.isRow(context, at)),
    sizeHeader((context, at) => context.lines.width(at, tokens) || cellGrids.width(context, at)),
  ];
  const grids: Recogniser[] = [
    ...words,
    variants,
    pencilmarks,
    bank,
    jigsaw,
    expected,
    hodoku,
    spacedLine,
    new Line(runs),
    spacedRows,
    new SamuraiLine(),
    new Samurai(drawer, sameShape),
    marksDrawing,
    coordinates,
    new Rows(runs, sameShape),
    new Boxed(drawer, sameShape, wholeGrids, (context, at) => cellLines.isWhole(context, at)),
    new Walls(sameShape),
    new Tokens(unlined, sameShape, wholeGrids),
    cellLines,
    cellGrids,
  ];
  return {
    fastPaths: [new LineBatches(runs), sameShape, new TokenGrids()],
    recognisers: [...headers, ...grids.filter(({ name }) => only === undefined || name === only)],
    cellGrids,
    unreadable: new UnreadableLines(runs, {
      isRow: (context, at) => cellGrids.mayStart(context, at),
      isLine: (context, at) =>
        words.some((word) => word.startsAt(context, at)) ||
        cellLines.isPuzzle(context, at) ||
        isLibraryLine(context, at),
    }),
  };
}

const writers = new Map(
  createTextLayouts([]).recognisers.flatMap(({ name, writer }): [string, GridWriter][] =>
    writer === undefined ? [] : [[name, writer]],
  ),
);

/** The writer of solutions in a text layout; undefined for other formats. */
export function textWriter(format: string): GridWriter | undefined {
  return writers.get(format);
}
