/** What a fuzzer needs of a reader or parser: inputs to start from, and the properties that hold for every input. */

export interface Target {
  readonly name: string;
  /** Inputs to start from: valid ones, of every kind. */
  readonly seeds: () => readonly (string | Uint8Array)[];
  /** Parts of the syntax. */
  readonly tokens: readonly string[];
  readonly maxBytes: number;
  /** Maximum work, in executed blocks: `base + perByte * bytes`. */
  readonly maxWork: { readonly base: number; readonly perByte: number };
  /** Reads an input. @throws for a defect: an error that is not documented, or a property that does not hold */
  readonly run: (input: Buffer) => void | Promise<void>;
}

/** A property that does not hold. */
export class PropertyError extends Error {
  override readonly name = 'PropertyError';
}

export function check(holds: boolean, property: string, details?: () => unknown): void {
  if (holds) return;
  throw new PropertyError(details === undefined ? property : `${property}: ${shown(details())}`);
}

/** Checks that two values have the same JSON. */
export function checkSame(actual: unknown, expected: unknown, property: string): void {
  const [found, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (found === wanted) return;
  let at = 0;
  while (found?.[at] === wanted?.[at]) at++;
  const near = (text = '') => text.slice(Math.max(0, at - 80), at + 120);
  throw new PropertyError(`${property}: found ${near(found)}, expected ${near(wanted)}`);
}

/** Runs `work`, whose errors may only be those that `isDocumented` accepts. @returns the error, if there was one */
export async function documented<Value>(
  work: () => Value | Promise<Value>,
  isDocumented: (error: unknown) => boolean,
): Promise<{ readonly value?: Value; readonly error?: Error }> {
  try {
    return { value: await work() };
  } catch (error) {
    if (isDocumented(error)) return { error: error as Error };
    throw error;
  }
}

/** A number that depends on all bytes of an input (FNV-1a), so that a run needs no other source of randomness. */
export function digest(input: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of input) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? String(value)).slice(0, 400);
}
