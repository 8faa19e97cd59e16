/**
 * Text files of inputs, each with what becomes of it:
 *
 *     Durations are rounded to what a reader needs.        a title from the margin
 *
 *       119.4                                              an input in JSON, after a name if that helps: `name: {"a":1}`
 *         119 s                                            what becomes of it
 *
 * `npx vitest run FILE --update` writes what becomes of the inputs now; `git diff` shows what has changed.
 */
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';

/** What becomes of an input of a section, as lines. */
// biome-ignore lint/suspicious/noExplicitAny: the value of a JSON text, whose shape the section decides.
export type Shown = (input: any) => string | readonly string[] | Promise<string | readonly string[]>;

/** Expects that a file says what becomes of its inputs. @param sections of the file, by their titles */
export async function expectTable(url: URL, sections: Readonly<Record<string, Shown>>): Promise<void> {
  const written: string[] = [];
  const titles: string[] = [];
  for (const line of readFileSync(url, 'utf8').split('\n')) {
    if (line.startsWith('    ')) continue;
    written.push(line);
    const [, input] = /^ {2}(?:[^"{[]*: )?(.+)$/.exec(line) ?? [];
    if (input !== undefined) {
      const shown = await sections[titles.at(-1)!]!(JSON.parse(input));
      written.push(...[shown].flat().map((each) => `    ${each || 'nothing'}`.trimEnd()));
    } else if (line !== '') titles.push(line);
  }
  expect(titles).toEqual(Object.keys(sections));
  await expect(written.join('\n')).toMatchFileSnapshot(url.pathname);
}
