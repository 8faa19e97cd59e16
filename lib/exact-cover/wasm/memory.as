// Addresses in a problem's memory, in bytes. ../search-memory.ts lays it out and fills the tables.

/** Lengths of the records in bytes, and their fields. */
export const HEAD: usize = 32;
export const ENTRY: usize = 16;
export const UP: usize = 0;
export const DOWN: usize = 4;
export const ITEM: usize = 8;
export const SIZE: usize = 12;
export const NEXT: usize = 12;
export const LEFT: usize = 16;
export const RIGHT: usize = 20;
export const WEIGHT: usize = 24;

/** Added to SIZE when the item is covered; secondary items have one more from the beginning. */
export const COVERED: i32 = 0x10000000;

/** Counts (f64) and numbers (u32). */
export const NODES: usize = 0;
export const GUESSES: usize = 8;
export const UPDATES: usize = 16;
export const SOLUTIONS: usize = 24;
export const SELECTED_COUNT: usize = 32;
export const PRESELECTED_COUNT: usize = 36;
export const LINKED_END: usize = 40;
export const OPTION_COUNT: usize = 44;
export const HEADS_BYTES: usize = 48;
export const COLOURED: usize = 52;
export const PHASE: usize = 56;
export const DEPTH: usize = 60;

/** Words with the address of each region. */
export const ENTRIES: usize = 64;
export const TEMPLATE: usize = 68;
export const OPTION_START: usize = 72;
export const OPTION_HEADS: usize = 76;
export const ITEM_START: usize = 80;
export const ITEM_OPTIONS: usize = 84;
export const ALIVE: usize = 88;
export const OPTION_OF: usize = 92;
export const TRAIL: usize = 96;
export const PATH: usize = 100;
export const STACK: usize = 104;
export const LEVELS: usize = 108;
export const PRESELECTED: usize = 112;
export const SELECTED: usize = 116;
export const OPTION_COLOURS: usize = 120;
export const ITEM_COLOURS: usize = 124;
export const ENTRY_COLOURS: usize = 128;

/** The record of the root; the heads follow. */
export const ROOT: usize = 192;
