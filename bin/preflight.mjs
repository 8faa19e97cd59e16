// Says in one line what is wrong with the Node that runs the scripts. Plain JavaScript, so that any Node can say it.
const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  process.stderr.write(
    `dlx-batch needs Node 24 or newer and found ${process.version}: the package "node", which brings it, was not ` +
      'installed (its platform is not served, or optional dependencies were left out) or is not on the PATH (npm and npx ' +
      'put it there in this folder); use it, or install Node 24 yourself.\n',
  );
  process.exit(2);
}
