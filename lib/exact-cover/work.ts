/**
 * The work of a search: its updates, and 16 for each node. So it measures time on any machine: 12 million are about 50 ms in
 * WebAssembly, from dominoes with 3 updates for each node to pentominoes with 300.
 */
const NODE_WORK = 16;

export function workOf(nodes: number, updates: number): number {
  return updates + NODE_WORK * nodes;
}
