/** What is done with commits where files are checked out: finished, stopped in the middle, given up (data). */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runGit } from '../../repositories/repo.js';
import type { Operation } from './operations.js';
import { SESSION, type World } from './world.js';

const edit = (world: World) => world.write({ [SESSION]: world.novelty() });

/** Two commits that nothing else has, on a branch of their own; returns what it is called. */
function branchOff(world: World, from = 'HEAD'): string {
  const name = `topic-${world.git('rev-list', '--all', '--count')}`;
  world.git('checkout', '-q', '-B', name, from);
  world.commit({ 'topic/first.ts': world.novelty() });
  world.commit({ 'topic/second.ts': world.novelty() });
  return name;
}

export const ON_HISTORY: readonly Operation[] = [
  {
    name: 'stash',
    run(world) {
      world.settle();
      edit(world);
      world.write({ 'new.ts': world.novelty() });
      world.git('stash', '-qu');
    },
  },
  {
    name: 'stash pop',
    run(world) {
      edit(world);
      world.write({ 'new.ts': world.novelty() });
      world.git('stash', '-qu');
      world.git('stash', 'pop', '-q');
    },
  },
  { name: 'reset --soft', run: (world) => void world.git('reset', '-q', '--soft', 'HEAD~1') },
  { name: 'reset --mixed', run: (world) => void world.git('reset', '-q', '--mixed', 'v1') },
  { name: 'reset --hard', run: (world) => void world.git('reset', '-q', '--hard', 'side') },
  {
    name: 'fetch + reset',
    run(world) {
      world.settle();
      const other = join(world.root, 'other');
      if (!existsSync(other))
        runGit(['clone', '-q', '--no-tags', world.gitDir, other], { cwd: world.root, allowFailure: true });
      mkdirSync(other, { recursive: true });
      writeFileSync(join(other, 'fetched.ts'), world.novelty());
      world.gitIn(other, ['add', '.']);
      world.gitIn(other, ['commit', '-qm', 'fetched']);
      world.git('fetch', '-q', other, 'HEAD');
      world.git('reset', '-q', '--hard', 'FETCH_HEAD');
    },
  },
  { name: 'read-tree -u', run: (world) => void world.git('read-tree', '--reset', '-u', 'side') },
  {
    name: 'rebase --onto',
    run(world) {
      world.settle();
      branchOff(world);
      world.git('rebase', '-q', '--onto', 'v1', 'HEAD~1');
    },
  },
  {
    name: 'a rebase that stopped',
    run(world) {
      world.settle();
      world.git('checkout', '-q', '-B', 'stops', 'main');
      world.commit({ [SESSION]: world.novelty() });
      world.commit({ 'after.ts': world.novelty() });
      world.git('rebase', '-q', 'side');
    },
  },
  { name: 'rebase --abort', run: (world) => void world.git('rebase', '--abort') },
  {
    name: 'a rebase that stopped for an edit',
    run(world) {
      world.settle();
      branchOff(world);
      world.git('-c', "sequence.editor=sed -i '1s/^pick/edit/'", 'rebase', '-q', '-i', 'HEAD~2');
    },
  },
  {
    name: 'a cherry-pick of several, in conflict',
    run(world) {
      world.settle();
      world.git('cherry-pick', 'main..side');
    },
  },
  {
    name: 'a merge in conflict',
    run(world) {
      world.settle();
      world.git('merge', '-q', '--no-edit', 'side');
    },
  },
  {
    name: 'a conflict resolved, not committed',
    run(world) {
      world.write({ [SESSION]: world.novelty() });
      world.git('add', SESSION);
    },
  },
  {
    name: 'bisect',
    run(world) {
      world.settle();
      branchOff(world, 'main');
      world.git('bisect', 'start', '-q', 'HEAD', 'v1');
    },
  },
  {
    name: 'am that stopped',
    run(world) {
      world.settle();
      const patch = world.git('format-patch', '--stdout', 'v1..side');
      world.gitIn(world.dir, ['am', '-q'], `${patch}\n`);
    },
  },
  {
    name: 'checkout -- path',
    run(world) {
      edit(world);
      world.git('checkout', '-q', '--', SESSION);
    },
  },
  { name: 'checkout REF -- path', run: (world) => void world.git('checkout', '-q', 'side', '--', SESSION) },
  {
    name: 'restore --staged',
    run(world) {
      edit(world);
      world.git('add', '-A');
      world.git('restore', '--staged', SESSION);
    },
  },
  { name: 'rm --cached', run: (world) => void world.git('rm', '-q', '--cached', 'lib/depot.py') },
  {
    name: 'commit --amend',
    run(world) {
      edit(world);
      world.git('commit', '-qa', '--amend', '-m', 'amended');
    },
  },
  {
    name: 'commit --amend of the message',
    run: (world) => void world.git('commit', '-q', '--amend', '-m', 'reworded'),
  },
  { name: 'revert', run: (world) => void world.git('revert', '--no-edit', 'HEAD') },
  {
    name: 'a merge of three',
    run(world) {
      world.settle();
      const first = branchOff(world, 'v1');
      world.git('checkout', '-q', '-B', 'octopus', 'main');
      world.git('merge', '-q', '-m', 'octopus', first, 'v1');
    },
  },
  {
    name: 'sparse-checkout',
    run(world) {
      world.settle();
      world.git('sparse-checkout', 'set', '--no-cone', '/src/');
    },
  },
  { name: 'sparse-checkout disable', run: (world) => void world.git('sparse-checkout', 'disable') },
];
