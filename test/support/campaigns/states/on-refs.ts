/** What is done to refs and objects behind the back of everything that is checked out (data). */
import { runGit } from '../../repositories/repo.js';
import type { Operation } from './operations.js';
import { SESSION } from './world.js';

export const ON_REFS: readonly Operation[] = [
  { name: 'update-ref', run: (world) => void world.git('update-ref', 'refs/heads/main', 'side') },
  { name: 'symbolic-ref HEAD', run: (world) => void world.git('symbolic-ref', 'HEAD', 'refs/heads/side') },
  {
    name: 'symbolic-ref HEAD to nothing',
    run: (world) => void world.git('symbolic-ref', 'HEAD', 'refs/heads/nothing'),
  },
  { name: 'and back', run: (world) => void world.git('symbolic-ref', 'HEAD', 'refs/heads/main') },
  {
    name: 'commit-tree + update-ref',
    run(world) {
      const blob = world.gitIn(world.dir, ['hash-object', '-w', '--stdin'], world.novelty());
      const tree = world.gitIn(world.dir, ['mktree'], `100644 blob ${blob}\tmade.ts\n`);
      const commit = world.gitIn(world.dir, ['commit-tree', '-m', 'made', '-p', 'HEAD', tree]);
      world.git('update-ref', 'HEAD', commit);
    },
  },
  { name: 'branch -f', run: (world) => void world.git('branch', '-f', 'side', 'v1') },
  { name: 'branch -m', run: (world) => void world.git('branch', '-m', 'renamed') },
  { name: 'and named back', run: (world) => void world.git('branch', '-m', 'renamed', 'main') },
  { name: 'tag -f', run: (world) => void world.git('tag', '-f', 'v1', 'side') },
  {
    name: 'fast-export | fast-import',
    run(world) {
      const history = runGit(['fast-export', '--all', '--reencode=no'], {
        cwd: world.dir,
        env: world.env,
        allowFailure: true,
      });
      const text = history.toString('latin1').replaceAll('parcel', 'packet');
      const args = ['fast-import', '--quiet', '--force'];
      runGit(args, { cwd: world.dir, env: world.env, input: Buffer.from(text, 'latin1'), allowFailure: true });
    },
  },
  {
    name: 'git replace',
    run(world) {
      const oid = world.git('rev-parse', `HEAD:${SESSION}`);
      const other = world.gitIn(world.dir, ['hash-object', '-w', '--stdin'], world.novelty());
      world.git('replace', '-f', oid, other);
    },
  },
  { name: 'git replace --graft', run: (world) => void world.git('replace', '-f', '--graft', 'HEAD', 'v1') },
  { name: 'notes of their own', run: (world) => void world.git('notes', 'add', '-f', '-m', 'windmill', 'HEAD') },
  { name: 'pack-refs --all', run: (world) => void world.git('pack-refs', '--all') },
  { name: 'reflog expire', run: (world) => void world.git('reflog', 'expire', '--expire=now', '--all') },
  { name: 'gc --prune=now', run: (world) => void world.git('gc', '-q', '--prune=now') },
  { name: 'repack -ad', run: (world) => void world.git('repack', '-qad') },
];
