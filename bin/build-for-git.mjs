// Builds the package for `npm install git+URL`: npm clones the repository into its cache, installs the development
// dependencies there, runs this script, and packs the clone. It does not run `prepack` then.
//
// npm also runs this script after `npm ci` in a checkout, which needs no build; only the clone is in the cache of npm. The
// script is `postprepare` and not `prepare`, because newer versions of npm warn of `prepare` when they install a packed file.
import { spawnSync } from 'node:child_process';

if (/[/\\]_cacache[/\\]tmp[/\\]/.test(process.cwd())) {
  const { status } = spawnSync('npm run build', { shell: true, stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
