/**
 * Explains how a file is understood, as plain data: for `check --explain`, and for the page before it sends a file.
 *
 * It reads the file as a job does: with the same detection, and the same records.
 */
import { usualAlphabets } from '../../formats/cells/alphabets.ts';
import { boxesOf, formatsThatRead, type TableColumns, tableColumns } from '../../formats/formats.ts';
import type { Detection } from '../../formats/reader.ts';
import type { CommentLine } from '../../formats/records/comment-log.ts';
import type { RecordBlock } from '../../formats/records/record-block.ts';
import { puzzleDrawing } from '../../formats/writing/grid-drawing.ts';
import { givensClash } from '../../sudoku/checks/givens.ts';
import type { Geometry } from '../../sudoku/geometry/geometry.ts';
import { overlappingVariants, VARIANT_NAMES, variantProblem } from '../../sudoku/geometry/variants.ts';
import type { NoPuzzlesReason } from '../results/job-totals.ts';
import { BlockPool } from '../solving/block-pool.ts';
import type { FileError } from './file-error.ts';
import type { RecordSource } from './record-source.ts';

/** Puzzles that are written alike. */
export interface PuzzleKind {
  readonly format: string;
  /** `9x9`. */
  readonly size: string;
  readonly variant: string;
  /** Shape of a box, rows x columns; omitted if the variant has none. */
  readonly box?: string;
  readonly alphabet: string;
  readonly blank: string;
  puzzles: number;
}

/** Values of an option that read the file in another way. */
interface OptionChoices {
  readonly option: 'format' | 'variant' | 'box' | 'alphabet';
  /** The puzzles that it affects; omitted for all. */
  readonly size?: string;
  readonly values: readonly string[];
}

/** What does not apply is omitted. */
export interface FileExplanation {
  readonly container?: string;
  readonly encoding: string;
  /** The format of the file; of text, that of its first puzzle. */
  readonly format?: string;
  readonly columns?: TableColumns;
  /** The first kinds, in the order of the file. */
  readonly kinds: readonly PuzzleKind[];
  /** Puzzles of kinds that are not among them. */
  readonly otherPuzzles: number;
  readonly puzzles: number;
  readonly unreadable: number;
  /** Puzzles whose givens clash. */
  readonly invalid: number;
  readonly noPuzzles?: NoPuzzlesReason;
  readonly comments?: { readonly lines: number; readonly first: readonly CommentLine[] };
  /** Puzzles by warning. */
  readonly warnings: Readonly<Record<string, number>>;
  readonly firstPuzzle?: { readonly index: number; readonly line: number; readonly drawing: string };
  /** Why the file, or its first unreadable puzzle, cannot be read; `index` for a puzzle. */
  readonly firstError?: Pick<FileError, 'code' | 'message' | 'suggestion'> & { readonly index?: number };
  /** The options to pass if the file is misunderstood. */
  readonly options: readonly OptionChoices[];
}

const MAX_KINDS = 20;
/** Sizes for which options are listed. */
const MAX_SIZES = 3;
/** Larger grids are not drawn. */
const MAX_DRAWN_SIZE = 25;

/** Reads all records of `source`. @param onBlock called after each block, with the number of puzzles so far */
export async function explainFile(
  source: RecordSource,
  onBlock: (puzzles: number) => void = () => {},
): Promise<FileExplanation> {
  const detection = await source.detect();
  const kinds = new Map<string, PuzzleKind>();
  const warnings: Record<string, number> = {};
  /** One of each size, the first ones. */
  const geometries: Geometry[] = [];
  let [puzzles, otherPuzzles, unreadable, invalid] = [0, 0, 0, 0];
  let firstPuzzle: FileExplanation['firstPuzzle'];
  let firstError: FileExplanation['firstError'];

  const addError = (error: NonNullable<FileExplanation['firstError']>) => {
    unreadable++;
    firstError ??= error;
  };

  const addKind = ({ layout: { format, alphabet }, geometry }: RecordBlock, blank: string) => {
    const { size, boxRows, boxColumns, variant } = geometry;
    const box = boxRows === 0 ? undefined : `${boxRows}x${boxColumns}`;
    const key = `${format} ${size} ${variant} ${box} ${alphabet.name} ${blank}`;
    const known = kinds.get(key);
    if (known !== undefined) known.puzzles++;
    else if (kinds.size >= MAX_KINDS) otherPuzzles++;
    else {
      const name = `${size}x${size}`;
      kinds.set(key, { format, size: name, variant, box, alphabet: alphabet.name, blank, puzzles: 1 });
      const isNew = geometries.every((other) => other.size !== size);
      if (isNew && geometries.length < MAX_SIZES) geometries.push(geometry);
    }
  };

  const addBlock = (block: RecordBlock) => {
    const { geometry, cells, notes } = block;
    for (let i = 0; i < block.count; i++) {
      const index = ++puzzles;
      const { warnings: own = [], error } = notes.get(i) ?? {};
      for (const warning of own) warnings[warning] = (warnings[warning] ?? 0) + 1;
      if (error !== undefined) {
        addError({ ...error, index });
        continue;
      }
      const offset = i * geometry.cellCount;
      if (givensClash(geometry, cells, offset)) invalid++;
      addKind(block, block.blankOf(i));
      if (firstPuzzle === undefined && geometry.size <= MAX_DRAWN_SIZE) {
        const drawing = puzzleDrawing(block.layout, cells, offset);
        firstPuzzle = { index, line: block.line[i]!, drawing };
      }
    }
  };

  if (detection.kind === 'unreadable') firstError = detection.error;
  else if (detection.kind === 'exact-cover') {
    for await (const { error } of source.covers(detection)) {
      puzzles++;
      if (error !== undefined) addError({ ...(error as FileError), index: puzzles });
      onBlock(puzzles);
    }
  } else if (detection.kind === 'puzzles') {
    const pool = new BlockPool(false);
    for await (const block of source.blocks(detection, pool)) {
      addBlock(block);
      pool.release(block, 0);
      onBlock(puzzles);
    }
  } else source.readComments();
  const { form, noPuzzles } = source;
  return {
    container: form.container?.name,
    encoding: encodingOf(source),
    format: detection.kind === 'puzzles' || detection.kind === 'exact-cover' ? detection.format : undefined,
    columns: tableColumns(detection),
    kinds: [...kinds.values()],
    otherPuzzles,
    puzzles,
    unreadable,
    invalid,
    warnings,
    firstPuzzle,
    firstError,
    noPuzzles: puzzles === 0 && firstError === undefined ? noPuzzles : undefined,
    comments: fileComments(source),
    options: detection.kind === 'empty' ? [] : optionChoices(source, detection, geometries),
  };
}

/** The number of the comment lines read, and the first ones; undefined if there are none. */
export function fileComments({ comments }: RecordSource): FileExplanation['comments'] {
  return comments && comments.count > 0 ? { lines: comments.count, first: comments.first } : undefined;
}

const ENCODINGS = { 'utf-16le': 'UTF-16, little endian', 'utf-16be': 'UTF-16, big endian' } as const;

function encodingOf({ head, form }: RecordSource): string {
  if (form.encoding !== undefined) return ENCODINGS[form.encoding];
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return 'UTF-8 with a byte-order mark';
  if (head.every((byte) => byte < 128)) return 'ASCII';
  try {
    // The head may end inside a character.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return 'UTF-8';
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return 'neither ASCII nor UTF-8; other characters are not understood';
  }
}

/** Variants that one square grid cannot have. */
const OVERLAPPING = overlappingVariants().map(({ variant }) => variant);

/** The other values with which the file, or its puzzles of one size, would be read. */
function optionChoices(
  { head, isWhole, hints }: RecordSource,
  detection: Detection,
  geometries: readonly Geometry[],
): OptionChoices[] {
  const detected = 'format' in detection ? detection.format : undefined;
  const formats = formatsThatRead(head, isWhole, hints).filter((format) => format !== detected);
  const choices: OptionChoices[] = [{ option: 'format', values: formats }];
  for (const { size, variant, boxRows, boxColumns } of geometries) {
    const name = `${size}x${size}`;
    const boxes = boxesOf(size).filter((box) => box !== `${boxRows}x${boxColumns}`);
    const variants = VARIANT_NAMES.filter(
      (other) =>
        other !== variant &&
        !OVERLAPPING.includes(other) &&
        variantProblem({ variant: other, size }) === undefined,
    );
    choices.push(
      { option: 'alphabet', size: name, values: usualAlphabets(size).map((alphabet) => alphabet.name) },
      { option: 'box', size: name, values: boxes },
      { option: 'variant', size: name, values: variants },
    );
  }
  return choices.filter(({ values }) => values.length > 0);
}
