/**
 * The page: solves what is pasted in place; sends chosen files to its server, and polls until they are solved.
 */
import { Announcer } from './announcer.js';
import { filesIn, filesOf, hasFiles } from './chosen-files.js';
import { byId } from './elements.js';
import { JobListView, jobIdentity } from './job-list.js';
import { JobPolling } from './job-polling.js';
import { PuzzlePanel } from './puzzles/panel.ts';
import { chooser, PuzzleForm } from './puzzles/puzzle-form.ts';
import { startWorker } from './puzzles/trusted.ts';
import { Uploads } from './uploads.js';

/** @typedef {import('./chosen-files.js').ChosenFile} ChosenFile */

const announcer = new Announcer();
const form = new PuzzleForm({
  choosers: [chooser('files', 'Choose files'), chooser('folder', 'Choose a folder')],
  onText: (text) => panel.solve(text),
  onFiles: (files) => upload(filesOf(files)),
});
byId('choosing', HTMLElement).append(form.element);
const jobList = new JobListView(() => polling.pollNow());
const connectionError = byId('connection-error', HTMLElement);
const notice = byId('notice', HTMLElement);
/** The last known state of each job, to announce changes. @type {Map<string, string>} */
const knownStates = new Map();
/** Uploads of this page that have not ended: their end is announced. @type {Set<string>} */
const sentVersions = new Set();

const uploads = new Uploads({
  options: () => form.options(),
  onUploaded(name, versionId, replaces) {
    sentVersions.add(versionId);
    if (replaces) jobList.markReplacing(versionId);
    announcer.announce(`${name} uploaded${replaces ? ' as a new version' : ''}.`);
    polling.pollNow();
  },
  onRefused(name, message, options) {
    announcer.announce(`${name} was not sent: ${message}`);
    for (const option of options) form.mark(option);
  },
});

const panel = new PuzzlePanel(byId('answer', HTMLElement), {
  createSolverWorker: () => startWorker('/_page/solver-worker.js'),
  createTaskWorker: () => startWorker('/_page/task-worker.js'),
  options: () => form.options(),
});

const polling = new JobPolling({
  isBusy: () => uploads.busy,
  query: () => jobList.query,
  onJobs(found) {
    if (!connectionError.hidden) announcer.announce('Connected to the stack again.');
    connectionError.hidden = true;
    jobList.show(found);
    for (const job of found.jobs) {
      const before = knownStates.get(jobIdentity(job));
      knownStates.set(jobIdentity(job), job.state);
      // A job that was on another page of the list has not changed.
      const isNews = sentVersions.has(job.versionId) || (before !== undefined && before !== job.state);
      if (!job.finished || !isNews) continue;
      sentVersions.delete(job.versionId);
      announcer.announce(`${job.name}: ${job.state}. ${job.text}`);
    }
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
