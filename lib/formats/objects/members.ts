/** Names of the members of a JSON object with a puzzle. */
import { plainName } from '../rules/rule-names.ts';

/** Names of an object's member with the puzzle, by precedence. */
export const PUZZLE_KEYS: readonly string[] = [
  'puzzle',
  'board',
  'grid',
  'quiz',
  'quizzes',
  'sudoku',
  'question',
  'cells',
  'givens',
  'value',
  'mission',
  'matrix',
  'rows',
  'data',
  'start',
  'initial',
  'unsolved',
  'problem',
  'task',
  'puzzle_string',
  'initial_board',
  'initial_grid',
  'sudoku_puzzle',
  'unsolved_sudoku',
  'unsolved_board',
  'input',
  'prompt',
];
/** Names of the member with the solution. */
export const SOLUTION_KEYS: readonly string[] = [
  'solution',
  'solutions',
  'solved',
  'answer',
  'solved_sudoku',
  'solved_board',
  'output',
  'target',
  'completion',
  'puzzle_solution',
];
/** Names of the member with the puzzle's name. */
export const ID_KEYS: readonly string[] = ['id', 'name', 'title'];
/** An object with only a solution is a puzzle too: this format's writer writes such objects. */
export const GRID_KEYS: readonly string[] = [...PUZZLE_KEYS, ...SOLUTION_KEYS];

/** Names in one spelling. */
function namesOf(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/).map(plainName));
}

/** Members that describe a puzzle: a text, a number, true or false. */
const LABELS = namesOf(`
  ${[...ID_KEYS, ...GRID_KEYS].join(' ')}
  uuid guid _id key index idx number no nr num ordinal slug hash code label caption subtitle
  author creator setter composer constructor by user username owner publisher copyright license
  difficulty difficulty_level level grade rank rating score stars points votes likes se er ep ed
  date time timestamp created created_at updated updated_at modified published published_at year month day week
  source origin collection book magazine series volume issue page url link href uri site website file filename
  note description desc comment remark text_note summary message msg status state error success ok result
  tag category genre game theme group_name pack
  clue clue_count hint_count given_count givens_count number_of_clues num_clues num_givens blanks blank_count empty
  count total size width height row column col dimension order length
  seed version format encoding generator generated_by engine tool app software language lang locale
  symmetry symmetric minimal unique is_unique has_unique_solution uniqueness valid is_valid solvable solution_count
  num_solutions number_of_solutions backtracks guesses nodes iterations branching technique strategy method steps_count
  elapsed duration best_time average_time solve_time solve_count attempts plays played completed done finished favorite
  featured public is_public premium free active enabled verified tested
  limit offset next previous prev page_size per_page has_more cursor schema $schema
  display_name short_name long_name
  alphabet symbols line line_end exact solve_us warning
  cell_size success_message highlight_conflicts
`);

/** Members that describe a puzzle with a list or an object, too. */
const DETAILS = namesOf(`
  tag category genre theme keyword author creator difficulty rating score stat statistic note comment hint
  technique strategy method step history link url source meta metadata info information setting option
  id _id uuid date time timestamp created created_at updated updated_at published user owner
  message solution_path solution_steps disabled_logic true_candidates_options pagination warning error
`);

/** Whether a member describes the puzzle and has no effect on its solutions. */
export function isLabel(key: string, value: unknown): boolean {
  const name = plainName(key);
  return typeof value === 'object' && value !== null
    ? DETAILS.has(name)
    : LABELS.has(name) || DETAILS.has(name);
}

/** The places of the names in each list, in one spelling: the work for an object depends on its own members. */
const PLAIN_KEYS = new Map(
  [PUZZLE_KEYS, SOLUTION_KEYS, GRID_KEYS, ID_KEYS].map((keys) => [
    keys,
    new Map(keys.map((key, place) => [plainName(key), place])),
  ]),
);

/** Whether a name is one of a list above, in any spelling. */
function isIn(keys: readonly string[], key: string): boolean {
  return PLAIN_KEYS.get(keys)!.has(plainName(key));
}

export function isPuzzleName(key: string): boolean {
  return isIn(PUZZLE_KEYS, key);
}

/** Whether a member is named like a solution, or several. */
export function isSolutionName(key: string): boolean {
  return isIn(SOLUTION_KEYS, key);
}

/** Whether a name is that of a puzzle or a solution. */
export function isGridKey(key: string): boolean {
  return isIn(GRID_KEYS, key);
}

/** Whether a member has no content: nothing, `false`, 0, or a list or an object without any; the list `[0, 0]` has some. */
export function isOff(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === 0) return true;
  if (typeof value === 'string') return value.trim() === '';
  if (typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.every((each) => each !== 0 && isOff(each));
  return Object.values(value).every(isOff);
}

/** Whether a grid has only blanks. */
export function isBlankGrid(value: unknown): boolean {
  return Array.isArray(value) ? value.every(isBlankGrid) : isOff(value);
}

/**
 * Members by their names in one spelling: `Puzzle` and `board_` are `puzzle` and `board`.
 *
 * @param keys names by precedence: one of the lists above
 * @param fits whether a value is one of those meant; others are passed over
 * @returns the key of the first member, in its own spelling; undefined if there is none
 */
export function keyOf(
  object: JsonObject,
  keys: readonly string[],
  fits: (value: unknown) => boolean,
): string | undefined {
  const own = Object.keys(object).filter((key) => isIn(keys, key) && fits(object[key]));
  if (own.length < 2) return own[0];
  const placeOf = (key: string) => PLAIN_KEYS.get(keys)!.get(plainName(key))!;
  return own.sort((a, b) => placeOf(a) - placeOf(b))[0];
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value of JSON is an object, and no list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
