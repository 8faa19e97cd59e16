/**
 * Files as people choose them: by the dialogs, by dropping, from the clipboard. A file is called by its name, and one of
 * a folder by its path in that folder, as the command line does it.
 *
 * @typedef {{ readonly name: string, readonly file: File }} ChosenFile
 */

/** What systems keep in folders for themselves. */
const SYSTEM_FILES = ['thumbs.db', 'desktop.ini'];

/**
 * The files of a dialog, those of a chosen folder without what is hidden in it.
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
 * The files that were dropped or pasted, those of dropped folders too. The transfer can be read only at once, so this
 * begins before anything is waited for.
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
    found.push(...(entry.isDirectory ? await filesBelow(entry, '') : [await chosen(entry, entry.name)]));
  }
  // A folder gives them in no order.
  return found.sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
}

/** Whether something that is dragged has files. @param {DataTransfer | null} transfer */
export function hasFiles(transfer) {
  return transfer?.types.includes('Files') === true;
}

/**
 * @param {FileSystemEntry} folder
 * @param {string} path of the folder in the one that was dropped, with a final slash; empty for that one
 * @returns {Promise<ChosenFile[]>}
 */
async function filesBelow(folder, path) {
  const reader = /** @type {FileSystemDirectoryEntry} */ (folder).createReader();
  /** @type {ChosenFile[]} */
  const found = [];
  for (;;) {
    // At most a hundred come at a time.
    /** @type {FileSystemEntry[]} */
    const entries = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (entries.length === 0) return found;
    for (const entry of entries) {
      const name = `${path}${entry.name}`;
      if (isHidden(entry.name)) continue;
      found.push(...(entry.isDirectory ? await filesBelow(entry, `${name}/`) : [await chosen(entry, name)]));
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
