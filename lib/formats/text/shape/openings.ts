/** Text before the cells of a line of program code: declarations, keys, calls. */

/** The text before the cells of a line, and the name in it, if any. */
export interface Opening {
  /** Offset in the text of the line. */
  readonly end: number;
  readonly name: string | undefined;
}

/** Bytes of a line in which a name is looked for. */
export const MAX_OPENING_BYTES = 160;

/** `int[][] board =`, `let board: [[u8; 9]; 9] =`, `puzzle :=`, `s <-` */
const ASSIGNMENT = /^([\w\s$.<>,:;&*()[\]-]*?[\w$\]>)])\s*(?::?=(?![=>])|<-)\s*/;
/** `"easy":`, `grid:`, `Here is one:` */
const KEY = /^(?:(["'])([\w .-]+)\1|([A-Za-z_][\w#'-]*(?: [\w#'-]+){0,5}))\s*:(?!:)\s*(?=["'`[{(|>]|$)/;
/** `problem(1,`, `puzzle("easy",`; the name is matched as a whole, so that its spaces are tried once. */
const FACT = /^[A-Za-z_]\w*\s*\(\s*(?:["']\s*)?(?=(\w[\w ]*))\1["']?\s*,\s*(?=[[{(])/;
/** `vec!`, `new int[][]`, `np.array`, `List.of`, `std::array<int, 9>`, `[9][9]int` */
const CONSTRUCTOR =
  /^(?:return\s+)?(?:new\s+|&)?(?:\[\s*(?:\w+\s*)?\])*[A-Za-z_][\w.:]*(?:<[\w\s:,<>]*>)?(?:\[\s*(?:\w+\s*)?\])*!?\s*(?=["'`[{(])/;

/** The text before the cells of a line of code; undefined if it has none. */
export function openingOf(text: string): Opening | undefined {
  const named = FACT.exec(text);
  if (named !== null) return { end: named[0].length, name: named[1] };
  const assignment = ASSIGNMENT.exec(text);
  const key = assignment === null ? KEY.exec(text) : null;
  let end = assignment?.[0].length ?? key?.[0].length ?? 0;
  const name = assignment === null ? (key?.[2] ?? key?.[3])?.trim() : nameIn(assignment[1]);
  // A constructor may be within another one: `np.array(`, `vec![vec![`.
  for (let made = CONSTRUCTOR.exec(text.slice(end)); made !== null; ) {
    end += made[0].length;
    const brackets = /^[[{(\s]*/.exec(text.slice(end))?.[0].length ?? 0;
    made = CONSTRUCTOR.exec(text.slice(end + brackets));
    if (made !== null) end += brackets;
  }
  return end === 0 ? undefined : { end, name };
}

/** The name that a declaration gives: its last word without types. */
function nameIn(declaration: string): string | undefined {
  const plain = declaration.replace(/\[[^\]]*\]|<.*>/g, ' ').replace(/(?<!:):(?!:).*/, '');
  return /([A-Za-z_$][\w$]*)\W*$/.exec(plain)?.[1];
}
