/** Applies the rules of an object to the geometry of its puzzle. */
import type { Geometry } from '../../sudoku/geometry/geometry.ts';
import { needsRegions } from '../../sudoku/geometry/variants.ts';
import { REGION_DISCONNECTED } from '../cells/regions.ts';
import { type Fault, makeFault } from '../records/fault.ts';
import type { RecordSink } from '../records/record-sink.ts';
import { readRegions } from './regions.ts';
import { type JsonRules, namesRules } from './statement.ts';

/** A geometry, or why there is none. */
export interface RuledGeometry {
  readonly geometry: Geometry;
  readonly warnings: readonly string[];
}

/**
 * Applies the rules of its object to a puzzle's geometry.
 *
 * @param plain the geometry without rules
 */
export function ruledGeometry(
  { book }: RecordSink,
  plain: Geometry,
  rules: JsonRules,
): RuledGeometry | Fault {
  const { variant, map, box } = rules;
  const { size, cellCount, places } = plain;
  if (places !== undefined) {
    if (variant === undefined || variant === plain.variant) return { geometry: plain, warnings: [] };
    return makeFault(
      'unsupported_variant',
      -1,
      `${cellCount} cells of ${variant}`,
      `cells of ${plain.variant}`,
    );
  }
  if (box !== undefined && box[0] * box[1] !== size) {
    return makeFault(
      'bad_regions',
      -1,
      `boxes of ${box[0]}x${box[1]} in a ${size}x${size}`,
      `boxes of ${size} cells`,
    );
  }
  if (map === undefined) {
    return { geometry: namesRules(rules) ? book.geometryFor({ variant, size, box }) : plain, warnings: [] };
  }
  if (variant !== undefined && !needsRegions(variant)) {
    return makeFault('bad_regions', -1, 'a map of regions', `none, as the variant is ${variant}`);
  }
  const read = readRegions(map, size);
  if ('found' in read) return makeFault('bad_regions', -1, read.found, read.expected);
  const warnings = read.disconnected === undefined ? [] : [REGION_DISCONNECTED];
  return { geometry: book.jigsaw(read.regions, { variant, box }), warnings };
}
