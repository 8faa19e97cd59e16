/** A thread that solves blocks of puzzles. */
import { serveSolver } from '../../../../api/web-workers.ts';

serveSolver();
