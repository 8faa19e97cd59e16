/** Checks the files of a result set against its manifest. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest } from '../../lib/batch/delivery/manifest.ts';

/** Describes each file that differs from the manifest. */
export function mismatches(manifest: Manifest, read: (name: string) => Uint8Array): string[] {
  return manifest.files.flatMap(({ name, bytes, sha256 }) => {
    const body = read(name);
    const found = createHash('sha256').update(body).digest('hex');
    if (body.length === bytes && found === sha256) return [];
    return [`${name}: ${body.length} bytes, ${found}; expected ${bytes} bytes, ${sha256}`];
  });
}

/** Reads the manifest in a folder. */
export function manifestIn(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
}
