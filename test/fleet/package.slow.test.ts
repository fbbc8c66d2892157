/** The package of the fleet beside an installed program: absent, of another version, and of the same, from the bundle and from modules. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ROOT } from '../house/root.js';
import { makeDirectory } from '../support/repositories/repo.js';
import { shop } from '../support/repositories/shop.js';

const MODULES = fileURLToPath(new URL('node_modules/', ROOT));
const { version } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8'));

/** The program as npm installs it into a project, or for the whole machine, with all that it depends on but the fleet. */
function install({ isProject }: { isProject: boolean }) {
  const prefix = makeDirectory('prefix');
  const modules = join(prefix, 'node_modules');
  const own = join(modules, 'git-socraticode');
  mkdirSync(own, { recursive: true });
  for (const name of readdirSync(MODULES))
    if (!/^\.|^git-socraticode/.test(name)) symlinkSync(join(MODULES, name), join(modules, name));
  for (const name of ['package.json', 'grammars', 'model', 'words', 'web'])
    cpSync(fileURLToPath(new URL(name, ROOT)), join(own, name), {
      recursive: true,
      filter: (path) => !path.includes('train'),
    });
  cpSync(fileURLToPath(new URL('../../src/', import.meta.url)), join(own, 'dist'), { recursive: true });
  if (isProject) writeFileSync(join(prefix, 'package.json'), '{}');
  return { modules, main: join(own, 'dist/cli/main.js') };
}

/** Puts a package of the fleet beside the program; `other`: its version, where that is not the program's. */
function addFleet(modules: string, other?: string): void {
  const folder = join(modules, 'git-socraticode-fleet');
  cpSync(fileURLToPath(new URL('fleet/dist/', ROOT)), join(folder, 'dist'), { recursive: true });
  const manifest = JSON.parse(readFileSync(new URL('fleet/package.json', ROOT), 'utf8'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, version: other ?? version }));
}

function run(main: string, args: readonly string[], env: object = {}) {
  const options = { cwd: shop().dir, encoding: 'utf8', env: { ...process.env, ...env } } as const;
  return spawnSync(process.execPath, [main, ...args], options);
}

const TO = 'file:///nowhere/fleet';

test('without the package, each command that needs it names the one command that adds it', () => {
  for (const isProject of [true, false]) {
    const { main } = install({ isProject });
    for (const args of [
      ['publish', '--to', TO],
      ['serve', '--fleet', TO],
      ['search', '--fleet', 'total'],
    ]) {
      const { status, stderr } = run(main, args, { SOCRATICODE_FLEET_URL: TO });
      assert.equal(status, 2, stderr);
      assert.match(stderr, /a fleet needs the package git-socraticode-fleet/);
      assert.ok(
        stderr.includes(`: npm install ${isProject ? '' : '--global '}git-socraticode-fleet@${version}\n`),
        stderr,
      );
    }
    const { status, stdout } = run(main, ['search', 'total']);
    assert.equal(status, 0);
    assert.match(stdout, /total/);
  }
});

test('a package of another version is refused, and the command that replaces it is named', () => {
  const { main, modules } = install({ isProject: true });
  addFleet(modules, '0.0.9');
  const { status, stderr } = run(main, ['publish', '--to', TO]);
  assert.equal(status, 2, stderr);
  assert.match(
    stderr,
    /git-socraticode-fleet has version 0\.0\.9, and git-socraticode \d+\.\d+\.\d+: both must have the same/,
  );
  assert.ok(stderr.includes(`npm install git-socraticode-fleet@${version}\n`), stderr);
});

test('with it, a repository is published and found, from the bundle as from modules', () => {
  const { main, modules } = install({ isProject: false });
  addFleet(modules);
  for (const [at, options] of ['', '--stack-trace-limit=20'].entries()) {
    const url = pathToFileURL(makeDirectory(`store-${at}`)).href;
    const env = { SOCRATICODE_FLEET_URL: url, NODE_OPTIONS: options };
    const published = run(main, ['publish', '--repo', 'acme/shop'], env);
    assert.match(published.stdout, /: published, \d+ files sent/, published.stderr);
    const found = run(main, ['search', '--fleet', 'total'], env);
    assert.match(found.stdout, /acme\/shop/, found.stderr);
    // An error of the package is one of the program: it has its code and its next step.
    const refused = run(main, ['search', '--fleet', ' '], env);
    assert.equal(refused.status, 2);
    assert.match(refused.stderr, /the query is empty/);
    assert.doesNotMatch(refused.stderr, /This is a bug/);
  }
});
