/** The page: files are chosen, uploaded by forms that the server signs, and looked at until they are solved. */
import { Announcer } from './announcer.js';
import { filesIn, filesOf, hasFiles } from './chosen-files.js';
import { byId } from './elements.js';
import { JobListView, jobIdentity } from './job-list.js';
import { JobPolling } from './job-polling.js';
import { UploadListView } from './upload-list.js';
import { Uploads } from './uploads.js';

/** @typedef {import('./chosen-files.js').ChosenFile} ChosenFile */

const announcer = new Announcer();
const jobList = new JobListView();
const trouble = byId('trouble', HTMLElement);
const notice = byId('notice', HTMLElement);
/** States that were seen, by job: what changes is said. @type {Map<string, string> | undefined} */
let seen;

const uploads = new Uploads({
  options: chosenOptions,
  onChange: () => uploadList.show(),
  onUploaded(upload, versionId, replaces) {
    if (replaces) jobList.markReplacing(versionId);
    announcer.say(`${upload.name} is uploaded${replaces ? ' as a new version' : ''}.`);
    watch.soon();
  },
  onRefused(upload, options) {
    announcer.say(`${upload.name} was not sent: ${upload.message}`);
    for (const name of options) markOption(name);
  },
});
const uploadList = new UploadListView(uploads);

const watch = new JobPolling({
  isBusy: () => uploads.busy,
  onJobs(found) {
    if (!trouble.hidden) announcer.say('The stack answers again.');
    trouble.hidden = true;
    jobList.show(found);
    for (const job of found.jobs) {
      if (seen !== undefined && job.finished && seen.get(jobIdentity(job)) !== job.state) {
        announcer.say(`${job.name}: ${job.state}. ${job.text}`);
      }
    }
    seen = new Map(found.jobs.map((job) => [jobIdentity(job), job.state]));
    uploads.resume();
  },
  onTrouble(message) {
    // An alert that is written again is said again.
    if (trouble.hidden || trouble.textContent !== message) trouble.textContent = message;
    trouble.hidden = false;
  },
});

/** @param {readonly ChosenFile[]} chosen */
function upload(chosen) {
  tell(chosen.length === 0 ? 'There are no files in there; hidden ones do not count.' : '');
  uploads.add(chosen);
}

/** Shows a text until the next thing is done; an empty one takes it away. @param {string} text */
function tell(text) {
  notice.textContent = text;
  notice.hidden = text === '';
}

/** What the fields say; one that is left alone says nothing. */
function chosenOptions() {
  /** @type {Record<string, string>} */
  const options = {};
  for (const [name, value] of new FormData(byId('option-fields', HTMLFormElement))) {
    if (typeof value === 'string' && value.trim() !== '') options[name] = value.trim();
  }
  return options;
}

/** @param {string} name of an option that cannot be taken */
function markOption(name) {
  const field = document.getElementById(`option-${name}`);
  field?.setAttribute('aria-invalid', 'true');
  byId('options', HTMLDetailsElement).open = true;
}

for (const id of ['files', 'folder']) {
  const input = byId(id, HTMLInputElement);
  byId(`choose-${id}`, HTMLButtonElement).addEventListener('click', () => input.click());
  input.addEventListener('change', () => {
    upload(filesOf(input.files));
    // The same file may be chosen again.
    input.value = '';
  });
}

byId('clear-uploads', HTMLButtonElement).addEventListener('click', () => uploads.clear());

byId('option-fields', HTMLFormElement).addEventListener('input', ({ target }) => {
  if (target instanceof HTMLElement) target.removeAttribute('aria-invalid');
});
byId('option-fields', HTMLFormElement).addEventListener('submit', (event) => event.preventDefault());

byId('paste', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault();
  const field = byId('pasted', HTMLTextAreaElement);
  if (field.value.trim() === '') {
    tell('There is nothing to solve yet: paste puzzles into the field.');
    field.focus();
    return;
  }
  const time = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  const name = `pasted-${time}.txt`;
  upload([{ name, file: new File([field.value], name) }]);
  field.value = '';
});

document.addEventListener('paste', async ({ clipboardData }) => {
  if (clipboardData !== null && hasFiles(clipboardData)) upload(await filesIn(clipboardData));
});

for (const name of ['dragenter', 'dragover', 'dragleave', 'drop']) {
  document.addEventListener(name, (event) => {
    if (!(event instanceof DragEvent) || !hasFiles(event.dataTransfer)) return;
    // Without this the browser would open the file in place of the page.
    event.preventDefault();
    const leaves = name === 'drop' || (name === 'dragleave' && event.relatedTarget === null);
    document.body.classList.toggle('dropping', !leaves);
    if (name === 'drop' && event.dataTransfer !== null) takeDropped(event.dataTransfer);
  });
}

/** @param {DataTransfer} transfer */
async function takeDropped(transfer) {
  try {
    upload(await filesIn(transfer));
  } catch (error) {
    const why = error instanceof Error ? error.message : error;
    tell(`What you dropped cannot be read (${why}): choose it with the buttons instead.`);
  }
}

watch.soon();
