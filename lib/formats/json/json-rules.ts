/**
 * Rules of a puzzle that its JSON object names: the variant, the map of its regions, the shape of its boxes.
 *
 *     { "puzzle": "...", "variant": "x" }
 *     { "puzzle": "...", "variant": "jigsaw-boxes", "regions": "aaabbb..." }
 *     { "puzzle": "...", "box": "3x2" }
 */
import { type Geometry, parseBox } from '../../sudoku/geometry/geometry.ts';
import {
  needsRegions,
  parseVariantName,
  VARIANT_NAMES,
  type VariantName,
} from '../../sudoku/geometry/variants.ts';
import { regionsOf } from '../cells/regions.ts';
import type { ParseErrorCode } from '../records/record-block.ts';
import type { RecordSink } from '../records/record-sink.ts';
import type { ValueFault } from './json-value.ts';

export interface JsonRules {
  readonly variant?: VariantName;
  /** The map as it stands in the file: a symbol a cell. */
  readonly map?: string;
  readonly box?: readonly [rows: number, columns: number];
  /** Whether the puzzle is given by candidates instead of digits. */
  readonly byCandidates?: boolean;
}

/** Whether an object names any rules. */
export function namesRules({ variant, map, box }: JsonRules): boolean {
  return variant !== undefined || map !== undefined || box !== undefined;
}

/** The rules that an object names, or what is wrong with them. */
export function rulesOf(object: Readonly<Record<string, unknown>>): JsonRules | ValueFault {
  const { variant: name, regions, box } = object;
  const byCandidates = typeof name === 'string' && SUKAKU.test(name);
  const variant =
    typeof name === 'string' ? parseVariantName(name.replace(SUKAKU, '') || 'standard') : undefined;
  if (typeof name === 'string' && variant === undefined) {
    return fault(
      'unsupported_variant',
      `variant ${JSON.stringify(name)}`,
      `one of ${VARIANT_NAMES.join(', ')}`,
    );
  }
  return {
    variant,
    map: Array.isArray(regions) ? regions.flat().join('') : typeof regions === 'string' ? regions : undefined,
    box: typeof box === 'string' ? parseBox(box) : undefined,
    byCandidates,
  };
}

/** As records name a variant whose cells have candidates: see `withCandidates`. */
const SUKAKU = /-?sukaku$/i;

/**
 * The geometry of a puzzle under the rules of its object, or what is wrong with them.
 *
 * @param plain its geometry without them
 */
export function ruledGeometry(
  { book }: RecordSink,
  plain: Geometry,
  rules: JsonRules,
): Geometry | ValueFault {
  const { variant, map, box } = rules;
  const { size, cellCount, places } = plain;
  if (places !== undefined) {
    if (variant === undefined || variant === plain.variant) return plain;
    return fault('unsupported_variant', `${cellCount} cells of ${variant}`, `cells of ${plain.variant}`);
  }
  if (map === undefined) return namesRules(rules) ? book.variant({ variant, size, box }) : plain;
  if (variant !== undefined && !needsRegions(variant)) {
    return fault('bad_regions', 'a map of regions', `none, as the variant is ${variant}`);
  }
  const codes = Array.from(map, (symbol) => symbol.charCodeAt(0));
  const regions = codes.length === cellCount ? regionsOf(codes, 0, size) : undefined;
  if (regions !== undefined) return book.jigsaw(regions, { variant, box });
  const expected = `${size} regions of ${size} cells, each in one piece`;
  return fault('bad_regions', `a map of ${codes.length} cells`, expected);
}

function fault(code: ParseErrorCode, found: string, expected: string): ValueFault {
  return { code, scalar: -1, found, expected };
}
