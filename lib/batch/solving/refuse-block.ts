import type { RecordBlock } from '../../formats/records/record-block.ts';
import type { Engine } from '../../sudoku/engine.ts';

/** Why an engine does not solve a puzzle. @param refusal what `Engine.refuses` returns */
export function refusalText({ name }: Pick<Engine, 'name'>, refusal: string): string {
  return `engine ${name} does not support this puzzle: ${refusal}; engine dlx supports every puzzle`;
}

/** Marks all records of a block as unreadable if the engine does not support their geometry, so that only they fail. */
export function refuseUnsupported(block: RecordBlock, engine: Engine): void {
  const refusal = engine.refuses(block.geometry);
  if (refusal === undefined) return;
  for (let i = 0; i < block.count; i++) {
    const notes = block.notes.get(i) ?? {};
    notes.error ??= {
      code: 'unsupported_variant',
      message: refusalText(engine, refusal),
      line: block.line[i]!,
      column: 1,
    };
    block.notes.set(i, notes);
  }
}
