/**
 * Files as people choose them: by the dialogs, by dropping, from the clipboard. A file is called by its name, and one of
 * a folder by its path in that folder, as the command line does it.
 *
 * @typedef {{ readonly name: string, readonly file: File }} ChosenFile
 */

/**
 * The files of a dialog.
 *
 * @param {FileList | null} list
 * @returns {ChosenFile[]}
 */
export function filesOf(list) {
  return [...(list ?? [])].map((file) => ({ name: pathInFolder(file), file })).filter(isShown);
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
    if (entry instanceof FileSystemDirectoryEntry) found.push(...(await filesBelow(entry, '')));
    else found.push({ name: entry.name, file: await fileOf(entry) });
  }
  return found.filter(isShown);
}

/** Whether something that is dragged has files. @param {DataTransfer | null} transfer */
export function hasFiles(transfer) {
  return transfer?.types.includes('Files') === true;
}

/**
 * @param {FileSystemDirectoryEntry} folder
 * @param {string} path of the folder in the one that was dropped, with a final slash; empty for that one
 * @returns {Promise<ChosenFile[]>}
 */
async function filesBelow(folder, path) {
  const reader = folder.createReader();
  /** @type {ChosenFile[]} */
  const found = [];
  for (;;) {
    // At most a hundred come at a time.
    const entries = await /** @type {Promise<FileSystemEntry[]>} */ (
      new Promise((resolve, reject) => reader.readEntries(resolve, reject))
    );
    if (entries.length === 0) return found;
    for (const entry of entries) {
      const name = `${path}${entry.name}`;
      if (entry instanceof FileSystemDirectoryEntry) found.push(...(await filesBelow(entry, `${name}/`)));
      else found.push({ name, file: await fileOf(entry) });
    }
  }
}

/** @param {FileSystemEntry} entry of a file */
function fileOf(entry) {
  return /** @type {Promise<File>} */ (
    new Promise((resolve, reject) => /** @type {FileSystemFileEntry} */ (entry).file(resolve, reject))
  );
}

/** @param {File} file */
function pathInFolder({ name, webkitRelativePath }) {
  const path = webkitRelativePath ?? '';
  return path === '' ? name : path.slice(path.indexOf('/') + 1);
}

/** What a system keeps in its folders for itself is no puzzle file. @param {ChosenFile} chosen */
function isShown({ name }) {
  return !name.includes('/') || !name.split('/').some((part) => part.startsWith('.'))
    ? !/^(\.DS_Store|Thumbs\.db|desktop\.ini)$/i.test(name.slice(name.lastIndexOf('/') + 1))
    : false;
}
