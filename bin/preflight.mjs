// Rejects old Node versions with a one-line error. Plain JavaScript, so that every version can run it.
const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  process.stderr.write(
    `dlx-batch needs Node 24 or newer, and found ${process.version}. The package "node", which contains it, is not ` +
      'installed (unsupported platform, or optional dependencies omitted) or not on the PATH (npm and npx add it in this ' +
      'folder). Run dlx-batch with npx in this folder, or install Node 24.\n',
  );
  process.exit(2);
}
