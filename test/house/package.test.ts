/** What gets installed: exact versions, a complete lock file, permissive licences, nothing superfluous in the package. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { ROOT } from './root.js';

interface LockEntry {
  version?: string;
  /** Symbolic link to a workspace, which has an entry of its own. */
  link?: boolean;
  license?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

const json = (name: string) => JSON.parse(readFileSync(new URL(name, ROOT), 'utf8'));
const manifest = json('package.json');
const lock = json('package-lock.json') as { packages: Record<string, LockEntry> };
const GROUPS = ['dependencies', 'devDependencies'] as const;

test('dependencies are exact versions, and the lock file holds the same', () => {
  const root = lock.packages[''] as Record<string, unknown>;
  for (const group of GROUPS) {
    assert.deepEqual(root[group], manifest[group], `${group}: run \`npm install --ignore-scripts\``);
    for (const [name, version] of Object.entries<string>(manifest[group])) {
      // `npm:typescript@5.9.3`: a package under another name, where two versions of it are needed.
      const exact = version.replace(/^npm:(?:@[\w.-]+\/)?[\w.-]+@/, '');
      assert.match(exact, /^\d+\.\d+\.\d+$/, name);
      assert.equal(lock.packages[`node_modules/${name}`]?.version, exact, name);
    }
  }
});

/** npm leaves out packages of other platforms when its registry lacks them, and `npm ci` then refuses the lock file. */
test('the lock file names the packages of every platform, which `npm ci` insists on', () => {
  for (const [path, entry] of Object.entries(lock.packages)) {
    for (const name of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })) {
      const nested = `${path === '' ? '' : `${path}/`}node_modules/${name}`;
      const found = lock.packages[nested] ?? lock.packages[`node_modules/${name}`];
      assert.ok(found?.version, `${name}, which ${path || 'this package'} depends on, is not in package-lock.json`);
    }
  }
});

const PERMISSIVE = new Set([
  ...['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'Zlib', 'Unlicense', 'CC0-1.0'],
  ...['BlueOak-1.0.0', 'Python-2.0', 'MIT-0'],
  // As usearch spells it.
  'Apache 2.0',
]);

const entryOf = ({ name, version, license, ...rest }: Record<string, unknown>) =>
  Object.fromEntries(
    ['devDependencies', 'dependencies', 'engines', 'peerDependencies', 'peerDependenciesMeta']
      .filter((key) => key in rest)
      .map((key) => [key, rest[key]])
      .concat(Object.entries({ name, version, license })),
  );

test('workspaces have exact versions, and those but the fleet are tools that only a checkout needs', () => {
  for (const path of manifest.workspaces as string[]) {
    const workspace = json(`${path}/package.json`);
    if (path !== 'fleet') assert.deepEqual([workspace.private, workspace.dependencies], [true, undefined], path);
    assert.deepEqual(lock.packages[path], entryOf(workspace), path);
    for (const [name, version] of Object.entries<string>(workspace.devDependencies ?? workspace.dependencies))
      assert.equal(lock.packages[`node_modules/${name}`]?.version, version, name);
  }
});

test('the fleet has the version of the program, and asks for it', () => {
  const fleet = json('fleet/package.json');
  assert.equal(fleet.version, manifest.version);
  assert.deepEqual(fleet.peerDependencies, { [manifest.name]: manifest.version });
  // npm would add a second program to a global installation otherwise.
  assert.deepEqual(fleet.peerDependenciesMeta, { [manifest.name]: { optional: true } });
  for (const group of GROUPS) {
    const shared = Object.keys(manifest[group]).filter((name) => name in fleet.dependencies);
    assert.deepEqual(shared, [], `${group}: only the fleet needs them`);
  }
});

/** Packages whose manifest names no licence: the LICENSE file of the first says Apache-2.0 and MIT, of the second MIT. */
const LICENCE_IN_FILE = new Set(['node_modules/@modelcontextprotocol/inspector-cli', 'node_modules/json-bignum']);

test('every dependency has a permissive licence', () => {
  for (const [path, { license, link }] of Object.entries(lock.packages)) {
    if (link) continue;
    const names = (license ?? 'none').replace(/[()]/g, '').split(/ (?:AND|OR) /);
    if (LICENCE_IN_FILE.has(path)) continue;
    for (const name of names) assert.ok(PERMISSIVE.has(name), `${path}: ${license}`);
  }
  assert.match(readFileSync(new URL('LICENSE', ROOT), 'utf8'), /Apache License\s+Version 2\.0, January 2004/);
  assert.equal(manifest.license, 'Apache-2.0');
});

test('the package holds the program and the model, but not how the model was trained', () => {
  const { files } = manifest as { files: string[] };
  for (const pattern of [
    'dist/**/*.js',
    'dist/man/*.1',
    'grammars/*.wasm.br',
    'grammars/tags/*.scm',
    'model/builtin.bin',
  ])
    assert.ok(files.includes(pattern), pattern);
  assert.deepEqual(
    files.filter((pattern) => pattern.startsWith('model') && pattern !== 'model/builtin.bin'),
    [],
  );
  const { size } = statSync(new URL('model/builtin.bin', ROOT));
  assert.ok(size < 7_000_000, `model/builtin.bin has ${size} bytes`);
  const grammars = readdirSync(new URL('grammars/', ROOT)).map(
    (name) => statSync(new URL(`grammars/${name}`, ROOT)).size,
  );
  assert.ok(grammars.reduce((sum, bytes) => sum + bytes) < 8_000_000, 'grammars are kept small');
});

test('installing never runs or needs scripts of ours', () => {
  const { preinstall, install, postinstall, prepare } = manifest.scripts;
  assert.deepEqual([preinstall, install, postinstall], [undefined, undefined, undefined]);
  // Without husky (no dev dependencies), without git: still fine.
  assert.match(prepare, /\|\| exit 0$/);
});
