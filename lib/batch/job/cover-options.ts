/** The options of exact-cover files. */
import type { SolveOptions } from '../options.ts';
import type { FileError } from './file-error.ts';

/** Output profiles of exact-cover files; the others are layouts of grids. */
const COVER_PROFILES: readonly string[] = ['same', 'jsonl'];

/** Why these options do not apply to an exact-cover file; undefined if they do. */
export function coverRefusal(options: SolveOptions): FileError | undefined {
  const refused: { option: string; found: string; message: string }[] = [];
  const refuse = (option: string, found: string, why: string) => {
    refused.push({ option, found, message: `option "${option}" is "${found}": ${why}` });
  };
  const { engine, output, alphabet, variant, box, rate } = options;
  if (engine !== 'dlx') refuse('engine', engine, 'exact-cover files need engine dlx');
  if (!COVER_PROFILES.includes(output)) {
    refuse('output', output, `exact-cover files are written as ${COVER_PROFILES.join(' or ')}`);
  }
  const why = 'an exact-cover file has no cells';
  if (alphabet !== undefined) refuse('alphabet', alphabet, why);
  if (variant !== undefined) refuse('variant', variant, why);
  if (box !== undefined) refuse('box', box.join('x'), why);
  if (rate) refuse('rate', 'true', why);
  if (refused.length === 0) return undefined;
  const message = refused.map((refusal) => refusal.message).join('; ');
  return { code: 'bad_option', message, options: refused };
}
