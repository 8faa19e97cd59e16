import { describe, expect, it } from 'vitest';
import { CLASSIC, CLASSIC_SOLUTION, readText } from '../../reading.ts';

const WRONG = CLASSIC_SOLUTION.replaceAll(/[12]/g, (digit) => (digit === '1' ? '2' : '1'));

describe('a solution after a puzzle', () => {
  const read = (line: string) => {
    const [record] = readText(`${line}\n`).records;
    return { id: record?.notes?.id, solution: record?.notes?.expected?.solution?.join('') };
  };

  it.each([':', ' ', '\t', ',', ';', ' : ', ' ; '])('is expected after %j', (separator) => {
    expect(read(`${CLASSIC}${separator}${CLASSIC_SOLUTION}`).solution).toBe(CLASSIC_SOLUTION);
    expect(read(`${CLASSIC}${separator}${WRONG}`).solution).toBe(WRONG);
  });

  it('may have a label after it', () => {
    expect(read(`${CLASSIC} ${CLASSIC_SOLUTION} hard, 7.1`)).toEqual({
      id: 'hard, 7.1',
      solution: CLASSIC_SOLUTION,
    });
  });

  it.each([
    ['has a blank', `.${CLASSIC_SOLUTION.slice(1)}`],
    ['has a digit twice in a row', `${CLASSIC_SOLUTION.slice(0, 80)}${CLASSIC_SOLUTION[79]}`],
    ['is too short', CLASSIC_SOLUTION.slice(1)],
    ['is too long', `${CLASSIC_SOLUTION}1`],
  ])('is a label if it %s', (_name, text) => {
    expect(read(`${CLASSIC} ${text}`)).toEqual({ id: text, solution: undefined });
  });
});
