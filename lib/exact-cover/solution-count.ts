/**
 * Numbers of solutions, exact at any size: a number up to 2^53 - 1, a bigint beyond. Nearly all counts are numbers, whose
 * sums cost nothing; the others become strings in JSON, as most readers of JSON round large numbers.
 */
export type SolutionCount = number | bigint;

export function sumOf(a: SolutionCount, b: SolutionCount): SolutionCount {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    // Rounding never makes a sum of 2^53 or more smaller than that.
    if (sum <= Number.MAX_SAFE_INTEGER) return sum;
  }
  return BigInt(a) + BigInt(b);
}

/** @param b at most `a` */
export function differenceOf(a: SolutionCount, b: SolutionCount): SolutionCount {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const difference = BigInt(a) - BigInt(b);
  return difference <= Number.MAX_SAFE_INTEGER ? Number(difference) : difference;
}

/** The count as JSON: a number up to 2^53 - 1, a string of digits beyond. */
export function countJson(count: SolutionCount): number | string {
  return typeof count === 'number' ? count : String(count);
}

/** The count of such JSON; undefined if the value is none. */
export function countOfJson(json: unknown): SolutionCount | undefined {
  if (typeof json === 'number') return Number.isSafeInteger(json) && json >= 0 ? json : undefined;
  if (typeof json !== 'string' || !/^[1-9]\d{15,}$/.test(json)) return undefined;
  const count = BigInt(json);
  return count > Number.MAX_SAFE_INTEGER ? count : undefined;
}
