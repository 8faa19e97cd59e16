/** Whether a grid is on one line, or in rows. */
export type MapForm = 'line' | 'rows';

/** Where the region maps of the puzzles of one form and size are; plain data. */
export interface MapPlace {
  readonly form: MapForm;
  readonly size: number;
  readonly place: 'above' | 'below';
  /** Every puzzle of the head has a map: one without is an error. */
  readonly every: boolean;
}
