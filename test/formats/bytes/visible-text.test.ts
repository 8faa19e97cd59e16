import { describe, expect, it } from 'vitest';
import { visibleText } from '../../../lib/formats/bytes/visible-text.ts';
import { openCoverReader } from '../../../lib/formats/formats.ts';
import { bytesOf, CLASSIC, readText } from '../reading.ts';

/** The error of the second record: the first one is a puzzle. */
const errorAfter = (puzzle: string, text: string) => readText(`${puzzle}${text}`).records.at(1)?.notes?.error;
const afterLine = (text: string) => errorAfter(`${CLASSIC}\n`, `${text}\n`);

function alone(text: string) {
  const { detection } = readText(text);
  return detection.kind === 'unreadable' ? detection.error : undefined;
}

function coverError(text: string) {
  const reader = openCoverReader('dlx');
  const bytes = bytesOf(text);
  const records = [...reader.push(bytes), ...reader.end()];
  return records.map(({ error }) => error).find((error) => error !== undefined);
}

/** Characters that a terminal interprets, or that change the text direction. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Cf}]/u;

describe('a quote of a file in a message', () => {
  it.each([
    ['an escape sequence', '\u001b[2J', '\\u001b[2J'],
    ['an escape sequence of one character', '\u009b2J', '\\u009b2J'],
    ['a bell, a backspace, a delete', '\u0007\b\u007f', '\\u0007\\u0008\\u007f'],
    ['a line end', 'a\r\nb', 'a\\u000d\\u000ab'],
    ['a line separator', 'a\u2028b', 'a\\u2028b'],
    ['direction marks', '\u202eabc\u2066', '\\u202eabc\\u2066'],
    ['a mark beyond 16 bits', '\u{e0041}', '\\u{e0041}'],
    ['visible characters', 'Rätsel № 1 \\ 数独 🙂', 'Rätsel № 1 \\ 数独 🙂'],
  ])('has no invisible characters: %s', (_name, text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });

  it.each([
    ['a line of words', afterLine('a \u001b[31mred\u202e line of words'), '\\u001b[31mred\\u202e'],
    ['a cell of a puzzle', afterLine(CLASSIC.replace('7', '\u001b')), '\\u001b'],
    ['the only line of a file', alone('\u001b[2Jhello\n'), '\\u001b[2Jhello'],
    ['a cell of JSON', errorAfter('', JSON.stringify([CLASSIC, CLASSIC.replace('7', '\u009b')])), '\\u009b'],
    [
      'a game in XML',
      errorAfter(
        '',
        `<opensudoku><game data="${CLASSIC}"/><game data="${CLASSIC.replace('7', '\u001b')}"/></opensudoku>`,
      ),
      '\\u001b',
    ],
  ])('is escaped in the message, and unchanged in `found`: %s', (_name, error, shown) => {
    expect(error?.message).toContain(shown);
    expect(error?.message).not.toMatch(UNSEEN);
    expect(error?.found).toMatch(UNSEEN);
  });

  it('is escaped in an item of an exact cover', () => {
    expect(coverError('a b\na \u202eb\n')?.message).toContain('"\\u202eb"');
  });
});
