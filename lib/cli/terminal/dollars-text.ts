/** Dollars for people. */

/** Dollars with the digits that say something: cents from a cent on, two digits of less, never an exponent. */
export function dollarsText(dollars: number): string {
  return `$${dollars < 0.01 ? dollars.toLocaleString('en-US', { maximumSignificantDigits: 2 }) : dollars.toFixed(2)}`;
}
