/** Lines of fields between tabs, of which some are empty: as many tokens as cells that are not blank. */
import { TAB } from '../bytes/ascii.ts';
import type { LineWindow } from './line-window.ts';

/** Whether tabs separate the fields of a line and one of them is empty. */
export function hasEmptyField(window: LineWindow, line: number): boolean {
  const { bytes, start, text, end } = window;
  let tabs = 0;
  for (let byte = text[line]; byte < end[line]; byte++) {
    if (bytes[byte] !== TAB) continue;
    tabs++;
    if (bytes[byte + 1] === TAB) return true;
  }
  return tabs > 0 && (bytes[start[line]] === TAB || bytes[end[line]] === TAB);
}
