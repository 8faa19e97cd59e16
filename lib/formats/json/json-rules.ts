/**
 * The rules of a puzzle in its JSON object: variant, region map, box shape.
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
import type { RecordSink } from '../records/record-sink.ts';
import { type JsonFault, jsonFault } from './json-fault.ts';

export interface JsonRules {
  readonly variant?: VariantName;
  /** The region map in the file: one symbol per cell. */
  readonly map?: string;
  readonly box?: readonly [rows: number, columns: number];
  /** Whether the puzzle has candidates instead of digits. */
  readonly byCandidates?: boolean;
}

export function namesRules({ variant, map, box }: JsonRules): boolean {
  return variant !== undefined || map !== undefined || box !== undefined;
}

export function rulesOf(object: Readonly<Record<string, unknown>>): JsonRules | JsonFault {
  const { variant: name, regions, box } = object;
  const byCandidates = typeof name === 'string' && SUKAKU.test(name);
  const variant =
    typeof name === 'string' ? parseVariantName(name.replace(SUKAKU, '') || 'standard') : undefined;
  if (typeof name === 'string' && variant === undefined) {
    return jsonFault(
      'unsupported_variant',
      -1,
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

/** The suffix that records use for variants with candidates; see `withCandidates`. */
const SUKAKU = /-?sukaku$/i;

/**
 * Applies the rules of its object to a puzzle's geometry.
 *
 * @param plain the geometry without rules
 */
export function ruledGeometry({ book }: RecordSink, plain: Geometry, rules: JsonRules): Geometry | JsonFault {
  const { variant, map, box } = rules;
  const { size, cellCount, places } = plain;
  if (places !== undefined) {
    if (variant === undefined || variant === plain.variant) return plain;
    return jsonFault(
      'unsupported_variant',
      -1,
      `${cellCount} cells of ${variant}`,
      `cells of ${plain.variant}`,
    );
  }
  if (map === undefined) return namesRules(rules) ? book.geometryFor({ variant, size, box }) : plain;
  if (variant !== undefined && !needsRegions(variant)) {
    return jsonFault('bad_regions', -1, 'a map of regions', `none, as the variant is ${variant}`);
  }
  const codes = Array.from(map, (symbol) => symbol.charCodeAt(0));
  const regions = codes.length === cellCount ? regionsOf(codes, 0, size) : undefined;
  if (regions !== undefined) return book.jigsaw(regions, { variant, box });
  const expected = `${size} regions of ${size} cells, each in one piece`;
  return jsonFault('bad_regions', -1, `a map of ${codes.length} cells`, expected);
}
