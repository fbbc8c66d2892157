/**
 * Builds all files of a release: `node release/build.mjs --repository OWNER/NAME [--out DIR]`. The commit is HEAD, and there may be
 * no uncommitted changes and no two versions. Needs npm and its registry; the Debian package is left out where there is no dpkg-deb.
 * One commit gives the same bytes on each machine, whatever its clock, time zone and umask; the README beside this says how to check it.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { buildDebian } from './debian.mjs';
import * as describe from './describe.mjs';
import { changelogFault, versionFaults } from './versions.mjs';

// What npm unpacks gets its rights from it.
process.umask(0o022);

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BUNDLER = '@anthropic-ai/mcpb@2.1.2';
const FORM = /^[\w.-]+\/[\w.-]+$/;

const { values } = parseArgs({
  options: { repository: { type: 'string' }, out: { type: 'string', default: 'build/release' } },
});
const { repository } = values;
const out = resolve(ROOT, values.out);
if (repository === undefined || !FORM.test(repository))
  throw new Error('name the repository on GitHub: --repository OWNER/NAME');

/** Archives write times as a zone shows them. */
const env = { ...process.env, TZ: 'UTC' };
const run = (cwd, program, ...args) =>
  execFileSync(program, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
const git = (...args) => run(ROOT, 'git', ...args).trim();
const json = (path) => JSON.parse(readFileSync(path, 'utf8'));
const writeJson = (path, value) => writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
const described = (name) => ({
  name,
  sha256: createHash('sha256')
    .update(readFileSync(join(out, name)))
    .digest('hex'),
});

if (git('status', '--porcelain') !== '')
  throw new Error('there are uncommitted changes: a release is made of a commit');
/** Seconds since 1970 that files carry. */
const time = Number(git('show', '--no-patch', '--format=%ct', 'HEAD'));
const faults = [...versionFaults(), changelogFault()].filter(Boolean);
if (faults.length > 0) throw new Error(`the version is not the same everywhere:\n  ${faults.join('\n  ')}`);
const work = mkdtempSync(join(tmpdir(), 'git-socraticode-release-'));
try {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const stage = packageTree('program');
  const manifest = json(join(stage, 'package.json'));
  run(stage, 'npm', 'pack', '--loglevel=error', '--ignore-scripts', '--pack-destination', out);
  const tarball = described(readdirSync(out)[0]);
  const fleet = packageTree('fleet', '--workspace', 'fleet');
  run(fleet, 'npm', 'pack', '--loglevel=error', '--ignore-scripts', '--pack-destination', out);
  install(stage);
  const hasDebian = spawnSync('dpkg-deb', ['--version']).status === 0;
  if (hasDebian) buildDebian({ stage, out, manifest, repository, time });
  const bundle = await bundleOf(stage, manifest);
  const extension = join(out, `${manifest.name}-${manifest.version}.vsix`);
  execFileSync(process.execPath, [join(ROOT, 'editors/vscode/package.mjs'), extension], {
    env: { ...env, SOURCE_DATE_EPOCH: String(time) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  writeJson(join(out, 'server.json'), describe.serverJson(manifest, repository, bundle));
  writeFileSync(join(out, 'git-socraticode.rb'), describe.formula(manifest, repository, tarball));
  copyFileSync(join(ROOT, 'release/Dockerfile'), join(out, 'Dockerfile'));
  const files = readdirSync(out).sort().map(described);
  const builder = process.env.GITHUB_WORKFLOW_REF ?? 'a machine of a person';
  const id = process.env.GITHUB_ACTIONS
    ? `https://github.com/${builder}`
    : `${describe.publishedManifest({}, repository).homepage}#by-hand`;
  writeJson(
    join(out, 'provenance.json'),
    describe.provenance(files, { repository, commit: git('rev-parse', 'HEAD'), builder: id }),
  );
  writeFileSync(join(out, 'SHA256SUMS'), describe.checksums([...files, described('provenance.json')]));
  process.stdout.write(readFileSync(join(out, 'SHA256SUMS'), 'utf8'));
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** A package as npm unpacks it, with the fields that name the repository. `args`: of `npm pack`. */
function packageTree(name, ...args) {
  const folder = join(work, name);
  mkdirSync(folder);
  run(ROOT, 'npm', 'pack', '--loglevel=error', ...args, '--pack-destination', folder);
  run(
    folder,
    'tar',
    'xzf',
    readdirSync(folder).find((file) => file.endsWith('.tgz')),
  );
  const stage = join(folder, 'package');
  writeJson(join(stage, 'package.json'), describe.publishedManifest(json(join(stage, 'package.json')), repository));
  settle(stage);
  return stage;
}

/** Gives everything in a folder the time of the commit, and the rights that it has under the usual umask. */
function settle(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) settle(path);
    else if (entry.isFile()) chmodSync(path, lstatSync(path).mode & 0o100 ? 0o755 : 0o644);
    lutimesSync(path, time, time);
  }
  chmodSync(folder, 0o755);
}

/** Adds node_modules: what the lock file names, without tools of development and without install scripts. */
function install(stage) {
  const manifest = json(join(stage, 'package.json'));
  const { workspaces: _, devDependencies: __, scripts: ___, ...shipped } = manifest;
  writeJson(join(stage, 'package.json'), shipped);
  copyFileSync(join(ROOT, 'package-lock.json'), join(stage, 'package-lock.json'));
  run(stage, 'npm', 'install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund');
  rmSync(join(stage, 'package-lock.json'));
  rmSync(join(stage, 'node_modules/.package-lock.json'), { force: true });
}

/** The .mcpb bundle, for every system: without libraries of this one, which only `grep --ast` needs. */
async function bundleOf(stage, manifest) {
  const tree = join(work, 'bundle');
  cpSync(stage, tree, { recursive: true, filter: (path) => !/node_modules\/@ast-grep\/napi-[^/]+$/.test(path) });
  const { loadTools } = await import(pathToFileURL(join(stage, 'dist/mcp/tool-call.js')).href);
  const tools = [...(await loadTools(['core'], true)).values()].map(({ name, title }) => ({
    name,
    description: title,
  }));
  writeJson(join(tree, 'manifest.json'), describe.bundleManifest(manifest, repository, tools));
  settle(tree);
  const name = `${manifest.name}-${manifest.version}.mcpb`;
  run(tree, 'npx', '--yes', BUNDLER, 'pack', '.', join(out, name));
  // The bundler writes its own clock into every entry.
  writeFileSync(join(out, name), withTime(readFileSync(join(out, name)), time));
  return described(name);
}

/** A ZIP archive whose entries have one time, in seconds since 1970. Offsets: APPNOTE.TXT 4.3.7, 4.3.12 and 4.3.16. */
function withTime(zip, seconds) {
  const at = new Date(seconds * 1_000);
  const day = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
  const clock = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  let entry = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    for (const place of [entry + 12, zip.readUInt32LE(entry + 42) + 10])
      zip.writeUInt32LE(day * 0x10000 + clock, place);
    entry += 46 + zip.readUInt16LE(entry + 28) + zip.readUInt16LE(entry + 30) + zip.readUInt16LE(entry + 32);
  }
  return zip;
}
