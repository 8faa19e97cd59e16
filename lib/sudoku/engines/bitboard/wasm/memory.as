// Addresses in the module's memory. The host fills the tables once, from ../board.ts.

/** Bytes of a board: nine vectors. */
export const BOARD: usize = 144;
/** Maximum number of boards: each guess solves one more cell. */
export const MAX_BOARDS: usize = 82;
/** Puzzles in memory at once. */
export const SLOTS: usize = 256;

/** By cell (0..80): its place. By place: its cell; one vector with its bit; one with its peers. */
export const PLACE_OF_CELL: usize = memory.data(96, 16);
export const CELL_OF_PLACE: usize = memory.data(96, 16);
export const BIT_OF_PLACE: usize = memory.data(81 * 16, 16);
export const PEERS_OF_PLACE: usize = memory.data(81 * 16, 16);

/** By slot: 81 cells in, 81 cells out, and the results of the search. */
export const CELLS_IN: usize = memory.data(SLOTS * 81, 16);
export const CELLS_OUT: usize = memory.data(SLOTS * 81, 16);
export const SOLUTIONS: usize = memory.data(SLOTS * 8, 16);
export const NODES: usize = memory.data(SLOTS * 8, 16);
export const GUESSES: usize = memory.data(SLOTS * 8, 16);

export const BOARDS: usize = memory.data(MAX_BOARDS * BOARD, 16);

/** Cells with two or more candidates, and with exactly two, in the board that was propagated last. */
export const OPEN: usize = memory.data(16, 16);
export const BIVALUE: usize = memory.data(16, 16);
/** By bit of the digit's number (0..8): the sum modulo 2 of that bit over a cell's candidates. */
export const PARITY: usize = memory.data(64, 16);
/** Flags of the triads of that board, three vectors each. */
export const MINIROWS: usize = memory.data(48, 16);
export const MINICOLUMNS: usize = memory.data(48, 16);
