/** The thread of `tasks.ts`. */
import { generateMany } from '../../../../api/generate.ts';
import { rate } from '../../../../api/rate.ts';
import type { GenerateTask, TaskMessage, TaskReply } from './tasks.ts';

/** Puzzles that are generated for one of a grade: the rarest is one of some hundred. */
const MAX_TRIES = 3000;

const reply = (message: TaskReply) => postMessage(message);

addEventListener('message', ({ data: { id, task } }: MessageEvent<TaskMessage>) => {
  try {
    if (task.kind === 'rate') reply({ id, value: withoutSteps(rate(task.puzzle, task.options)) });
    else for (const value of generated(task)) reply({ id, value });
    reply({ id, isLast: true });
  } catch (error) {
    reply({ id, error: (error as Error).message });
  }
});

function withoutSteps({ steps: _, ...rated }: ReturnType<typeof rate>) {
  return rated;
}

function* generated({ count, grade, options }: GenerateTask) {
  let left = count;
  let tries = 0;
  for (const made of generateMany(Number.POSITIVE_INFINITY, options)) {
    const { size, box, variant } = options;
    const wanted = { size, box, variant, regions: made.regions };
    if (grade === undefined || rate(made.puzzle, wanted).grade === grade) {
      yield made;
      tries = 0;
      if (--left === 0) return;
    } else if (++tries === MAX_TRIES) {
      throw new Error(
        `none of ${MAX_TRIES} generated puzzles is ${grade}: choose another difficulty or size`,
      );
    }
  }
}
