/** What becomes of files and of the index (data). */
import { existsSync, lstatSync, mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runGit } from '../../repositories/repo.js';
import type { Operation } from './operations.js';
import { SESSION, type World } from './world.js';

const edit = (world: World) => world.write({ [SESSION]: world.novelty() });

export const ON_FILES: readonly Operation[] = [
  {
    name: 'submodule update',
    run(world) {
      const inner = join(world.dir, 'deps/inner');
      if (!existsSync(inner)) return;
      world.gitIn(inner, ['checkout', '-q', 'HEAD~1']);
      world.git('add', '-A');
      world.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'update', '--init', '--force');
    },
  },
  {
    name: 'LFS pointer replaced',
    run(world) {
      const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 123\n`;
      world.commit({ 'film.ts': pointer });
      world.write({ 'film.ts': world.novelty() });
    },
  },
  {
    name: 'line ends by .gitattributes',
    run(world) {
      world.write({ '.gitattributes': '*.ts text eol=crlf\n*.py -text linguist-generated\n' });
      world.git('add', '--renormalize', '.');
      world.commit({ 'crlf.ts': world.novelty().replaceAll('\n', '\r\n') });
    },
  },
  {
    name: 'intent-to-add',
    run(world) {
      world.write({ 'intended.ts': world.novelty() });
      world.git('add', '-N', 'intended.ts');
    },
  },
  {
    name: 'assume-unchanged',
    run(world) {
      world.settle();
      world.git('update-index', '--assume-unchanged', SESSION);
      edit(world);
    },
  },
  { name: 'no-assume-unchanged', run: (world) => void world.git('update-index', '--no-assume-unchanged', SESSION) },
  {
    name: 'skip-worktree',
    run(world) {
      world.git('update-index', '--skip-worktree', 'lib/depot.py');
      world.write({ 'lib/depot.py': 'def local_depot():\n    pass\n' });
    },
  },
  { name: 'no-skip-worktree', run: (world) => void world.git('update-index', '--no-skip-worktree', 'lib/depot.py') },
  { name: 'a file replaced by a directory', run: (world) => world.write({ 'README.md/inner.ts': world.novelty() }) },
  { name: 'and committed', run: (world) => world.commit({}) },
  {
    name: 'a directory replaced by a file',
    run: (world) => world.write({ 'README.md': '# A file again\n', src: world.novelty() }),
  },
  {
    name: 'a file replaced by a link',
    run(world) {
      world.settle();
      const path = join(world.dir, 'lib/depot.py');
      rmSync(path, { force: true, recursive: true });
      mkdirSync(dirname(path), { recursive: true });
      symlinkSync('../README.md', path);
    },
  },
  {
    name: 'a link replaced by a file',
    run(world) {
      world.commit({});
      world.write({ 'lib/depot.py': 'def depot_again():\n    return 2\n' });
    },
  },
  {
    name: 'a rename in case only',
    run(world) {
      world.settle();
      if (lstatSync(join(world.dir, SESSION), { throwIfNoEntry: false }) === undefined) return;
      renameSync(join(world.dir, SESSION), join(world.dir, 'src/Session.ts'));
    },
  },
  {
    name: 'git mv of a directory',
    run(world) {
      world.settle();
      world.git('mv', 'src', 'source');
    },
  },
  {
    name: 'an index of its own',
    run(world) {
      const index = join(world.gitDir, 'index.other');
      const env = { ...world.env, GIT_INDEX_FILE: index };
      runGit(['read-tree', 'side'], { cwd: world.dir, env, allowFailure: true });
      runGit(['commit', '-qm', 'by another index'], { cwd: world.dir, env, allowFailure: true });
      rmSync(index, { force: true });
    },
  },
  { name: 'no index', run: (world) => rmSync(join(world.gitDir, 'index'), { force: true }) },
  {
    name: 'a split index',
    run(world) {
      world.settle();
      world.git('update-index', '--split-index', '--untracked-cache');
      edit(world);
      world.git('add', '-A');
    },
  },
  {
    name: 'an index that is locked',
    run(world) {
      edit(world);
      writeFileSync(join(world.gitDir, 'index.lock'), '');
    },
  },
  { name: 'and unlocked', run: (world) => rmSync(join(world.gitDir, 'index.lock'), { force: true }) },
  { name: 'clean', run: (world) => void world.git('clean', '-qfdx') },
  {
    name: 'a file touched',
    run(world) {
      const path = join(world.dir, 'README.md');
      if (existsSync(path)) writeFileSync(path, '# Written in place\n');
    },
  },
  { name: 'an orphan branch', run: (world) => void world.git('checkout', '-q', '--orphan', 'orphan') },
  {
    name: 'everything deleted',
    run(world) {
      world.settle();
      for (const path of world.git('ls-files', '-z').split('\0').filter(Boolean)) {
        if (lstatSync(join(world.dir, path), { throwIfNoEntry: false })?.isDirectory() === false)
          unlinkSync(join(world.dir, path));
      }
    },
  },
  {
    name: 'worktree add, move, remove',
    run(world) {
      world.settle();
      const place = (name: string) => join(world.root, 'live', name);
      world.git('worktree', 'add', '-q', '--detach', place('added'));
      world.git('worktree', 'move', place('added'), place('moved'));
      world.git('worktree', 'remove', '--force', place('moved'));
    },
  },
];
