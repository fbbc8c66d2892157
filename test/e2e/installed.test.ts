/** What a visitor of the README types first: `npm install -g`, from a registry, then a question about a repository. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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

let packed: string | null = null;

/** The package's file, made once. */
function pack(): string {
  packed ??= packAnew();
  return packed;
}

function packAnew(): string {
  const [source, out] = [makeDirectory('source'), makeDirectory('out')];
  for (const name of SOURCES) cpSync(join(ROOT, name), join(source, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(source, 'node_modules'));
  execFileSync('npm', ['pack', '--silent', `--pack-destination=${out}`], { cwd: source, stdio: 'ignore' });
  return join(out, readdirSync(out)[0]);
}

/** Tests run under npm, whose own options reach the npm that a test starts. */
const npmEnv = () => Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));

test('npm install -g from a registry says nothing that worries, and what it installed answers without a network', async (t) => {
  const registry = await startRegistry(ROOT, manifest, pack());
  t.after(() => registry.close());
  const prefix = makeDirectory('prefix');
  const options = [`--registry=${registry.url}`, `--prefix=${prefix}`, `--cache=${makeDirectory('cache')}`];
  const npm = spawn('npm', ['install', '--global', ...options, manifest.name], {
    cwd: prefix,
    stdio: 'pipe',
    env: npmEnv(),
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

  // As on a system that usearch has no build for, and where it was left out: nothing but speed is lost, which is said calmly.
  const comparing = () => /compared one by one.*/.exec(ask('doctor'))?.[0] ?? '';
  assert.equal(comparing(), 'compared one by one; usearch makes graphs');
  const usearch = join(prefix, 'lib/node_modules', manifest.name, 'dist/node_modules/usearch');
  const withoutIt = (why: RegExp) => {
    assert.match(comparing(), why);
    assert.match(ask('search', 'remember a token of a user'), /src\/session\.ts/);
  };
  rmSync(join(usearch, 'prebuilds'), { recursive: true });
  withoutIt(/^compared one by one: usearch has no build for \w+-\w+$/);
  rmSync(usearch, { recursive: true });
  withoutIt(/^compared one by one: usearch is not installed$/);
});

test('the examples of docs/library.md run with the packed library in a project of its own, and their types are right', async (t) => {
  const registry = await startRegistry(ROOT, manifest, pack());
  t.after(() => registry.close());
  const project = createRepo();
  project.write({ 'package.json': '{"type":"module","private":true}', '.gitignore': 'node_modules\n' });
  const options = [`--registry=${registry.url}`, `--cache=${makeDirectory('cache')}`, '--ignore-scripts', '--no-audit'];
  const npm = spawn('npm', ['install', ...options, manifest.name], { cwd: project.dir, stdio: 'pipe', env: npmEnv() });
  const { code, stderr } = await outputOf(npm);
  assert.equal(code, 0, stderr);
  await registry.close();

  const page = readFileSync(join(ROOT, 'docs/library.md'), 'utf8');
  const examples = [...page.matchAll(/```js\n([\s\S]*?)```/g)].map(([, text]) => text);
  assert.ok(examples.length > 0);
  const names = examples.map((_, at) => `example-${at}.ts`);
  const compilerOptions = {
    module: 'NodeNext',
    target: 'ES2022',
    lib: ['ES2022', 'DOM'],
    strict: true,
    noEmit: true,
    types: [],
  };
  project.write(Object.fromEntries(names.map((name, at) => [name, examples[at]])));
  project.write({ 'tsconfig.json': JSON.stringify({ compilerOptions, files: names }) });
  execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', '.'], { cwd: project.dir });

  project.commit({ ...PROJECT });
  for (const [at, example] of examples.entries()) {
    const file = join(project.dir, `example-${at}.mjs`);
    writeFileSync(file, example);
    const ran = await outputOf(spawn(process.execPath, [file], { cwd: project.dir, stdio: 'pipe' }));
    assert.deepEqual([ran.code, ran.stderr], [0, ''], `example ${at}`);
    assert.match(ran.stdout, /src\/session\.ts/, `example ${at}`);
  }
});
