/** Numbers by name, of any depth. */
export interface Counts {
  [name: string]: number | Counts;
}

/** Adds numbers to those of the same name. */
export function addCounts(to: Counts, added: Counts): void {
  for (const [name, number] of Object.entries(added)) {
    if (typeof number === 'number') to[name] = ((to[name] as number | undefined) ?? 0) + number;
    else {
      to[name] ??= {};
      addCounts(to[name] as Counts, number);
    }
  }
}
