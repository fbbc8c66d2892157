/** Files of a release: one version everywhere, names that exist, and a Debian package that runs where it is installed. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeDirectory } from '../support/repositories/repo.js';
import { ROOT } from './root.js';

const text = (name: string) => readFileSync(new URL(name, ROOT), 'utf8');
const json = (name: string) => JSON.parse(text(name));
const manifest = json('package.json');
const REPOSITORY = 'acme/git-socraticode';
const BUNDLE = { name: `git-socraticode-${manifest.version}.mcpb`, sha256: 'b'.repeat(64) };
const TARBALL = { name: `git-socraticode-${manifest.version}.tgz`, sha256: 'a'.repeat(64) };

// biome-ignore lint/suspicious/noExplicitAny: plain scripts without declarations
const script = (name: string): Promise<any> => import(new URL(`release/${name}`, ROOT).href);

test('the version is the same wherever it is written, and the changelog has a place for the next one', async () => {
  const { versionFaults } = await script('versions.mjs');
  assert.deepEqual(versionFaults(), []);
  assert.match(
    text('CHANGELOG.md'),
    new RegExp(`^## \\[(?:Unreleased|${manifest.version.replaceAll('.', '\\.')})\\]`, 'm'),
  );
});

test('a release is refused where a manifest, a lock file or a text has another version, or the changelog has none', async () => {
  const { changelogFault, versionFaults } = await script('versions.mjs');
  const root = makeDirectory('versions');
  const write = (name: string, value: unknown) => {
    mkdirSync(join(root, name, '..'), { recursive: true });
    writeFileSync(join(root, name), typeof value === 'string' ? value : JSON.stringify(value));
  };
  write('package.json', { version: '1.2.3' });
  write('CHANGELOG.md', '# Changelog\n\n## [Unreleased]\n');
  assert.deepEqual(versionFaults(root), [], 'absent files are passed over');
  assert.match(changelogFault(root), /no heading "## \[1\.2\.3\] - DATE"/);
  write('CHANGELOG.md', '# Changelog\n\n## [1.2.3] - 2026-12-01\n');
  assert.equal(changelogFault(root), null);
  write('.claude-plugin/plugin.json', { version: '1.2.2' });
  write('editors/vscode/package.json', { version: '1.2.3', dependencies: { other: '1.0.0' } });
  write('fleet/package.json', { version: '1.2.3', peerDependencies: { 'git-socraticode': '^1.2.1' } });
  const own = { '': { version: '1.2.3' }, fleet: { version: '1.2.0' }, 'node_modules/fleet': { link: true } };
  write('package-lock.json', { version: '1.2.3', packages: own });
  write('action.yml', 'run: npm install git-socraticode@1.1.0 git-socraticode@$VERSION git-socraticode@v1\n');
  write('release/Dockerfile', 'LABEL org.opencontainers.image.version="1.2.3"\n');
  assert.deepEqual(versionFaults(root), [
    '.claude-plugin/plugin.json: 1.2.2 instead of 1.2.3',
    'fleet/package.json, peerDependencies: 1.2.1 instead of 1.2.3',
    'package-lock.json, packages["fleet"]: 1.2.0 instead of 1.2.3',
    'action.yml: 1.1.0 instead of 1.2.3',
  ]);
});

test('server.json has the form that the registry of MCP servers checks', async () => {
  const { serverJson, publishedManifest } = await script('describe.mjs');
  const server = serverJson(manifest, REPOSITORY, BUNDLE);
  assert.match(server.name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  assert.ok(server.name.length >= 3 && server.name.length <= 200 && server.description.length <= 100);
  assert.equal(server.version, manifest.version);
  const [npm, bundle] = server.packages;
  assert.deepEqual([npm.registryType, npm.identifier, npm.version], ['npm', manifest.name, manifest.version]);
  assert.deepEqual(npm.packageArguments, [{ type: 'positional', value: 'mcp' }]);
  assert.match(bundle.identifier, /^https:\/\/github\.com\/.*\/releases\/download\/v[\d.]+\/.*\.mcpb$/);
  assert.match(bundle.fileSha256, /^[0-9a-f]{64}$/);
  for (const { transport } of server.packages) assert.deepEqual(transport, { type: 'stdio' });
  // The registry compares the name with the package's own claim, and npm the repository with where it was built.
  const published = publishedManifest(manifest, REPOSITORY);
  assert.equal(published.mcpName, server.name);
  assert.equal(published.repository.url, `git+${server.repository.url}.git`);
});

test('the bundle starts a file that the package has, with an option that the command has', async () => {
  const { bundleManifest } = await script('describe.mjs');
  const { server, version, user_config: asked } = bundleManifest(manifest, REPOSITORY, []);
  assert.equal(version, manifest.version);
  assert.equal(server.entry_point, manifest.bin['git-socraticode']);
  const [program, command, option, value] = server.mcp_config.args as string[];
  assert.equal(program.replace(/^\$\{__dirname\}\//, ''), server.entry_point);
  assert.match(text('docs/cli.md'), new RegExp(`git socraticode ${command} .*${option} `));
  assert.ok(value.slice('${user_config.'.length, -1) in asked);
});

test('the formula and the image install the package of the same release', async (t) => {
  const { formula } = await script('describe.mjs');
  const ruby = formula(manifest, REPOSITORY, TARBALL) as string;
  assert.match(ruby, new RegExp(`/v${manifest.version}/git-socraticode-${manifest.version}\\.tgz"`));
  assert.ok(ruby.includes(TARBALL.sha256));
  for (const found of ['bin/*', 'bin/"git-socraticode"', 'share/man/man1']) assert.ok(ruby.includes(found), found);
  if (spawnSync('ruby', ['--version']).status === 0)
    execFileSync('ruby', ['-c'], { input: ruby, stdio: ['pipe', 'ignore', 'inherit'] });
  else t.diagnostic('no ruby: the formula was not parsed');
  const [, copied] = /^COPY (\S+)/m.exec(text('release/Dockerfile')) ?? [];
  assert.match(TARBALL.name, new RegExp(`^${copied.replaceAll('.', '\\.').replace('*', '.*')}$`));
});

test('the workflow runs scripts that exist', () => {
  for (const [, name] of text('.github/workflows/release.yml').matchAll(/run: (?:node )?(\S+\/\S+)/g))
    assert.ok(existsSync(new URL(name, ROOT)), name);
});

const HAS_DPKG = spawnSync('dpkg-deb', ['--version']).status === 0;

test('the Debian package: installed, it runs; the same tree gives the same bytes', { skip: !HAS_DPKG }, async () => {
  const { buildDebian } = await script('debian.mjs');
  const [stage, out, root] = [makeDirectory('stage'), makeDirectory('out'), makeDirectory('root')];
  mkdirSync(join(stage, 'dist/cli'), { recursive: true });
  mkdirSync(join(stage, 'dist/man'));
  writeFileSync(join(stage, 'LICENSE'), 'Apache\n');
  writeFileSync(join(stage, 'dist/cli/main.js'), '#!/usr/bin/env node\nconsole.log("ran", process.argv[2]);\n', {
    mode: 0o600,
  });
  writeFileSync(join(stage, 'dist/man/git-socraticode.1'), '.TH GIT\\-SOCRATICODE 1\n');
  const build = () => buildDebian({ stage, out, manifest, repository: REPOSITORY, time: 1_700_000_000 }) as string;
  const name = build();
  const first = readFileSync(join(out, name));
  assert.ok(first.equals(readFileSync(join(out, build()))), 'the same bytes');
  const field = (key: string) => execFileSync('dpkg-deb', ['-f', join(out, name), key], { encoding: 'utf8' }).trim();
  assert.deepEqual([field('Package'), field('Version')], [manifest.name, manifest.version]);
  assert.match(field('Depends'), new RegExp(`nodejs \\(>= ${manifest.engines.node.match(/\d+/)[0]}\\)`));
  execFileSync('dpkg-deb', ['-x', join(out, name), root]);
  const program = join(root, 'usr/bin/git-socraticode');
  assert.equal(execFileSync(program, ['search'], { encoding: 'utf8' }), 'ran search\n');
  assert.equal(statSync(program).mode & 0o777, 0o755);
  assert.ok(existsSync(join(root, 'usr/share/man/man1/git-socraticode.1.gz')));
});

test('checksums are what sha256sum checks, and a changed file is not published', async () => {
  const { checksums, provenance } = await script('describe.mjs');
  const files = [BUNDLE, TARBALL];
  assert.equal(checksums([TARBALL]), `${'a'.repeat(64)}  ${TARBALL.name}\n`);
  const statement = provenance(files, { repository: REPOSITORY, commit: 'c'.repeat(40), builder: 'x' });
  assert.deepEqual(
    statement.subject.map(({ name }: { name: string }) => name),
    files.map(({ name }) => name),
  );
  assert.equal(statement.predicate.buildDefinition.resolvedDependencies[0].digest.gitCommit, 'c'.repeat(40));
  const clone = makeDirectory('clone');
  const git = (...args: string[]) => execFileSync('git', ['-C', clone, ...args], { stdio: 'pipe' });
  git('init', '--quiet');
  mkdirSync(join(clone, 'release'));
  for (const name of ['release/publish.mjs', 'package.json']) writeFileSync(join(clone, name), text(name));
  git('add', '.');
  git('-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '--quiet', '--message', 'x');
  const out = join(clone, 'build');
  mkdirSync(out);
  writeFileSync(join(out, TARBALL.name), 'x');
  const sum = (name: string) => execFileSync('sha256sum', [name], { cwd: out, encoding: 'utf8' });
  writeFileSync(join(out, 'SHA256SUMS'), sum(TARBALL.name));
  const publish = () =>
    spawnSync('node', ['release/publish.mjs', '--out', 'build', '--dry-run'], { cwd: clone, encoding: 'utf8' });
  assert.match(publish().stderr, new RegExp(`HEAD has no tag v${manifest.version}`));
  git('tag', `v${manifest.version}`);
  assert.match(publish().stdout, new RegExp(`^npm publish ${TARBALL.name}.*\ngh release create v`));
  writeFileSync(join(out, TARBALL.name), 'y');
  assert.notEqual(publish().status, 0);
});

test('release files are no part of the package', () => {
  assert.deepEqual(
    (manifest.files as string[]).filter((pattern) => pattern.startsWith('release')),
    [],
  );
  assert.ok(existsSync(fileURLToPath(new URL('release/README.md', ROOT))));
});
