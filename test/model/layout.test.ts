/** The trainer's house rules: small files, and folders that import in one direction. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../house/root.js';

const TRAIN = fileURLToPath(new URL('model/train/', ROOT));
const MAX_LINES = 250;

/** Folders and what each may import besides itself, `src`, and the recipe with its places. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  pairs: [],
  fetch: ['pairs'],
  dataset: ['pairs'],
  learn: ['dataset'],
  measure: ['dataset', 'learn'],
};

const files = readdirSync(TRAIN, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => ({ path, text: readFileSync(join(TRAIN, path), 'utf8') }));

test('folders are those of the guide, and import in one direction', () => {
  const guide = readFileSync(new URL('model/README.md', ROOT), 'utf8');
  const folders = readdirSync(TRAIN, { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? [one.name] : []));
  assert.deepEqual(folders.sort(), Object.keys(MAY_IMPORT).sort());
  for (const folder of folders) assert.match(guide, new RegExp(`^\\| \`${folder}\` \\| .+\\. \\|$`, 'm'));
  const wrong = files.flatMap(({ path, text }) => {
    const [folder, file] = path.split(/[/\\]/);
    if (file === undefined) return [];
    const targets = [...text.matchAll(/^import .*from '(\.[^']+)'/gm)].map(([, from]) =>
      normalize(join(dirname(path), from)),
    );
    const allowed = [folder, ...MAY_IMPORT[folder], 'recipe.js', 'places.js', '..'];
    return targets
      .filter((target) => !allowed.includes(target.split(/[/\\]/)[0]))
      .map((target) => `${path} -> ${target}`);
  });
  assert.deepEqual(wrong, []);
});

test(`no file has more than ${MAX_LINES} lines`, () => {
  const long = files.filter(({ text }) => text.split('\n').length - 1 > MAX_LINES).map(({ path }) => path);
  assert.deepEqual(long, []);
});
