/** A repository with two work trees in which everything happens at once, and what can be said of answers given meanwhile. */
import { execFile } from 'node:child_process';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { SearchResponse } from '../../../src/questions/search/question.js';
import { pick, type Random } from '../generated/random.js';
import { cli } from '../processes/cli.js';
import { cloneRepo, createRepo, makeDirectory, runGit, TestRepo } from '../repositories/repo.js';
import { manyFiles, PROJECT } from '../repositories/samples.js';

export const BRANCHES = ['main', 'side', 'topic'] as const;

/** One work tree, and the commits that its HEAD has been at. */
export interface Tree {
  repo: TestRepo;
  heads: string[];
}

export interface World {
  main: Tree;
  linked: Tree;
  /** Moves the remote on. */
  other: TestRepo;
  remote: TestRepo;
}

export async function makeWorld(files: number): Promise<World> {
  const remote = createRepo({ bare: true });
  const repo = createRepo();
  repo.commit({ ...PROJECT, ...manyFiles(files) });
  repo.git('remote', 'add', 'origin', `file://${remote.dir}`);
  for (const branch of BRANCHES.slice(1)) repo.git('branch', branch);
  repo.git('push', '-q', 'origin', 'main');
  const linked = new TestRepo(join(makeDirectory('linked'), 'tree'));
  repo.git('worktree', 'add', '-q', linked.dir, 'side');
  const head = repo.git('rev-parse', 'HEAD');
  return { main: { repo, heads: [head] }, linked: { repo: linked, heads: [head] }, other: cloneRepo(remote), remote };
}

let commits = 0;
/** A file that nobody has seen, or a new version of one that everybody has. */
function change(random: Random): Record<string, string> {
  const i = commits++;
  const text = `export function mark${i}(input: number): number {\n  return input + ${i};\n}\n`;
  return random(3) === 0 ? { [`src/part${random(10)}.ts`]: text } : { [`src/mark${i}.ts`]: text };
}

/** Commits in one tree, which is on a branch of its own, and switches branches in the other; moves the remote. */
export class Mover {
  private isOver = false;
  moves = 0;

  constructor(
    private readonly world: World,
    private readonly random: Random,
    private readonly pauseMs: number,
  ) {}

  async run(): Promise<void> {
    for (; !this.isOver; await sleep(this.pauseMs)) {
      const { main, linked, other } = this.world;
      this.moves++;
      const step = this.random(4);
      if (step === 0) await this.switchTo(linked, pick(this.random, BRANCHES.slice(1)));
      else if (step === 3) await commitIn(other, change(this.random), ['push', '-q', 'origin', 'main']);
      else await this.commit(step === 1 ? main : linked);
    }
  }

  stop(): void {
    this.isOver = true;
  }

  private async commit({ repo, heads }: Tree): Promise<void> {
    await commitIn(repo, change(this.random));
    heads.push(await gitIn(repo, 'rev-parse', 'HEAD'));
  }

  private async switchTo({ repo, heads }: Tree, branch: string): Promise<void> {
    await gitIn(repo, 'switch', '-q', branch);
    heads.push(await gitIn(repo, 'rev-parse', 'HEAD'));
  }
}

/** Without blocking this process, whose clients measure how long answers take. */
async function gitIn({ dir }: TestRepo, ...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', args, { cwd: dir });
  return stdout.trim();
}

let turn: Promise<unknown> = Promise.resolve();

/** One after the other: `git gc --prune=now` deletes what `git add` has written and `git commit` is about to name. */
export function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const done = turn.then(work, work);
  turn = done;
  return done;
}

async function commitIn(repo: TestRepo, files: Record<string, string>, after?: string[]): Promise<void> {
  repo.write(files);
  await inTurn(async () => {
    await gitIn(repo, 'add', '--', ...Object.keys(files));
    await gitIn(repo, 'commit', '-q', '-m', `change ${Object.keys(files)}`);
  });
  if (after !== undefined) await gitIn(repo, ...after);
}

/**
 * Looks at the notes again and again. What was there and is not, though something still reaches its blob, was lost, even if somebody
 * derives it again later.
 */
export class NotesWatch {
  private isOver = false;
  private seen: ReadonlyMap<string, string> = new Map();
  private readonly gone = new Set<string>();
  looks = 0;

  constructor(private readonly repo: TestRepo) {}

  async run(): Promise<void> {
    for (; !this.isOver; await sleep(200)) {
      const now = this.repo.notes();
      for (const [target, record] of this.seen) if (now.get(target) !== record) this.gone.add(target);
      this.seen = now;
      this.looks++;
    }
  }

  stop(): string[] {
    this.isOver = true;
    const args = ['rev-list', '--objects', '--no-object-names', '--exclude=refs/notes/*', '--all', '--reflog'];
    const reached = new Set(this.repo.git(...args).split('\n'));
    return [...this.gone].filter((target) => reached.has(target));
  }
}

/** An edit that nobody commits, in place at once. */
export function edit(repo: TestRepo, i: number): void {
  const path = join(repo.dir, 'src', 'scratch.ts');
  writeFileSync(`${path}~`, `export function scratch${i}(): number {\n  return ${i};\n}\n`);
  renameSync(`${path}~`, path);
}

/** Everything that writes, by name: what a person, a hook or an agent starts. */
export const WRITERS: Readonly<
  Record<string, (world: World, i: number) => Promise<{ args: string[]; repo: TestRepo }>>
> = {
  'index of HEAD': async ({ main }) => ({ args: ['index'], repo: main.repo }),
  'index of a branch': async ({ linked }, i) => ({ args: ['index', '--ref', BRANCHES[i % 3]], repo: linked.repo }),
  'search that indexes': async ({ linked }) => ({ args: ['search', 'rememberToken'], repo: linked.repo }),
  'worker of the hooks': async ({ main }) => ({ args: ['hooks', 'run', '--event', 'post-commit'], repo: main.repo }),
  'search of edits': async ({ main }, i) => {
    edit(main.repo, i);
    return { args: ['search', 'scratch'], repo: main.repo };
  },
  'question to the graph': async ({ linked }) => ({ args: ['graph', 'stats'], repo: linked.repo }),
  'pull from a remote that moves': async ({ main, other }, i) => {
    // Each time there is something to bring.
    await mustRun(other, ['index']);
    await mustRun(other, ['push']);
    return { args: i % 4 === 3 ? ['compact'] : ['pull'], repo: main.repo };
  },
  'history of a symbol': async ({ linked }, i) => ({ args: ['history', `mark${i}`], repo: linked.repo }),
};

async function mustRun(repo: TestRepo, args: readonly string[]): Promise<void> {
  const { code, stderr } = await cli(args, { cwd: repo.dir });
  if (code !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
}

/** What a reader was told, and where HEAD had been before and after. */
export interface Told {
  response: SearchResponse;
  tree: Tree;
  before: number;
  after: number;
}

/** Why an answer fits no state that there was; null if it fits one. */
export function faultOf({ response, tree, before, after }: Told): string | null {
  const { commit, coverage, results, overlay } = response;
  // The next one may have been there already, when it was not yet noted down.
  const possible = tree.heads.slice(before - 1, after + 1);
  if (commit === null || !possible.includes(commit)) return `${commit} is none of ${possible}`;
  if (coverage.covered > coverage.total) return 'covers more than there is';
  if (coverage.covered === coverage.total && overlay === 0 && results[0]?.path !== 'src/session.ts')
    return 'nothing found';
  for (const { path, startLine, endLine, content, contentLine = startLine, uncommitted } of results) {
    if (uncommitted || content === undefined) continue;
    const lines = runGit(['show', `${commit}:${path}`], { cwd: tree.repo.dir })
      .toString()
      .split('\n');
    const text = lines.slice(contentLine - 1, contentLine - 1 + content.split('\n').length).join('\n');
    if (text !== content || endLine > lines.length) return `${path} of ${commit} has another text`;
  }
  return null;
}
