/** What a visitor of the README types first: `npm install -g`, from a registry, then a question about a repository. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { outputOf } from '../support/processes/output.js';
import { createRepo, makeDirectory } from '../support/repositories/repo.js';
import { PROJECT } from '../support/repositories/samples.js';
import { startRegistry } from '../support/servers/package-registry.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
/** What building and packing read; a copy of it, since packing deletes `dist`, which other tests may be using. */
const SOURCES = [
  ...[
    'package.json',
    'tsconfig.json',
    'README.md',
    'LICENSE',
    '.claude-plugin',
    'src',
    'fleet',
    'grammars',
    'hooks',
    'model',
  ],
  ...['reference', 'release', 'schemas', 'skills', 'web'],
];

function pack(): string {
  const [source, out] = [makeDirectory('source'), makeDirectory('out')];
  for (const name of SOURCES) cpSync(join(ROOT, name), join(source, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(source, 'node_modules'));
  execFileSync('npm', ['pack', '--silent', `--pack-destination=${out}`], { cwd: source, stdio: 'ignore' });
  return join(out, readdirSync(out)[0]);
}

test('npm install -g from a registry says nothing that worries, and what it installed answers without a network', async (t) => {
  const registry = await startRegistry(ROOT, manifest, pack());
  t.after(() => registry.close());
  const prefix = makeDirectory('prefix');
  const options = [`--registry=${registry.url}`, `--prefix=${prefix}`, `--cache=${makeDirectory('cache')}`];
  const npm = spawn('npm', ['install', '--global', ...options, manifest.name], {
    cwd: prefix,
    stdio: 'pipe',
    // Tests run under npm, whose own options reach the npm that a test starts.
    env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name))),
  });
  const { code, stdout, stderr } = await outputOf(npm);
  assert.equal(code, 0, stderr);
  assert.doesNotMatch(stdout + stderr, /warn|error|script|deprecated|vulnerab/i);
  await registry.close();

  const repo = createRepo();
  repo.commit(PROJECT);
  const env = { ...process.env, PATH: `${join(prefix, 'bin')}:${process.env.PATH}` };
  const ask = (...args: string[]) =>
    execFileSync('git', ['socraticode', ...args], {
      cwd: repo.dir,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  assert.match(ask('search', 'remember a token of a user'), /src\/session\.ts/);
  assert.match(ask('graph', 'symbol', 'loadSessions'), /session\.ts/);
  assert.match(ask('--version'), new RegExp(manifest.version.replaceAll('.', '\\.')));
});
