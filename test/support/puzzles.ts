/** A puzzle of each status, 81 characters each, and a file with all of them. */

export const SOLUTION = '534678912672195348198342567859761423426853791713924856961537284287419635345286179';
/** Solved by forced moves alone. */
export const EASY = '53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79';
/** Two solutions: the digits of the four empty cells can be swapped. */
export const TWO_SOLUTIONS =
  '534..8912672195348198342567859..1423426853791713924856961537284287419635345286179';
/** The givens do not clash, but the last cell of the first row has no candidate. */
export const UNSOLVABLE = '12345678.........9'.padEnd(81, '.');
/** Two givens in one row and box. */
export const CLASHING = '11'.padEnd(81, '.');
/** Takes a few hundred nodes. */
export const HARD = '8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..';
/** A truncated 9x9 line. */
export const CUT_OFF = EASY.slice(0, 60);

/** One puzzle of every status if `max-nodes` is 5, with a solved one at each end. */
export const MIXED_FILE = [
  '# all there is',
  EASY,
  TWO_SOLUTIONS,
  UNSOLVABLE,
  CLASHING,
  CUT_OFF,
  HARD,
  EASY,
  '',
].join('\n');
export const MIXED_OPTIONS = { 'max-nodes': '5' };
/** The statuses in `MIXED_FILE`, in order. */
export const MIXED_STATUSES = [
  'solved',
  'multiple',
  'unsolvable',
  'invalid',
  'unreadable',
  'limit',
  'solved',
] as const;

/** A 25x25 with two solutions or more, whose search is split: over 190,000 nodes. */
export const LONG_SEARCH = [
  'HI.Q.....JEC...KD...R.M.Y..DF......H..B.W..QC..E....M...FAH.......EY..B.J..L..T..Q.O...G..J..ISUH...',
  'EU.CB.K.S.IMP..F....D..OXQ.....D...YX.U..J.....C.MDOY.VNBP.WM.Q..A.H.....K..K..CQJ..L..ITSBWGM...N..',
  'WMNB......KDJV.XFQ.E.P..OUT...H.......OB.VK.....LA....A.V....O.......RLG...NQ....H..T.......LGF..S..',
  '.F.H.Y.C.BWQL.MUSP.I.O..NP.E.TJO...X..H..QDVB..UR.....O...U...BA.HY......D....D...G..ONE..Y..W....U.',
  '..A.....IN.UMK.G.SBJTQ..WS..L.KUT.D.B...P..RVO.INJX.T.U..B....YI.QK.N....H.G.ON.M.FQ.V..JX.HUDL..A..',
  'YLCU.X.DGEQPSMI....HN........Q....U..V.RI..S..CF..I....B.J....K..D....P...RM.RO....P......C....I.HV.',
  'F.BXELI.Y....CN...PKS.OM.',
].join('');
