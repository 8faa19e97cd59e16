/** Formats an amount in dollars: with cents from 1 cent, with two significant digits below, never with an exponent. */
export function dollarsText(dollars: number): string {
  return `$${dollars < 0.01 ? dollars.toLocaleString('en-US', { maximumSignificantDigits: 2 }) : dollars.toFixed(2)}`;
}
