/** One indexed repository, made once and copied for every test; what fsck says of a copy; and its index as names and digests. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listNotes, type NoteEntry, writeNotes } from '../../../src/git/notes.js';
import { openRepository } from '../../../src/git/repository.js';
import { type FsckRequest, fsck } from '../../../src/questions/fsck/answer.js';
import type { FsckReport } from '../../../src/questions/fsck/question.js';
import { answerStats } from '../../../src/questions/graph/stats/answer.js';
import { indexRef } from '../../../src/session/indexing/index-operation.js';
import { askerOf } from '../../support/in-process/asker.js';
import { inProcess } from '../../support/in-process/search.js';
import { createRepo, makeDirectory, TestRepo } from '../../support/repositories/repo.js';
import { manyFiles, PROJECT } from '../../support/repositories/samples.js';

const made = new Map<number, Promise<TestRepo>>();

/** One or two shards, a view, a graph, and a work tree with an uncommitted file. */
async function makeStock(shards: number): Promise<TestRepo> {
  const repo = createRepo();
  repo.commit({ ...PROJECT, ...manyFiles(8), 'empty.ts': '' });
  if (shards === 2) await inProcess(repo, ({ session }) => indexRef(session));
  repo.commit({ 'src/second.ts': 'export class SecondShard {\n  draw(): number {\n    return 2;\n  }\n}\n' });
  repo.write({ 'src/draft.ts': 'export function uncommittedDraft(): void {}\n' });
  await inProcess(repo, async (process) => {
    await indexRef(process.session);
    await process.search('rememberToken');
    await process.search('rememberToken', { ref: 'HEAD' });
    await answerStats(askerOf(process.session), {});
  });
  return repo;
}

export function stock(shards = 2): Promise<TestRepo> {
  const known = made.get(shards) ?? makeStock(shards);
  made.set(shards, known);
  return known;
}

/** A copy in which anything may be damaged. */
export async function copyOfStock(shards = 2): Promise<TestRepo> {
  const directory = makeDirectory('copy');
  cpSync((await stock(shards)).dir, directory, { recursive: true, preserveTimestamps: true });
  return new TestRepo(directory);
}

export const check = (repo: TestRepo, request: FsckRequest = {}): Promise<FsckReport> =>
  inProcess(repo, ({ session }) => fsck(session, request));

/** Faults by kind, with how many there are. */
export function faultsOf({ findings, counts }: Pick<FsckReport, 'findings' | 'counts'>): Record<string, number> {
  const kinds = new Set(findings.filter(({ isFault }) => isFault).map(({ kind }) => kind));
  return Object.fromEntries([...kinds].sort().map((kind) => [kind, counts[kind]]));
}

/** The folder of shards. */
export function folderOf(repo: TestRepo): string {
  const [name] = readdirSync(repo.state).filter((each) => /^[0-9a-f]{12}-/.test(each));
  return join(repo.state, name);
}

export function filesOf(repo: TestRepo, pattern: RegExp): string[] {
  const all = readdirSync(folderOf(repo), { recursive: true }) as string[];
  return all
    .filter((name) => pattern.test(name))
    .sort()
    .map((name) => join(folderOf(repo), name));
}

/** Notes and shards with their vectors: what a clean build would leave, whatever the order of shards. */
export function indexOf(repo: TestRepo): unknown {
  const digest = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');
  const { shards, notes, unrecorded = [] } = JSON.parse(readFileSync(join(folderOf(repo), 'manifest.json'), 'utf8'));
  const names = (shards as { file: string }[]).map(({ file }) => file).sort();
  const isLive = (path: string) =>
    names.some((name) => name.slice('lexical-'.length) === path.slice(-'0123456789abcdef.bin'.length));
  const live = filesOf(repo, /^vectors-.*\.bin$/).filter(isLive);
  const vectors = live.map((path) => [path.slice(folderOf(repo).length), digest(path)]);
  const files = names.map((name) => [name, digest(join(folderOf(repo), name))]);
  const isKnown = notes === repo.git('rev-parse', repo.notesRef);
  return { tree: repo.notesTree(), files, vectors, isKnown, unrecorded };
}

/** After `--repair` nothing is wrong, and the index is the one that was never damaged. */
export async function assertRepaired(repo: TestRepo, request: FsckRequest = {}): Promise<FsckReport> {
  const report = await check(repo, { ...request, repair: true });
  assert.deepEqual([report.ok, faultsOf(report)], [true, {}]);
  assert.deepEqual(indexOf(repo), indexOf(await stock()));
  assert.equal(repo.fsck(), '');
  return report;
}

/** Damages notes in one commit, as a stranger could push it. */
export async function writeNote(repo: TestRepo, entries: readonly NoteEntry[]): Promise<void> {
  await writeNotes(await openRepository(repo.dir), repo.notesRef, entries);
}

export async function noteBytes(repo: TestRepo, blob: string): Promise<Buffer> {
  const { git } = await openRepository(repo.dir);
  const { notes } = await listNotes(git, repo.notesRef);
  return (await git.run(['cat-file', 'blob', notes.get(blob) as string])).stdout;
}
