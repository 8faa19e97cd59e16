/** The page: lets the user choose files, puts them to URLs that the server signs, and polls until they are solved. */
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
const connectionError = byId('connection-error', HTMLElement);
const notice = byId('notice', HTMLElement);
/** The last known state of each job, to announce changes. @type {Map<string, string> | undefined} */
let knownStates;

const uploads = new Uploads({
  options: chosenOptions,
  reviews: () => byId('review', HTMLInputElement).checked,
  onChange: () => uploadList.show(),
  onUploaded(upload, versionId, replaces) {
    if (replaces) jobList.markReplacing(versionId);
    announcer.announce(`${upload.name} uploaded${replaces ? ' as a new version' : ''}.`);
    polling.pollNow();
  },
  onExplained(upload) {
    announcer.announce(`${upload.name} was read and is not sent yet.`);
  },
  onRefused(upload, options) {
    announcer.announce(`${upload.name} was not sent: ${upload.message}`);
    for (const name of options) markOption(name);
  },
});
const uploadList = new UploadListView(uploads);

const polling = new JobPolling({
  isBusy: () => uploads.busy,
  onJobs(found) {
    if (!connectionError.hidden) announcer.announce('Connected to the stack again.');
    connectionError.hidden = true;
    jobList.show(found);
    for (const job of found.jobs) {
      if (knownStates !== undefined && job.finished && knownStates.get(jobIdentity(job)) !== job.state) {
        announcer.announce(`${job.name}: ${job.state}. ${job.text}`);
      }
    }
    knownStates = new Map(found.jobs.map((job) => [jobIdentity(job), job.state]));
    uploads.resume();
  },
  onError(message) {
    // Setting the text of an alert announces it again.
    if (connectionError.hidden || connectionError.textContent !== message)
      connectionError.textContent = message;
    connectionError.hidden = false;
  },
});

/** @param {readonly ChosenFile[]} chosen */
function upload(chosen) {
  showNotice(chosen.length === 0 ? 'No files found. Hidden files are ignored.' : '');
  uploads.add(chosen);
}

/** Shows a notice until the next action; an empty text hides it. @param {string} text */
function showNotice(text) {
  notice.textContent = text;
  notice.hidden = text === '';
}

/** The options whose fields have a value. */
function chosenOptions() {
  /** @type {Record<string, string>} */
  const options = {};
  for (const [name, value] of new FormData(byId('option-fields', HTMLFormElement))) {
    if (typeof value === 'string' && value.trim() !== '') options[name] = value.trim();
  }
  return options;
}

/** @param {string} name of an invalid option */
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
    // Without this, choosing the same file again would cause no event.
    input.value = '';
  });
}

byId('send-all', HTMLButtonElement).addEventListener('click', () => uploads.sendReviewed());
byId('clear-uploads', HTMLButtonElement).addEventListener('click', () => uploads.clear());

byId('option-fields', HTMLFormElement).addEventListener('input', ({ target }) => {
  if (target instanceof HTMLElement) target.removeAttribute('aria-invalid');
});
byId('option-fields', HTMLFormElement).addEventListener('submit', (event) => event.preventDefault());

byId('paste', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault();
  const field = byId('pasted', HTMLTextAreaElement);
  if (field.value.trim() === '') {
    showNotice('The field is empty. Paste puzzles into it first.');
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
    // By default, the browser would open the file instead of the page.
    event.preventDefault();
    const leaves = name === 'drop' || (name === 'dragleave' && event.relatedTarget === null);
    document.body.classList.toggle('dropping', !leaves);
    if (name === 'drop' && event.dataTransfer !== null) addDropped(event.dataTransfer);
  });
}

/** @param {DataTransfer} transfer */
async function addDropped(transfer) {
  try {
    upload(await filesIn(transfer));
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    showNotice(`The dropped files cannot be read (${reason}). Choose them with the buttons instead.`);
  }
}

polling.pollNow();
