/** Uploads with every option under odd keys, and one that is rejected. */
import type { VersionOutcome } from '../../../../batch/delivery/result-set.ts';
import { inParallel } from '../../../../batch/in-parallel.ts';
import { CommandError } from '../../../exit.ts';
import type { Finding } from '../../../terminal/finding.ts';
import { optionFiles, picture, type SmokeFile } from '../smoke-files.ts';
import type { SmokeStack } from '../smoke-stack.ts';
import { difference, type SolvedHere, solveLike } from '../solve-here.ts';
import { keysFinding, optionsFinding, pictureFinding, type UploadFacts } from '../verdicts.ts';

export async function checkPicture(stack: SmokeStack): Promise<Finding> {
  const file = picture('picture.png');
  const { outcome } = await stack.outcome(await stack.upload(file));
  return pictureFinding({
    code: outcome.kind === 'rejected' ? outcome.reject.error.code : undefined,
    difference: difference(await solveLike(file, outcome), outcome),
  });
}

/** Odd keys and options, with the same uploads. */
export async function checkOptions(stack: SmokeStack): Promise<Finding[]> {
  const files = optionFiles('odd/');
  const uploads = await inParallel(files, files.length, async ({ option, ...file }): Promise<UploadFacts> => {
    const sent = await stack.upload(file);
    const { key } = sent;
    try {
      const { outcome } = await stack.outcome(sent);
      const { input } = outcome.kind === 'completed' ? outcome.manifest : outcome.reject;
      const returnedKey = 'key' in input ? input.key : undefined;
      return {
        key,
        option,
        returnedKey,
        difference: optionDifference(file, await solveLike(file, outcome), outcome),
      };
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      return { key, option, returnedKey: undefined, difference: error.message };
    }
  });
  return [keysFinding(uploads), optionsFinding(uploads)];
}

/** The manifest names the options of its job, defaults included. */
function optionDifference(file: SmokeFile, here: SolvedHere, outcome: VersionOutcome): string | undefined {
  const found = difference(here, outcome);
  if (found !== undefined || outcome.kind === 'rejected') return found;
  const ignored = Object.entries(file.options).find(
    ([name, value]) => String(outcome.manifest.options[name]) !== value,
  );
  return (
    ignored && `the stack used ${ignored[0]} ${outcome.manifest.options[ignored[0]]}, expected ${ignored[1]}`
  );
}
