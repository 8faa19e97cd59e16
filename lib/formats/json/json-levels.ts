/** What is around the next record: lists, and wrappers with their rules. */

import type { JsonObject } from '../objects/members.ts';
import { isRule } from '../objects/rules.ts';
import type { RecordSink } from '../records/record-sink.ts';
import { rulesAround } from './json-wrapper.ts';

/** Levels of wrappers in wrappers. */
export const MAX_WRAPPERS = 8;

/** Members of a wrapper whose names are kept: most have a few, some have one for each puzzle. */
const MAX_NAMES = 256;

/** The file, or a wrapper in it. */
export interface Level {
  /** The members of the wrapper and of those around it that are rules of its puzzles. */
  rules: JsonObject;
  /** The names of its members so far, up to `MAX_NAMES`. */
  readonly names: Set<string>;
  /** The solutions of its puzzles that come next, the last one first. */
  readonly solutions?: unknown[] | undefined;
  /** A list of records is open in it. */
  inList: boolean;
}

/** A level as plain data. */
export type LevelState = Pick<Level, 'rules' | 'inList'> & { readonly names: readonly string[] };

/** What is known of a wrapper when its members are read. */
export interface WrapperMembers {
  readonly object: JsonObject;
  /** A rule that it has twice, or a member that a rule has twice. */
  readonly repeated?: string | undefined;
  /** The solutions of its puzzles, the last one first. */
  readonly solutions?: unknown[] | undefined;
}

export class JsonLevels {
  /** The file, and the wrappers in it, outermost first. */
  readonly #levels: Level[];

  constructor(state: readonly LevelState[] = [{ rules: {}, names: [], inList: false }]) {
    this.#levels = state.map((level) => ({ ...level, names: new Set(level.names) }));
  }

  /** The innermost wrapper, or the file. */
  get top(): Level {
    return this.#levels[this.#levels.length - 1];
  }

  /** Whether the next record is in no list and no wrapper. */
  get areNone(): boolean {
    return this.#levels.length === 1 && !this.top.inList;
  }

  /** Whether there are as many wrappers as may be. */
  get areFull(): boolean {
    return this.#levels.length > MAX_WRAPPERS;
  }

  /** Whether the members of a wrapper come next. */
  get inWrapper(): boolean {
    return this.#levels.length > 1 && !this.top.inList;
  }

  get haveSolutions(): boolean {
    return this.#levels.some(({ solutions }) => solutions !== undefined);
  }

  /** Rules of the next puzzle that the wrappers around it have; undefined if there are none. */
  get rules(): JsonObject | undefined {
    const { rules } = this.top;
    return Object.keys(rules).length === 0 ? undefined : rules;
  }

  /** Goes into a wrapper. */
  open(sink: RecordSink, { object, repeated, solutions }: WrapperMembers): void {
    const own = rulesAround(sink, object);
    const rules = { ...this.top.rules, ...own, ...(repeated !== undefined && uncertainRule(repeated)) };
    // Puzzles in an object are paired with solutions next to it.
    const next = solutions ?? this.top.solutions;
    this.#levels.push({ rules, names: new Set(), solutions: next, inList: false });
  }

  /** Leaves the innermost list, and the wrappers in it whose ends are missing; whether there were any. */
  closeList(): boolean {
    const level = this.#levels.findLastIndex(({ inList }) => inList);
    if (level < 0) return false;
    const wrappers = this.#levels.splice(level + 1);
    this.top.inList = false;
    return wrappers.length > 0;
  }

  /** Leaves the innermost wrapper; false if there is none. */
  closeWrapper(): boolean {
    return this.#levels.length > 1 && this.#levels.pop() !== undefined;
  }

  /** Keeps the name of a member; false if there was one with that name, whose rule is then not known. */
  addName(key: string): boolean {
    const { names } = this.top;
    const isNew = !names.has(key);
    if (isNew && names.size < MAX_NAMES) names.add(key);
    if (!isNew && isRule(key, true)) this.top.rules = uncertainRule(key);
    return isNew;
  }

  /** Where the wrapper with the rules ends is not known, and so neither is which puzzles have them. */
  loseRules(): void {
    if (this.rules !== undefined) this.top.rules = UNCERTAIN;
  }

  state(): LevelState[] {
    return this.#levels.map(({ rules, names, inList }) => ({ rules, names: [...names], inList }));
  }
}

/** Makes each puzzle unreadable to which a repeated rule applies. */
function uncertainRule(key: string): JsonObject {
  return { [`${key} twice`]: true };
}

/** Makes each puzzle unreadable to which the rules of a damaged wrapper may apply. */
const UNCERTAIN: JsonObject = { 'rules around a damaged puzzle': true };
