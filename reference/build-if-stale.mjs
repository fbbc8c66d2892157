/** Builds the program unless `dist` is newer than all that it is made of: a second `npm start` answers at once. */
import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** The last file that a build writes of what a command needs: a build that was stopped before is made anew. */
const BUILT = 'dist/bundle.LICENSES.txt';

const modified = (path) => statSync(`${ROOT}/${path}`, { throwIfNoEntry: false })?.mtimeMs ?? 0;
/** A folder's own time tells of files that were removed. */
const folders = ['src', 'fleet/src'];
const sources = folders.flatMap((folder) =>
  readdirSync(`${ROOT}/${folder}`, { recursive: true }).map((path) => `${folder}/${path}`),
);
const newest = Math.max(
  ...[...folders, 'package.json', 'package-lock.json', 'tsconfig.json', ...sources].map(modified),
);

if (modified(BUILT) < newest) execFileSync('npm', ['run', '--silent', 'build'], { cwd: ROOT, stdio: 'inherit' });
