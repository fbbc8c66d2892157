/** Settings and files of git itself that decide what belongs to the work tree, or what its files hold (data). */
import { appendFileSync, existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runGit } from '../../repositories/repo.js';
import type { Operation } from './operations.js';
import type { World } from './world.js';

function append(world: World, name: string, text: string): void {
  const directory = join(world.commonDir, 'info');
  mkdirSync(directory, { recursive: true });
  appendFileSync(join(directory, name), text);
}

/** The user's own rules; written here, named by the repository, since nobody has a home directory of their own. */
const globalRules = (world: World) => join(world.root, 'ignore');

export const CONFIGURING: readonly Operation[] = [
  {
    name: 'core.ignorecase',
    tree: true,
    run(world) {
      world.git('config', 'core.ignorecase', 'true');
      world.write({ 'SRC/Upper.ts': world.novelty() });
    },
  },
  {
    name: 'core.autocrlf',
    tree: true,
    run(world) {
      world.git('config', 'core.autocrlf', 'true');
      world.git('rm', '-rq', '--cached', '.');
      world.git('reset', '-q', '--hard');
    },
  },
  {
    name: 'core.autocrlf=false',
    tree: true,
    run(world) {
      world.git('config', 'core.autocrlf', 'false');
      // Or git goes on to believe what it remembers of files, until one is touched.
      for (const path of world.git('ls-files', '-z').split('\0').filter(Boolean)) touch(join(world.dir, path));
    },
  },
  {
    name: 'core.fileMode, core.quotePath, status.*',
    tree: true,
    run(world) {
      for (const [key, value] of [
        ['core.fileMode', 'false'],
        ['core.quotePath', 'false'],
        ['status.showUntrackedFiles', 'no'],
        ['status.relativePaths', 'true'],
        ['status.branch', 'true'],
        ['color.ui', 'always'],
      ])
        world.git('config', key, value);
      world.write({ 'grün.ts': world.novelty() });
    },
  },
  {
    name: 'info/exclude',
    tree: true,
    run(world) {
      world.write({ 'excluded.ts': world.novelty(), 'kept.ts': world.novelty() });
      append(world, 'exclude', '/excluded.ts\n');
    },
  },
  {
    name: 'core.excludesFile',
    tree: true,
    run(world) {
      world.write({ 'ours.ts': world.novelty(), 'mine.ts': world.novelty() });
      writeFileSync(globalRules(world), '/mine.ts\n');
      world.git('config', 'core.excludesFile', globalRules(world));
    },
  },
  {
    name: 'the file that core.excludesFile names',
    tree: true,
    run: (world) => {
      if (existsSync(globalRules(world))) writeFileSync(globalRules(world), '/ours.ts\n');
    },
  },
  {
    name: '.gitignore',
    tree: true,
    run: (world) => world.write({ '.gitignore': 'ours.ts\n/build/\n', 'build/out.ts': world.novelty() }),
  },
  {
    name: 'info/attributes',
    tree: true,
    run: (world) => append(world, 'attributes', '*.md linguist-generated\n*.ts text\n'),
  },
  {
    name: 'objects of another repository',
    run(world) {
      const other = join(world.root, 'lender');
      if (!existsSync(other))
        runGit(['init', '-q', '-b', 'main', '--object-format', format(world), other], { cwd: world.root });
      writeFileSync(join(other, 'lent.ts'), world.novelty());
      world.gitIn(other, ['add', '.']);
      world.gitIn(other, ['commit', '-qm', 'lent']);
      append(world, '../objects/info/alternates', `${join(other, '.git/objects')}\n`);
      world.git('update-ref', 'refs/heads/lent', world.gitIn(other, ['rev-parse', 'HEAD']));
      world.git('branch', '-f', 'side', 'lent');
      if (world.isBare) world.git('update-ref', 'refs/heads/main', 'lent');
      else world.git('reset', '-q', '--hard', 'lent');
    },
  },
  {
    name: 'and none of them any more',
    run(world) {
      const file = join(world.commonDir, 'objects/info/alternates');
      if (!existsSync(file)) return;
      world.git('repack', '-qad');
      rmSync(file);
    },
  },
  { name: 'fetch --unshallow', run: (world) => void world.git('fetch', '-q', '--unshallow') },
  { name: 'fetch --depth', run: (world) => void world.git('fetch', '-q', '--depth=1', 'origin') },
];

function touch(path: string): void {
  if (existsSync(path)) utimesSync(path, new Date(), new Date());
}

function format(world: World): string {
  return world.git('rev-parse', '--show-object-format') || 'sha1';
}
