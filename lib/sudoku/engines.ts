/** All engines by name. */
import type { Engine, EngineName } from './engine.ts';
import { createBacktrackEngine } from './engines/backtrack.ts';
import { createBitboardEngine } from './engines/bitboard.ts';
import { createDlxEngine } from './engines/dlx.ts';

const CREATE: Readonly<Record<EngineName, () => Engine>> = {
  dlx: createDlxEngine,
  bitboard: createBitboardEngine,
  backtrack: createBacktrackEngine,
};

/** Creates an engine with its own working memory: one for each thread. */
export function createEngine(name: EngineName): Engine {
  return CREATE[name]();
}
