/**
 * Splits the problem that decisions leave into independent components, as components.ts does without multiplicities: items
 * with options left, found by flooding through these options. A settled item connects nothing.
 */
import type { Decisions } from './decisions.ts';

/**
 * The items of each component, ascending, secondary ones too; undefined if there is only one component.
 *
 * @param active the primary items that have options left and may have more of them
 */
export function independentItems(decisions: Decisions, active: readonly number[]): number[][] | undefined {
  const { primaryCount, optionStart, items } = decisions.problem;
  const components: number[][] = [];
  const isReached = new Set<number>();
  for (const start of active) {
    if (isReached.has(start)) continue;
    isReached.add(start);
    const component = [start];
    // A settled item is an item of each component that it is reached from.
    const settled = new Set<number>();
    let primary = 1;
    for (let k = 0; k < component.length; k++) {
      for (const option of decisions.optionsOf(component[k])) {
        for (let entry = optionStart[option]; entry < optionStart[option + 1]; entry++) {
          const item = items[entry];
          if (item >= primaryCount && decisions.settledBy(item) > 0) settled.add(item);
          else if (!isReached.has(item)) {
            isReached.add(item);
            component.push(item);
            if (item < primaryCount && ++primary === active.length) return undefined;
          }
        }
      }
    }
    components.push([...component, ...settled].sort((a, b) => a - b));
  }
  return components.length > 1 ? components : undefined;
}
