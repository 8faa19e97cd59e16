import { type Fault, makeFault } from '../records/fault.ts';

/** The puzzle of a link as a JSON object, or why there is none. */
export type LinkResult = { readonly object: Readonly<Record<string, unknown>> } | Fault;

/** A rule that is not known, or a puzzle that the link does not have. */
export function refused(found: string, expected = 'givens, regions and rules that are known'): Fault {
  return makeFault('unsupported_variant', 0, found, expected);
}
