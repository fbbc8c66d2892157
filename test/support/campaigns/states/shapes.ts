/** The shapes that a repository can have (data): each is made with the same two branches and a tag. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runGit } from '../../repositories/repo.js';
import { PROJECT } from '../../repositories/samples.js';
import { giveAway, makeRoot, World } from './world.js';

export interface Shape {
  name: string;
  make: () => World;
  /** Why it cannot be made here. */
  skip?: string;
}

const SESSION = PROJECT['src/session.ts'] as string;

/** Files of the second commit on `main`, and of `side`, which disagrees with it. */
const LATER = {
  'src/later.ts':
    "import { loadSessions } from '../../../../src/session/session.js';\nexport const later = () => loadSessions('x');\n",
};
const THEIRS = { 'src/session.ts': SESSION.replace('rememberToken', 'rememberTheirToken') };
const OURS = { 'src/session.ts': SESSION.replace('rememberToken', 'rememberOurToken') };

let template: string | null = null;

/** A repository as git makes it, with history: made once, copied for each shape. */
function base(directory: string, format: 'sha1' | 'sha256' = 'sha1'): string {
  if (format === 'sha1' && template !== null) {
    cpSync(template, directory, { recursive: true });
    return directory;
  }
  mkdirSync(directory, { recursive: true });
  runGit(['init', '-q', '-b', 'main', `--object-format=${format}`], { cwd: directory });
  const root = join(directory, '..', '..');
  const repo = new World('base', root, '.');
  const at = Object.create(repo, { dir: { value: directory } }) as World;
  at.commit(PROJECT);
  at.commit(LATER);
  at.git('tag', 'v1', 'HEAD~1');
  at.git('checkout', '-q', '-b', 'side', 'HEAD~1');
  at.commit(THEIRS);
  at.commit({ 'lib/side.py': 'def depot_of_side():\n    return 1\n' });
  at.git('tag', 'start-side');
  at.git('checkout', '-q', 'main');
  at.commit(OURS);
  at.git('tag', 'start');
  if (format === 'sha1') {
    template = join(makeRoot(), 'template');
    cpSync(directory, template, { recursive: true });
  }
  return directory;
}

/** In `live/NAME`. */
function plain(shape: string, change: (world: World) => void = () => {}, format?: 'sha256'): World {
  const world = new World(shape, makeRoot(), 'repo');
  base(world.dir, format);
  change(world);
  return world;
}

/** What `git clone` makes of the base in `live/repo`, which knows the base beside it. */
function cloned(shape: string, args: readonly string[], change: (world: World) => void = () => {}): World {
  const root = makeRoot();
  const origin = base(join(root, 'origin'));
  runGit(['clone', '-q', ...args, args.includes('--shared') ? origin : `file://${origin}`, 'repo'], {
    cwd: join(root, 'live'),
  });
  const world = new World(shape, root, 'repo');
  world.git('branch', '-q', '--no-track', 'side', 'origin/side');
  change(world);
  return world;
}

const NOBODY = 65_534;
const canChown = process.getuid?.() === 0;

const hasReftable = spawnSync('git', ['init', '--ref-format=reftable', '-h'], { encoding: 'utf8' }).stdout.includes(
  'ref-format',
);

export const SHAPES: readonly Shape[] = [
  { name: 'normal', make: () => plain('normal') },
  { name: 'detached', make: () => plain('detached', (world) => world.git('checkout', '-q', '--detach', 'HEAD~1')) },
  { name: 'unborn', make: () => plain('unborn', (world) => world.git('checkout', '-q', '--orphan', 'born')) },
  {
    name: 'never committed',
    make() {
      const world = new World('never committed', makeRoot(), 'repo');
      mkdirSync(world.dir);
      runGit(['init', '-q', '-b', 'main'], { cwd: world.dir });
      return world;
    },
  },
  {
    name: 'empty commit',
    make: () =>
      plain('empty commit', (world) => {
        world.git('rm', '-rq', '.');
        world.git('commit', '-qm', 'nothing left');
      }),
  },
  { name: 'SHA-256', make: () => plain('SHA-256', undefined, 'sha256') },
  { name: 'bare', make: () => cloned('bare', ['--bare']) },
  { name: 'shallow', make: () => cloned('shallow', ['--depth=1', '--no-single-branch']) },
  { name: 'clone --shared', make: () => cloned('clone --shared', ['--shared']) },
  {
    name: 'clone --reference',
    make() {
      const donor = base(join(makeRoot(), 'donor'));
      return cloned('clone --reference', ['--reference', donor]);
    },
  },
  {
    name: 'linked work tree',
    make() {
      const root = makeRoot();
      const main = base(join(root, 'live', 'main'));
      runGit(['checkout', '-q', '--detach'], { cwd: main });
      runGit(['worktree', 'add', '-q', '../repo', 'main'], { cwd: main });
      return new World('linked work tree', root, 'repo');
    },
  },
  {
    name: 'a submodule inside',
    make: () =>
      plain('a submodule inside', (world) => {
        const inner = base(join(world.root, 'inner'));
        world.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'deps/inner');
        world.git('commit', '-qm', 'submodule');
      }),
  },
  {
    name: 'in a submodule',
    make() {
      const root = makeRoot();
      const inner = base(join(root, 'inner'));
      const outer = base(join(root, 'live', 'outer'));
      runGit(['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'deps/inner'], { cwd: outer });
      const world = new World('in a submodule', root, 'outer/deps/inner');
      world.git('branch', '-q', '--no-track', 'side', 'origin/side');
      return world;
    },
  },
  {
    name: 'a nested repository',
    make: () =>
      plain('a nested repository', (world) => {
        base(join(world.dir, 'vendor', 'nested'));
      }),
  },
  {
    name: 'core.worktree elsewhere',
    make: () =>
      plain('core.worktree elsewhere', (world) => {
        mkdirSync(join(world.root, 'live', 'other'));
        world.git('config', 'core.worktree', join(world.root, 'live', 'other'));
      }),
  },
  {
    name: '--separate-git-dir',
    make: () =>
      plain('--separate-git-dir', (world) => {
        world.git('init', '-q', `--separate-git-dir=${join(world.root, 'live', 'separate')}`);
      }),
  },
  {
    name: 'GIT_DIR and GIT_WORK_TREE',
    make() {
      const root = makeRoot();
      const tree = base(join(root, 'live', 'repo'));
      const gitDirectory = join(root, 'live', 'elsewhere');
      renameSync(join(tree, '.git'), gitDirectory);
      return new World('GIT_DIR and GIT_WORK_TREE', root, 'repo', { GIT_DIR: gitDirectory, GIT_WORK_TREE: tree });
    },
  },
  {
    name: 'safe.bareRepository=explicit',
    make() {
      const world = cloned('safe.bareRepository=explicit', ['--bare']);
      const config = join(world.root, 'gitconfig');
      writeFileSync(config, '[safe]\n\tbareRepository = explicit\n');
      Object.assign(world.env, { GIT_CONFIG_GLOBAL: config });
      return world;
    },
  },
  {
    name: 'somebody else owns it',
    skip: canChown ? undefined : 'only root can give files away',
    make: () => plain('somebody else owns it', (world) => giveAway(world.dir, NOBODY, NOBODY)),
  },
  {
    name: 'reftable',
    skip: hasReftable ? undefined : 'this git cannot',
    make: () =>
      plain('reftable', (world) => {
        world.git('refs', 'migrate', '--ref-format=reftable');
      }),
  },
  {
    name: 'names with spaces and letters',
    make() {
      const world = new World('names with spaces and letters', makeRoot(), "a b/ünï ’x'");
      base(world.dir);
      return world;
    },
  },
];
