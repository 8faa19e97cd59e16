/** The tutorials that need no stack run as they are written, and print what they show. */
import { it } from 'vitest';
import { TUTORIALS, testTutorial, WITH_STACK } from './tutorials.ts';

it.each(TUTORIALS.filter((path) => !WITH_STACK.includes(path)))('%s', (path) => testTutorial(path));
