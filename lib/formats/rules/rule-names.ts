/**
 * Names of rules that no variant here has, in the spellings of puzzle editors (f-puzzles, SudokuPad, Penpa, Interactive
 * Sudoku Solver) and of common JSON files. A puzzle with such a rule is refused by name: solved without it, it would have
 * a wrong answer, or many.
 */

/** Stems that occur in no other word; a name that contains one is this rule. By precedence. */
const STEMS: ReadonlyArray<readonly [stem: string, rule: string]> = [
  ['littlekiller', 'little killer'],
  ['killer', 'killer cages'],
  ['cage', 'killer cages'],
  ['thermo', 'thermometers'],
  ['arrow', 'arrows'],
  ['knight', 'anti-knight'],
  ['antiking', 'anti-king'],
  ['kingsmove', 'anti-king'],
  ['kropki', 'Kropki dots'],
  ['sandwich', 'sandwich sums'],
  ['palindrom', 'palindromes'],
  ['renban', 'renban lines'],
  ['nabner', 'nabner lines'],
  ['whisper', 'whispers'],
  ['quadruple', 'quadruples'],
  ['extraregion', 'extra regions'],
  ['betweenline', 'between lines'],
  ['lockout', 'lockout lines'],
  ['regionsum', 'region sum lines'],
  ['disjoint', 'disjoint groups'],
  ['consecutive', 'consecutive cells'],
  ['skyscraper', 'skyscrapers'],
  ['xsum', 'X-sums'],
  ['numberedroom', 'numbered rooms'],
  ['battenburg', 'Battenburg markings'],
  ['parity', 'parity'],
  ['entropic', 'entropic lines'],
  ['modular', 'modular lines'],
  ['zipper', 'zipper lines'],
  ['inequalit', 'inequalities'],
  ['futoshiki', 'inequalities'],
  ['kenken', 'cages with operations'],
  ['calcudoku', 'cages with operations'],
  ['kakuro', 'sums'],
  ['hidato', 'paths'],
  ['greaterthan', 'inequalities'],
  ['lessthan', 'inequalities'],
  ['minmax', 'minimum and maximum cells'],
  ['maxmin', 'minimum and maximum cells'],
  ['minimum', 'minimum cells'],
  ['maximum', 'maximum cells'],
  ['negativeconstraint', 'negative constraints'],
  ['rowindexer', 'indexing'],
  ['columnindexer', 'indexing'],
  ['boxindexer', 'indexing'],
  ['starbattle', 'star battle'],
  ['countingcircle', 'counting circles'],
  ['rossini', 'Rossini clues'],
  ['norowcol', 'no rows and columns'],
  ['visualelement', 'visual elements'],
  ['underlay', 'drawn marks (underlays)'],
  ['overlay', 'drawn marks (overlays)'],
  ['foglight', 'fog'],
  ['fogofwar', 'fog'],
];

/** Short names; only a whole name is this rule. Without a final s. */
const WHOLE: ReadonlyMap<string, string> = new Map([
  ['xv', 'XV'],
  ['fog', 'fog'],
  ['odd', 'odd cells'],
  ['even', 'even cells'],
  ['oddeven', 'odd and even cells'],
  ['evenodd', 'odd and even cells'],
  ['min', 'minimum cells'],
  ['max', 'maximum cells'],
  ['king', 'anti-king'],
  ['clone', 'clones'],
  ['difference', 'differences'],
  ['ratio', 'ratios'],
  ['quad', 'quadruples'],
  ['lot', 'lines of sums'],
  ['dot', 'dots'],
  ['line', 'lines'],
  ['global', 'global rules'],
  ['text', 'drawn marks (text)'],
  ['circle', 'drawn marks (circles)'],
  ['rectangle', 'drawn marks (rectangles)'],
  ['sum', 'sums'],
  ['whitedot', 'Kropki dots'],
  ['blackdot', 'Kropki dots'],
  ['v', 'XV'],
  ['pair', 'pairs'],
  ['indexing', 'indexing'],
  ['indexer', 'indexing'],
  ['rellikcage', 'killer cages'],
  ['windowrule', 'windows'],
]);

/** Files repeat a few names in every puzzle. */
const MAX_NAMES = 1000;

/** What is made of a name, kept for the last names. */
export function remembered<Value>(make: (name: string) => Value): (name: string) => Value {
  const values = new Map<string, Value>();
  return (name) => {
    const known = values.get(name);
    if (known !== undefined || values.has(name)) return known as Value;
    if (values.size >= MAX_NAMES) values.clear();
    const value = make(name);
    values.set(name, value);
    return value;
  };
}

/** A name in one spelling: lower case, no separators, no final s; `diagonal+` and `diagonal-` keep their signs as words. */
export const plainName = remembered((name) =>
  name
    .toLowerCase()
    .replace(/\+$/, 'plus')
    .replace(/(?<=[a-z])-$/, 'minus')
    .replace(/[^a-z0-9]/g, '')
    .replace(/(?<=[a-rt-z0-9])s$/, ''),
);

/** @returns the rule that a name means, in plain words; undefined if it is none that is known */
export const ruleNamed = remembered((name): string | undefined => {
  const plain = plainName(name);
  return WHOLE.get(plain) ?? STEMS.find(([stem]) => plain.includes(stem))?.[1];
});

/** Words in the text of rules that mean a rule beyond givens, boxes and regions. */
const IN_TEXT =
  /\b(?:killer|cages?|thermo\w*|arrows?|knight\S*|king'?s?|kropki|sandwich\w*|palindrom\w*|renban|nabner|whispers?|quadruples?|clones?|\w*consecutive|skyscrapers?|fog|parity|odd|even|inequalit\w*|greater than|less than|differences?|ratios?|sums?|products?|little killer|between lines?|disjoint|zippers?|entropic|modular|lockout)\b/i;

/** @returns the word in a text of rules that names a rule which no variant here has; undefined if there is none */
export function ruleInText(text: string): string | undefined {
  return IN_TEXT.exec(text)?.[0];
}

/** Rules whose names mean nothing else; a skyscraper is a technique of solvers as well, above an ordinary puzzle. */
const RULE =
  /^(?:anti|non)?(?:littlekiller|killer|thermo|arrow|knight|(?<=anti)king|kropki|sandwich|palindrom|renban|whisper|consecutive|greaterthan|futoshiki|kenken|calcudoku|kakuro|cage|quadruple|clone|whitedot|blackdot)(?:ids?|meters?|ometers?|tic|ity|y|ies|es|s|ed|dots?|lines?|cages?|sums?|cells?|moves?)*$/;

/** The rule that lower-case letters are the name of, and of nothing else. */
export function soleRule(letters: string): string | undefined {
  return RULE.test(letters) ? ruleNamed(letters) : undefined;
}
