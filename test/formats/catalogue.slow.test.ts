/** Every invariant of readers and writers on every case of the catalogue. */
import { testCatalogue } from './catalogue-invariants.ts';

testCatalogue(true);
