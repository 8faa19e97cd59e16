import { describe, expect, test } from 'vitest';
import { lifetimeText } from '../../../lib/cli/commands/link.ts';
import { readDuration } from '../../../lib/cli/option-values.ts';

const readLifetime = (text: string) =>
  readDuration('expires', text, {
    min: 1,
    max: 604_800,
    expected: 'a duration such as 90m or 12h, 7d at most',
  });

const NOW = new Date('2025-03-01T12:00:00Z');
const IN_AN_HOUR = new Date('2025-03-01T13:00:00.500Z');

describe('the lifetime of a presigned link', () => {
  test.each([
    ['lifetime', 'valid for 60 min, until 2025-03-01T13:00:00Z'],
    ['credentials', 'valid for 60 min, until 2025-03-01T13:00:00Z, when the temporary credentials expire'],
    [
      'unknown',
      'valid until 2025-03-01T13:00:00Z at most: it is signed with temporary credentials and expires with them',
    ],
  ] as const)('that is limited by %s is reported', (endsBy, text) => {
    expect(lifetimeText({ expiresAt: IN_AN_HOUR, endsBy }, NOW)).toBe(text);
  });

  test.each([
    ['45s', 45],
    ['90m', 5400],
    ['12h', 43_200],
    ['7d', 604_800],
  ])('%s is %i seconds', (text, seconds) => {
    expect(readLifetime(text)).toBe(seconds);
  });

  test.each(['', '0m', '8d', '90', '-1h', '1.5h', '1 h'])('"%s" is rejected', (text) => {
    expect(() => readLifetime(text)).toThrow(
      /option "--expires" is ".*": expected a duration such as 90m or 12h/,
    );
  });
});
