/** The formats of whole files, in the order in which a file's first bytes are shown to them. */
import { json } from './json.ts';
import type { WholeFormat } from './whole-format.ts';

export const WHOLE_FORMATS: readonly WholeFormat[] = [json];

export const WHOLE_FORMAT_NAMES = ['json'] as const;
