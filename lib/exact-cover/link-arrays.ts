/** The links of a solver as textbooks draw them, an array for each field; nodes and items are numbered from 0. */
export interface LinkArrays {
  /** By node: its neighbours in the list of its item. */
  readonly up: Int32Array;
  readonly down: Int32Array;
  /** By node: the item in whose list it is, from 1. */
  readonly itemOf: Int32Array;
  /** By item: length of its list. */
  readonly size: Int32Array;
  /** By item, 0 being the root: its neighbours in the list of active items. */
  readonly left: Int32Array;
  readonly right: Int32Array;
  /** By item: 1 for the primary items that are not covered. */
  readonly active: Int32Array;
  /** By option, and one more: its first node. */
  readonly nodeStart: Int32Array;
}
