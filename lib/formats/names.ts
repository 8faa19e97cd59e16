/** The names of formats and of output profiles: values of options. They are apart from what reads and writes, so that help loads neither. */
import { COVER_FORMAT_NAMES } from './exact-cover/cover-record.ts';

/** Layouts of text, of which a file may have several. */
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

/** Formats of whole files. */
export const FILE_FORMAT_NAMES = ['json', 'opensudoku', 'csv'] as const;

/** Values of `--format`. */
export const FORMAT_NAMES = [...TEXT_FORMAT_NAMES, ...FILE_FORMAT_NAMES, ...COVER_FORMAT_NAMES] as const;

/** Values of `--output`. */
export const OUTPUT_PROFILES = [
  'same',
  'line',
  'sdm',
  'csv',
  'jsonl',
  'grid',
  'tokens',
  'hdu',
  'poj3076',
  'acwing',
  'luogu',
] as const;
export type OutputProfile = (typeof OUTPUT_PROFILES)[number];
