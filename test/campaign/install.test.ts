/** S12: what is installed is exactly what was chosen, and works without any script having run. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { campaign } from '../support/campaigns/campaign.js';
import { createRepo, makeDirectory } from '../support/repositories/repo.js';
import { PROJECT } from '../support/repositories/samples.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const BUILT = join(ROOT, 'build', 'src');
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

interface LockEntry {
  version?: string;
  resolved?: string;
  integrity?: string;
  optional?: boolean;
  os?: string[];
  link?: boolean;
}

/** Packages that are brought along: of one version, with the hash of what it was; from whichever registry the user has. */
function checkLock(): { packages: number; unhashed: number } {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  // Workspaces come with the checkout, and are linked.
  const ours = new Set(manifest.workspaces as string[]);
  const entries = Object.entries(packages as Record<string, LockEntry>).filter(
    ([path, { link, resolved }]) => path !== '' && !ours.has(path) && !(link && ours.has(resolved ?? '')),
  );
  const isWhole = ({ version, resolved, integrity, link }: LockEntry) =>
    !link &&
    /^\d+\.\d+\.\d+/.test(version ?? '') &&
    /^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? '') &&
    (resolved === undefined || /^https:\/\/registry\.npmjs\.org\/[^?#]+\.tgz$/.test(resolved));
  // A registry that lacks the packages of other platforms gives no hash of them; of this one's there is one.
  const isElsewhere = ({ optional, os, integrity }: LockEntry) =>
    optional === true && integrity === undefined && os !== undefined;
  const bad = entries.filter(
    ([path, entry]) => !isWhole(entry) && !(isElsewhere(entry) && !existsSync(join(ROOT, path))),
  );
  assert.deepEqual(
    bad.map(([path]) => path),
    [],
  );
  const unhashed = entries.filter(([, { integrity }]) => integrity === undefined).length;
  return { packages: entries.length, unhashed };
}

/** Names of packages that the build copies into `dist`. */
const COPIED = (manifest.files as string[]).flatMap(
  (path) => /^dist\/node_modules\/(.+)\/package\.json$/.exec(path)?.[1] ?? [],
);

/** Modules of pages, which the package has as one script. */
const JOINED = (manifest.files as string[]).flatMap((path) => /^!dist\/(.+\/)\*\*$/.exec(path)?.[1] ?? []);
/** Made of the others by a bundler, which refuses what it does not find. */
const BUNDLE = 'bundle.js';

/** Every package that the program imports is one that it asks for or brings along. */
function checkImports(): number {
  const known = new Set([...Object.keys(manifest.dependencies), ...COPIED]);
  const builtin = new Set(builtinModules);
  const scripts = (readdirSync(BUILT, { recursive: true }) as string[])
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.js') && name !== BUNDLE && !JOINED.some((folder) => name.startsWith(folder)));
  const strange: string[] = [];
  for (const script of scripts) {
    const text = readFileSync(join(BUILT, script), 'utf8').replace(/^\s*(?:\/?\*|\/\/).*$|\/\/ .*$/gm, '');
    const names = text.matchAll(
      /^(?:import\s|export\s|\})[^'"\n]*\bfrom\s+['"]([^'"]+)['"]|^import\s+['"]([^'"]+)['"]|\b(?:import|require)\(\s*['"]([^'"]+)['"]\s*\)/gm,
    );
    for (const [, from, whole, lazy] of names) {
      const name = from ?? whole ?? lazy;
      if (name.startsWith('.')) {
        if (!existsSync(join(dirname(join(BUILT, script)), name))) strange.push(`${script}: ${name}`);
        continue;
      }
      const packageName = name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/');
      if (!name.startsWith('node:') && !builtin.has(name) && !known.has(packageName))
        strange.push(`${script}: ${name}`);
    }
  }
  assert.deepEqual(strange, []);
  return scripts.length;
}

/** npm's cache of the person who runs this, whose home directory the tests do not use. */
const CACHE = join(userInfo().homedir, '.npm');

function npm(args: readonly string[], cwd: string): string {
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', `--cache=${CACHE}`];
  const { status, stdout, stderr } = spawnSync('npm', [...args, ...options], { cwd, encoding: 'utf8' });
  assert.equal(status, 0, `npm ${args.join(' ')}: ${stderr}`);
  return stdout;
}

/** From the cache where it has everything, else from the registry. */
function install(args: readonly string[], cwd: string): string {
  try {
    npm([...args, '--offline'], cwd);
    return 'without a network';
  } catch {
    npm([...args, '--prefer-offline'], cwd);
    return 'with the registry';
  }
}

/** The tarball: one program, nothing that everybody may write, no sources and no tests. */
function pack(): string {
  const directory = makeDirectory('pack');
  // Scripts are needed here: packing builds.
  const made = spawnSync('npm', ['pack', '--silent', `--pack-destination=${directory}`], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  assert.equal(made.status, 0, made.stderr);
  const [tarball] = readdirSync(directory);
  return join(directory, tarball);
}

function checkPackage(tarball: string): number {
  const lines = spawnSync('tar', ['-tvzf', tarball], { encoding: 'utf8' }).stdout.split('\n').filter(Boolean);
  const files = lines.map((line) => ({ mode: line.slice(0, 10), path: line.split(' package/').at(-1) ?? '' }));
  const bad = files.filter(
    ({ mode, path }) =>
      mode[8] === 'w' ||
      !/^(dist|grammars|hooks|model|schemas|skills|web|words|\.claude-plugin)\/|^[A-Z]+(\.md)?$|^package\.json$/.test(
        path,
      ),
  );
  assert.deepEqual(bad, []);
  assert.match(files.find(({ path }) => path === manifest.bin['git-socraticode'])?.mode ?? '', /^-rwxr-xr-x/);
  return files.length;
}

/** Indexes and searches as a user would who has just installed it. */
function use(directory: string): string {
  const bin = join(directory, 'node_modules', '.bin');
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
  const repo = createRepo();
  repo.commit(PROJECT);
  const ask = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync('git', ['socraticode', ...args], {
      cwd: repo.dir,
      env,
      encoding: 'utf8',
    });
    assert.equal(status, 0, `${args.join(' ')}: ${stderr}`);
    return stdout + stderr;
  };
  const said = ask('index');
  assert.match(ask('search', 'remember a token of a user'), /src\/session\.ts/);
  assert.match(ask('graph', 'symbol', 'loadSessions'), /session\.ts/);
  return said + ask('status');
}

function inEmptyDirectory(tarball: string, ...options: string[]): { how: string; said: string } {
  const directory = makeDirectory('installed');
  writeFileSync(join(directory, 'package.json'), '{"private":true}');
  const how = install(['install', tarball, ...options], directory);
  const said = use(directory);
  const kept = readdirSync(join(directory, 'node_modules', manifest.name, 'dist', 'code'));
  assert.ok(
    kept.some((name) => name.startsWith('search-')),
    'commands start from the bundle',
  );
  return { how, said };
}

/** A checkout, as README tells: `npm ci --ignore-scripts && npm start`. */
function fromCheckout(): string {
  const directory = join(makeDirectory('checkout'), 'source');
  mkdirSync(directory);
  for (const name of [
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'src',
    'grammars',
    'model',
    'hooks',
    'schemas',
    'reference',
    'release',
    'web',
  ])
    cpSync(join(ROOT, name), join(directory, name), { recursive: true });
  createRepo({ directory }).commit();
  const how = install(['ci'], directory);
  const start = spawnSync('npm', ['start', '--silent', '--', 'what turns text into vectors'], {
    cwd: directory,
    encoding: 'utf8',
  });
  assert.equal(start.status, 0, start.stderr);
  assert.match(start.stdout, /^src\/\S+\.ts:\d+ {2}/m);
  return how;
}

campaign(
  'install',
  {
    bar: 'S12',
    claim:
      'the package works as unpacked, without running a script, and every dependency is the version that was chosen',
    short: { real: 0 },
    long: { real: 1 },
  },
  async ({ size, note }) => {
    const { packages, unhashed } = checkLock();
    const figures = {
      'packages in the lock file': packages,
      'of other platforms, without a hash': unhashed,
      'scripts whose imports are there': checkImports(),
    };
    if (size.real === 0) return figures;
    const tarball = pack();
    const files = checkPackage(tarball);
    note(`${files} files in ${tarball}`);
    const whole = inEmptyDirectory(tarball);
    note(`installed ${whole.how}`);
    const bare = inEmptyDirectory(tarball, '--omit=optional');
    // Optional packages are parts of others: files are parsed without ast-grep's native module, too.
    assert.doesNotMatch(bare.said, /grammars? +missing/i);
    return {
      ...figures,
      'files in the package': files,
      'bytes of the package': statSync(tarball).size,
      'installed from the tarball': whole.how,
      'without optional packages': bare.how,
      'npm ci and npm start in a checkout': fromCheckout(),
    };
  },
);
