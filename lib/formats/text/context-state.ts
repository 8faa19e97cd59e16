/**
 * What a reader of text remembers between two puzzles, as plain data.
 *
 * Most of it says something about the line that comes next (`it follows a grid directly`), and is left out where it
 * says something about another line. What only saves time (shapes, drawings, lines looked at before) is not kept:
 * without it the same records are read.
 */
import type { ReaderState } from '../reader.ts';
import type { TextContext } from './text-context.ts';

export function contextState(context: TextContext): ReaderState {
  const line = context.window.number(context.window.head);
  const { run, ruler, blind, nextId, lastCount } = context;
  return {
    line,
    stopped: context.stopped || undefined,
    nextId,
    lastCount,
    sink: context.sink.state(),
    // The line itself counts as the first one when it is asked about again.
    begun: (context.firstLine !== undefined && context.firstLine < line) || undefined,
    behindGrid: context.gridEndLine === line || undefined,
    run: run?.nextLine === line ? { kind: run.kind, width: run.width } : undefined,
    ruler: ruler?.nextLine === line ? ruler.text : undefined,
    counted: blind && { size: blind.size, follows: blind.nextLine === line },
  };
}

/** Puts a new context where `contextState` was taken. */
export function restoreContext(context: TextContext, from: ReaderState): void {
  const state = from as ReaderState & Remembered;
  const { line, run, ruler, counted } = state;
  context.stopped = state.stopped === true;
  context.nextId = state.nextId;
  context.lastCount = state.lastCount;
  if (state.begun === true) context.firstLine = 0;
  if (state.behindGrid === true) context.gridEndLine = line;
  if (run !== undefined) context.run = { ...run, nextLine: line };
  if (ruler !== undefined) context.ruler = { text: ruler, nextLine: line };
  if (counted !== undefined) {
    context.blind = { size: counted.size, nextLine: counted.follows ? line : 0 };
  }
}

interface Remembered {
  readonly stopped?: boolean;
  readonly nextId?: string;
  readonly lastCount?: number;
  readonly begun?: boolean;
  readonly behindGrid?: boolean;
  readonly run?: { readonly kind: 'lines' | 'rows'; readonly width: number };
  readonly ruler?: string;
  readonly counted?: { readonly size: number; readonly follows: boolean };
}
