/**
 * Rows of a table in which no cell begins a formula, as OWASP recommends against CSV injection: spreadsheet programs
 * execute `=cmd|...` and `=HYPERLINK(...)`, and show a cell that begins with an apostrophe as text.
 *
 *     7,=1+1,"a;-2"      ->      7,'=1+1,"a;'-2"
 */

/** The start of a formula at the start of a cell: after quotes, spaces, control and format characters. */
const FORMULA = /^(["\s\p{C}]*)(?=[=+\-@＝＋－＠])|^("?)(?=[\t\r\n\0])/u;
/**
 * The same after a separator or a line break in the cell: a program with another separator, or one that reads quotes in
 * another way, starts a cell there.
 */
const INNER_FORMULA = /([,;\t|\r\n])(["\s\p{C}]*)(?=[=+\-@＝＋－＠])/gu;
/** Characters of formulas that call a function or a program, or start a cell; no grid has them. */
const NOT_OF_A_GRID = /[(),;|!]/;

/**
 * The fields of a row with an apostrophe before each formula, and no other change.
 *
 * @param grids columns of puzzles and solutions, which may begin with a minus for a blank; they stay as they are
 */
export function withoutFormulas(fields: readonly string[], grids: readonly number[]): string[] {
  return fields.map((field, column) =>
    grids.includes(column) && !NOT_OF_A_GRID.test(field)
      ? field
      : field.replace(FORMULA, "$1$2'").replace(INNER_FORMULA, "$1$2'"),
  );
}
