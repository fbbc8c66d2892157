// The bundle of `build/src`, from which processes of the program start in tests as users start them.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listed } from '../release/compile.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BUNDLE = join(ROOT, 'build/src/bundle.js');
/** The digest of all that the last one was made of. */
const BUNDLED = join(ROOT, 'build/.bundled');

/**
 * Makes the bundle unless it would be the same; false if that failed. Where it is not wanted, one that is out of date is removed:
 * processes then load modules, as those of a test that is run by hand.
 */
export function bundle(isWanted = true) {
  const digest = digestOfModules();
  if (existsSync(BUNDLE) && existsSync(BUNDLED) && readFileSync(BUNDLED, 'utf8') === digest) {
    // Newer than what was compiled: `support/repositories/repo.ts` removes an older one.
    utimesSync(BUNDLE, new Date(), new Date());
    return true;
  }
  for (const path of [BUNDLED, BUNDLE]) rmSync(path, { force: true });
  if (!isWanted) return true;
  const isMade = [['release/bundle.mjs', 'build/src'], ['fleet/build.mjs']].every(
    (script) => spawnSync(process.execPath, script, { cwd: ROOT, stdio: 'inherit' }).status === 0,
  );
  if (isMade) writeFileSync(BUNDLED, digest);
  return isMade;
}

function digestOfModules() {
  const modules = listed().compiled.filter((name) => /^(?:src|fleet)\//.test(name));
  const paths = ['release/bundle.mjs', 'package-lock.json', ...modules.sort().map((name) => `build/${name}`)];
  const hash = createHash('sha256');
  for (const path of paths) hash.update(`${path}\0`).update(readFileSync(join(ROOT, path)));
  return hash.digest('hex');
}
