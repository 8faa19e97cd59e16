/** Texts that fit columns of a terminal. */
import stringWidth from 'string-width';

const GRAPHEMES = new Intl.Segmenter();

/** Columns of a text on a terminal: two for a Chinese character or an emoji. */
export function widthOf(text: string): number {
  return stringWidth(text);
}

/** Cuts a text to `width` columns at its end or in its middle, and marks the cut with an ellipsis. */
export function truncated(text: string, width: number, where: 'end' | 'middle' = 'end'): string {
  if (widthOf(text) <= width) return text;
  const graphemes = Array.from(GRAPHEMES.segment(text), ({ segment }) => segment);
  const tailWidth = where === 'end' ? 0 : Math.ceil((width - 1) / 2);
  const head = fitting(graphemes, width - 1 - tailWidth);
  const tail = fitting(graphemes.toReversed(), tailWidth);
  return `${head.join('')}…${tail.reverse().join('')}`;
}

/** The first of these graphemes that fit. */
function fitting(graphemes: readonly string[], width: number): string[] {
  let left = width;
  const end = graphemes.findIndex((each) => {
    left -= widthOf(each);
    return left < 0;
  });
  return graphemes.slice(0, end);
}
