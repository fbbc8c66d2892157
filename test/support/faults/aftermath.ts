/** What is left of a repository after a command was killed or failed in it. */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, utimesSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SocraticodeError } from '../../../src/base/errors.js';
import { fsck } from '../../../src/questions/fsck/answer.js';
import type { FsckFinding } from '../../../src/questions/fsck/question.js';
import type { SearchResponse } from '../../../src/questions/search/question.js';
import { indexRef } from '../../../src/session/indexing/index-operation.js';
import type { BackgroundIndexer } from '../../../src/session/session.js';
import { inProcess } from '../in-process/search.js';
import type { CliResult } from '../processes/cli.js';
import { makeDirectory, TestRepo } from '../repositories/repo.js';

/** What no finished run leaves behind, in a git directory or below a folder of records in the work tree. */
const DEBRIS = /(^|\/)(\.tmp-|tmp_(pack|idx|obj|rev)|fast_import_crash)|(\.lock|\.claim|\.keep|\.bad)$/;

/** Paths of leftovers. */
export function debris(repo: TestRepo): string[] {
  return [repo.commonDir, join(repo.dir, '.socraticode')]
    .filter(existsSync)
    .flatMap((root) =>
      (readdirSync(root, { recursive: true }) as string[])
        .filter((name) => DEBRIS.test(name))
        .map((name) => join(root, name)),
    );
}

/** Makes leftovers look as old as they have to be before anyone may remove them. */
export function age(repo: TestRepo): void {
  const past = new Date(Date.now() - 2 * 60 * 60 * 1000);
  for (const path of debris(repo)) utimesSync(path, past, past);
}

/** Processes that work in a repository, by their current directory; nothing is known of them but on Linux. */
export function processesIn(repo: TestRepo): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').flatMap((pid) => {
    try {
      const place = /^\d+$/.test(pid) ? readlinkSync(`/proc/${pid}/cwd`) : '';
      if (place !== repo.dir && !place.startsWith(`${repo.dir}/`)) return [];
      return [`${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ').trim()}`].filter(isAlive);
    } catch {
      return [];
    }
  });
}

/** Of one that has ended and was not waited for, no command is left. */
const isAlive = (process: string) => /^\d+ ./.test(process);

/** Who is left when those have ended that notice that they are not needed any more. */
export async function orphansIn(repo: TestRepo): Promise<string[]> {
  for (let i = 0; i < 100 && processesIn(repo).length > 0; i++) await sleep(50);
  return processesIn(repo);
}

/** A copy of the folder that a repository lies in, with what lies beside it: remotes are named by relative paths. */
export function copyOf(repo: TestRepo): TestRepo {
  const folder = makeDirectory('copy');
  cpSync(dirname(repo.dir), folder, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  return new TestRepo(join(folder, basename(repo.dir)));
}

/** All that a run makes, so that two of them can be compared. */
export interface Picture {
  /** Tree by notes ref. */
  notes: Record<string, string>;
  /** Shards that the manifest names, in its order; their names are made of their content. */
  shards: string[];
  /** SHA-256 of each vector file. */
  vectors: Record<string, string>;
  answers: Answer[];
}

export interface Answer {
  results: string[];
  coverage: SearchResponse['coverage'];
}

export interface Question {
  query: string;
  ref?: string;
}

export async function pictureOf(repo: TestRepo, questions: readonly Question[]): Promise<Picture> {
  const notes = Object.keys(repo.notesRefs()).map((ref) => [ref, repo.git('rev-parse', `${ref}^{tree}`)]);
  const answers = await ask(repo, questions);
  return inProcess(repo, async ({ session }) => {
    const { directory } = session.shards;
    const shards = session.shards.readManifest().shards.map(({ file }) => file);
    const vectors = safeList(directory)
      .filter((name) => name.startsWith('vectors-') && shards.some((shard) => name.includes(shard.slice(8, 24))))
      .sort();
    return {
      notes: Object.fromEntries(notes),
      shards,
      vectors: Object.fromEntries(vectors.map((name) => [name, sha256(readFileSync(join(directory, name)))])),
      answers,
    };
  });
}

function safeList(directory: string): string[] {
  return lstatSync(directory, { throwIfNoEntry: false }) === undefined ? [] : readdirSync(directory);
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Answers as a search gives them that may index what it lacks. */
export function ask(repo: TestRepo, questions: readonly Question[]): Promise<Answer[]> {
  return inProcess(repo, async ({ searcher }) => {
    const answers: Answer[] = [];
    for (const { query, ref } of questions) answers.push(answerOf(await searcher.search({ query, ref, limit: 5 })));
    return answers;
  });
}

export function answerOf({ results, coverage }: Pick<SearchResponse, 'results' | 'coverage'>): Answer {
  const lines = results.map(({ path, startLine, endLine, symbol, score }) =>
    JSON.stringify([path, startLine, endLine, symbol, score]),
  );
  return { results: lines, coverage };
}

const NOBODY_INDEXES: BackgroundIndexer = {
  start: () => {},
  index: async () => new SocraticodeError('NOT_READY', 'nobody indexes here'),
  link: () => Promise.reject(new SocraticodeError('NOT_READY', 'nobody links here')),
};

/** What a reader finds that waits for nobody: null for a question that nothing is known about. */
export function askReader(repo: TestRepo, questions: readonly Question[]): Promise<(Answer | null)[]> {
  return inProcess(repo, async ({ session, searcher }) => {
    session.backgroundIndexer = NOBODY_INDEXES;
    const answers: (Answer | null)[] = [];
    for (const { query, ref } of questions) {
      const asked = searcher.search({ query, ref, limit: 5 });
      answers.push(await asked.then(answerOf, nullIfNotReady));
    }
    return answers;
  });
}

function nullIfNotReady(error: unknown): null {
  if (error instanceof SocraticodeError && error.code === 'NOT_READY') return null;
  throw error;
}

/** `index`, within this process. */
export async function index(repo: TestRepo): Promise<void> {
  await inProcess(repo, ({ session }) => indexRef(session));
}

/** What `fsck` finds wrong; what it only mentions is no fault. */
export function faults(repo: TestRepo): Promise<FsckFinding[]> {
  return inProcess(repo, async ({ session }) => {
    const { ok, findings } = await fsck(session);
    return ok ? [] : findings.filter(({ isFault }) => isFault);
  });
}

/** What a run said on stderr, but for locks on refs that a git left that was killed, or could not remove anything. */
export function withoutLocks({ stderr }: CliResult): string {
  return stderr.replaceAll(/^git-socraticode: removed \S+\.lock, which a process that is no more has left\n/gm, '');
}

/** Work goes on: a commit, then an edit, each indexed. Whatever is old is removed with them. */
export async function moveOn(repo: TestRepo): Promise<void> {
  repo.commit({ 'src/after.ts': 'export const after = 1;\n' });
  await index(repo);
  repo.write({ 'src/edited.ts': 'export const edited = 1;\n' });
  await ask(repo, [{ query: 'edited' }]);
}
