/**
 * The bill of materials of the package: `npm sbom --sbom-format cyclonedx | node test/release/sbom.ts`. npm lists every
 * package of a checkout; the package contains those in `dist/LICENSES.txt`. Works in the current folder.
 */
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { type Bom, bomOfPackage } from './bom.ts';

try {
  const bom = JSON.parse(await text(process.stdin)) as Bom;
  const { name } = JSON.parse(readFileSync('package.json', 'utf8')) as { name: string };
  const own = bomOfPackage(bom, name, readFileSync('dist/LICENSES.txt', 'utf8'));
  process.stdout.write(`${JSON.stringify(own, undefined, 2)}\n`);
} catch (error) {
  process.stderr.write(`sbom: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
