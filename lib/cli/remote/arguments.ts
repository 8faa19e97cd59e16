/** The arguments of the command that runs, from which the command that continues is made. */
import type { Command } from 'commander';

/** All arguments, from the name of the command on. */
export function argumentsOf(program: Command): readonly string[] {
  // Commander keeps them, but its types do not have the property.
  return (program as Command & { readonly rawArgs: readonly string[] }).rawArgs;
}

/**
 * The same arguments without some operands. If an option has the same text as an operand, all are kept.
 *
 * @param operands all operands of the command
 * @param dropped those to leave out
 */
export function withoutOperands(
  args: readonly string[],
  operands: readonly string[],
  dropped: ReadonlySet<string>,
): string[] {
  const count = (texts: readonly string[]) => texts.filter((text) => dropped.has(text)).length;
  return count(args) === count(operands) ? args.filter((text) => !dropped.has(text)) : [...args];
}
