/**
 * Files from a dialog, from drag and drop, or from the clipboard. A file is named by its name, and a file in a folder by
 * its path in that folder, as on the command line.
 *
 * @typedef {{ readonly name: string, readonly file: File }} ChosenFile
 */

/** Files that operating systems create in folders. */
const SYSTEM_FILES = ['thumbs.db', 'desktop.ini'];

/**
 * Returns the files of a dialog, without hidden files in a chosen folder.
 *
 * @param {FileList | null} list
 * @returns {ChosenFile[]}
 */
export function filesOf(list) {
  return [...(list ?? [])]
    .map((file) => ({ path: (file.webkitRelativePath || file.name).split('/'), file }))
    .filter(({ path }) => path.length === 1 || !path.some(isHidden))
    .map(({ path, file }) => ({ name: path.length === 1 ? file.name : path.slice(1).join('/'), file }));
}

/**
 * Returns the files that were dropped or pasted, including those in folders. A transfer is readable only until the event
 * handler returns or awaits, so its items are read first.
 *
 * @param {DataTransfer} transfer
 * @returns {Promise<ChosenFile[]>}
 */
export async function filesIn({ items, files }) {
  const entries = [...items].filter(({ kind }) => kind === 'file').map((item) => item.webkitGetAsEntry());
  if (entries.length === 0 || entries.includes(null)) return filesOf(files);
  /** @type {ChosenFile[]} */
  const found = [];
  for (const entry of /** @type {FileSystemEntry[]} */ (entries)) {
    found.push(...(entry.isDirectory ? await filesInFolder(entry, '') : [await chosen(entry, entry.name)]));
  }
  // Folder entries are unordered.
  return found.sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
}

/** Whether a transfer has files. @param {DataTransfer | null} transfer */
export function hasFiles(transfer) {
  return transfer?.types.includes('Files') === true;
}

/**
 * @param {FileSystemEntry} folder
 * @param {string} path of the folder relative to the dropped folder, with a final slash; empty for the dropped folder
 * @returns {Promise<ChosenFile[]>}
 */
async function filesInFolder(folder, path) {
  const reader = /** @type {FileSystemDirectoryEntry} */ (folder).createReader();
  /** @type {ChosenFile[]} */
  const found = [];
  for (;;) {
    // Each call returns at most a hundred entries.
    /** @type {FileSystemEntry[]} */
    const entries = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (entries.length === 0) return found;
    for (const entry of entries) {
      const name = `${path}${entry.name}`;
      if (isHidden(entry.name)) continue;
      found.push(
        ...(entry.isDirectory ? await filesInFolder(entry, `${name}/`) : [await chosen(entry, name)]),
      );
    }
  }
}

/**
 * @param {FileSystemEntry} entry of a file
 * @param {string} name
 * @returns {Promise<ChosenFile>}
 */
async function chosen(entry, name) {
  const { file } = /** @type {FileSystemFileEntry} */ (entry);
  return { name, file: await new Promise((resolve, reject) => file.call(entry, resolve, reject)) };
}

/** @param {string} name of a file or a folder */
function isHidden(name) {
  return name.startsWith('.') || SYSTEM_FILES.includes(name.toLowerCase());
}
