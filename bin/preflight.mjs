// Rejects, in one line, an old Node version in a checkout, and a checkout before `npm ci`. Plain JavaScript, so that every
// version can run it.
const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  process.stderr.write(
    `A checkout of dlx-batch needs Node 24 or newer, and found ${process.version}. Run npm ci, which installs it, then ` +
      'npx dlx-batch in this folder (npm and npx add it to the PATH), or install Node 24.\n',
  );
  process.exit(2);
}

try {
  import.meta.resolve('commander');
} catch {
  process.stderr.write('The packages of this checkout of dlx-batch are not installed. Run npm ci first.\n');
  process.exit(2);
}
