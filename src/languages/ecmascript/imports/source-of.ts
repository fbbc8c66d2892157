/** From the path of a built file, which git doesn't have, back to the file that it is built from. */
import type { Resolution } from '../../roles/imports.js';
import { join, under } from '../../roles/paths.js';
import { extensionOf, type Probe } from './probe.js';

/** Directories that hold what a build made: they are left out, from the left, until a source is found. */
const BUILT: ReadonlySet<string> = new Set([
  'dist',
  'lib',
  'build',
  'out',
  'output',
  'es',
  'esm',
  'cjs',
  'umd',
  'mjs',
  'commonjs',
  'module',
  'types',
  'typings',
  'declarations',
  'dts',
  'node',
  'browser',
  'bundles',
]);
/** `index.d.ts`, `index.cjs.js`, `index.min.js` come from `index`. */
const BUILT_ENDING = /(?:\.d)?\.[cm]?[jt]sx?$/;
const BUILT_VARIANT = /[.-](?:cjs|esm|es|mjs|umd|min|module|common|prod|production|development|browser|node)$/;
/** Built directories in one path: `dist/esm/node/x.js`. */
const MAX_BUILT = 5;
const SOURCE_DIRECTORIES = ['src', 'lib', 'source'];

export function sourceOf(directory: string, target: string, probe: Probe): Resolution | null {
  const path = join('', target);
  if (path === null || path === '') return null;
  const ending = BUILT_ENDING.exec(path)?.[0] ?? '';
  if (ending === '' && extensionOf(path) !== '') return null;
  const stem = path.slice(0, path.length - ending.length);
  for (const name of new Set([stem, stem.replace(BUILT_VARIANT, '')])) {
    const found = sourceOfStem(directory, name, probe);
    if (found !== null) return found;
  }
  return null;
}

function sourceOfStem(directory: string, stem: string, probe: Probe): Resolution | null {
  const names = stem.split('/');
  for (let built = 0; built < Math.min(names.length, MAX_BUILT); built++) {
    if (built > 0 && !BUILT.has(names[built - 1])) return null;
    const rest = names.slice(built).join('/');
    for (const source of SOURCE_DIRECTORIES) {
      const path = under(under(directory, source), rest);
      const found = probe.withExtension(path) ?? probe.index(path);
      if (found !== null) return found;
    }
    const beside = built === 0 ? null : probe.withExtension(under(directory, rest));
    if (beside !== null) return beside;
  }
  return null;
}
