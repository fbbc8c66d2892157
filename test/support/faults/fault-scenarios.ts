/** Commands that write, each in a repository where it has something to do. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { cliJson } from '../processes/cli.js';
import { type Files, makeDirectory, runGit, TestRepo } from '../repositories/repo.js';
import { manyFiles, PROJECT } from '../repositories/samples.js';
import type { Question } from './aftermath.js';
import { index } from './aftermath.js';

export interface Scenario {
  name: string;
  args: readonly string[];
  /** A repository alone in its folder, or beside its remote `remote.git`. */
  make: () => Promise<TestRepo>;
  /** Its failures are in the log, where there is one: the exit code says nothing. */
  isBackground?: boolean;
  /** What was answered in full before the command, and is after it whatever becomes of that. */
  old: readonly Question[];
  /** What is answered once it is done. */
  questions: readonly Question[];
}

/** Enough for a pack: git unpacks the objects of smaller imports. */
const FILES = 60;
/** With one more, all of them are merged. */
const SHARDS = 7;

const OLD: Question[] = [
  { query: 'rememberToken', ref: 'before' },
  { query: 'step1Of3 part', ref: 'before' },
];
const NEW: Question[] = [{ query: 'rememberToken' }, { query: 'LateComer step1Of3' }];

function newRepo(folder = makeDirectory('scenario')): TestRepo {
  const dir = join(folder, 'work');
  mkdirSync(dir);
  runGit(['init', '-q', '-b', 'main'], { cwd: dir });
  return new TestRepo(dir);
}

const late = (i: number): Files => ({ [`src/late${i}.ts`]: `export class LateComer${i} {\n  arrive(): void {}\n}\n` });

/** A commit that is indexed, called `before`, and one that is not. */
async function grown(shards = 1): Promise<TestRepo> {
  const repo = newRepo();
  const files = manyFiles(8);
  repo.commit({ ...PROJECT, ...files });
  await index(repo);
  for (let i = 1; i < shards; i++) {
    repo.commit(manyFiles(8, `part${i}`));
    await index(repo);
  }
  repo.git('tag', 'before');
  repo.commit(late(0));
  return repo;
}

/** A clone beside its remote: both have records that the other lacks. */
async function shared(): Promise<TestRepo> {
  const folder = makeDirectory('scenario');
  runGit(['init', '-q', '--bare', '-b', 'main', 'remote.git'], { cwd: folder });
  const repo = newRepo(folder);
  repo.git('remote', 'add', 'origin', '../remote.git');
  repo.commit({ ...PROJECT, ...manyFiles(8) });
  repo.git('push', '-q', 'origin', 'main');
  const other = new TestRepo(join(makeDirectory('other'), 'work'));
  runGit(['clone', '-q', join(folder, 'remote.git'), other.dir], { cwd: folder });
  other.commit(manyFiles(8, 'theirs'));
  other.git('push', '-q', 'origin', 'main');
  await cliJson(['index'], { cwd: other.dir });
  await cliJson(['push'], { cwd: other.dir });
  await index(repo);
  repo.commit(manyFiles(4, 'ours'));
  await index(repo);
  repo.git('tag', 'before');
  repo.git('push', '-q', 'origin', 'HEAD:ours');
  return repo;
}

export const SCENARIOS: readonly Scenario[] = [
  {
    ...{ name: 'first index', args: ['index'], old: [], questions: NEW },
    make: async () => {
      const repo = newRepo();
      repo.commit({ ...PROJECT, ...manyFiles(FILES) });
      return repo;
    },
  },
  { name: 'next index', args: ['index'], old: OLD, questions: NEW, make: () => grown() },
  { name: 'index that merges', args: ['index'], old: OLD, questions: NEW, make: () => grown(SHARDS) },
  {
    ...{ name: 'search', args: ['search', 'LateComer Draft'], old: OLD, questions: [...NEW, { query: 'Draft' }] },
    make: async () => {
      const repo = await grown();
      return repo.write({ 'src/draft.ts': 'export class Draft {}\n', 'src/session.ts': 'export class Changed {}\n' });
    },
  },
  { name: 'graph', args: ['graph', 'stats'], old: OLD, questions: NEW, make: () => grown() },
  { name: 'pull', args: ['pull'], old: OLD, questions: NEW, make: shared },
  { name: 'push', args: ['push'], old: OLD, questions: NEW, make: shared },
  {
    ...{ name: 'compact', args: ['compact'], old: OLD, questions: OLD },
    make: async () => {
      const repo = await grown(3);
      repo.git('reset', '-q', '--hard', 'before');
      return repo;
    },
  },
  { name: 'export', args: ['export', '--ref', 'before'], old: OLD, questions: OLD, make: () => grown() },
  {
    ...{ name: 'import', args: ['import'], old: [], questions: OLD },
    make: async () => {
      const repo = await grown();
      await cliJson(['export', '--ref', 'before'], { cwd: repo.dir });
      await cliJson(['remove'], { cwd: repo.dir });
      return repo;
    },
  },
  {
    ...{ name: 'hook worker', args: ['hooks', 'run', '--event', 'post-commit'], old: OLD, questions: NEW },
    isBackground: true,
    make: () => grown(),
  },
];

/** A repository whose HEAD and `before` are indexed. */
export async function ready(): Promise<TestRepo> {
  const repo = await grown();
  await index(repo);
  return repo;
}

/** Commands that write at most what they can do without. */
export const READERS: readonly (readonly string[])[] = [
  ['search', 'LateComer step1Of3'],
  ['search', 'rememberToken', '--ref', 'before'],
  ['similar', 'src/session.ts:5'],
  ['graph', 'stats'],
  ['graph', 'symbol', 'SessionStore'],
  ['history', 'rememberToken'],
  ['diff', 'before', 'HEAD'],
  ['pack', 'forget a token in the SessionStore'],
  ['context', 'list'],
  ['status'],
  ['profiles'],
  ['config'],
  ['hooks', 'status'],
  ['fsck'],
];

/** Commands that are of no use without writing. */
export const WRITERS: readonly (readonly string[])[] = [['watch'], ['hooks', 'install'], ['export'], ['remove']];
