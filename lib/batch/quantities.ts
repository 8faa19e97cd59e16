/** Human-readable numbers and durations. */

/** Made once, as `toLocaleString` looks its format up for each number, and when it is needed, as that takes 20 ms. */
let numbers: Intl.NumberFormat | undefined;

/** `1,234,567`. */
export function numberText(n: number | bigint): string {
  numbers ??= new Intl.NumberFormat('en-US');
  return numbers.format(n);
}

/** `1 puzzle`, `1,234 puzzles`. @param noun its plural ends in an s */
export function counted(n: number | bigint, noun: string): string {
  return `${numberText(n)} ${noun}${n === 1 || n === 1n ? '' : 's'}`;
}

/** Three decimals, such as microseconds of a time in milliseconds. */
export function thousandths(n: number): number {
  return Math.round(n * 1000) / 1000;
}

/** `12 solved, 3 invalid`: each count above 0, with its name. */
export function countsText<Name extends string>(
  names: readonly Name[],
  countOf: (name: Name) => number,
): string {
  const some = names.filter((name) => countOf(name) > 0);
  return some.map((name) => `${numberText(countOf(name))} ${name}`).join(', ');
}

/** A rough number with up to two significant digits: `8,300`, `1.2 * 10^9`. */
export function roughNumberText(n: number): string {
  if (n < 9950) return numberText(Number(n.toPrecision(2)));
  const [digits, exponent] = n.toExponential(1).split('e+');
  return `${Number(digits)} * 10^${exponent}`;
}

/** Three significant digits: `950`, `12.3k`, `4.5M`. */
export function shortNumberText(n: number): string {
  if (n < 1000) return String(Number(n.toPrecision(3)));
  const [value, unit] = n < 999_500 ? [n / 1000, 'k'] : n < 999.5e6 ? [n / 1e6, 'M'] : [n / 1e9, 'G'];
  return `${Number(value.toPrecision(3))}${unit}`;
}

/** Microseconds with a suitable unit: `2.5 µs`, `130 ms`, `1.24 s`. */
export function durationText(us: number): string {
  if (us < 1000) return `${us.toFixed(us < 10 ? 1 : 0)} µs`;
  if (us < 1_000_000) return `${(us / 1000).toFixed(us < 10_000 ? 1 : 0)} ms`;
  return `${(us / 1_000_000).toFixed(us < 10_000_000 ? 2 : 1)} s`;
}
