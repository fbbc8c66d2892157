/** Remotes and clones for tests of sharing; notes are made directly where no index is needed. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { writeNotes } from '../../../src/git/notes.js';
import { NOTES_PREFIX, openRepository, readGitConfig } from '../../../src/git/repository.js';
import type { NotesSelector, SharedRepository } from '../../../src/share/pull.js';
import { createRepo, type Files, makeDirectory, type RepoOptions, runGit, type TestRepo } from './repo.js';

export const SELECTOR: NotesSelector = { kind: 'syntax', profile: '0123456789ab' };
export const NOTES_REF = `${NOTES_PREFIX}/${SELECTOR.kind}/${SELECTOR.profile}`;

export async function sharedOf(repo: TestRepo): Promise<SharedRepository> {
  const repository = await openRepository(repo.dir);
  return { repository, config: await readGitConfig(repository.git) };
}

/** A bare remote with `files` on main that serves partial clones, too, and a full clone of it. */
export function remoteWith(
  files: Files,
  options: Pick<RepoOptions, 'objectFormat'> = {},
): { remote: TestRepo; clone: TestRepo } {
  const remote = createRepo({ ...options, bare: true });
  remote.git('config', 'uploadpack.allowFilter', 'true');
  // Not a clone: one of an empty repository does not learn its object format.
  const clone = createRepo(options);
  clone.git('remote', 'add', 'origin', `file://${remote.dir}`);
  clone.commit(files);
  clone.git('push', '-q', 'origin', 'main');
  return { remote, clone };
}

/** One text a file: `f0.txt`… */
export function texts(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}.txt`, `text ${i}\n`]));
}

export function blobOf(repo: TestRepo, path: string, ref = 'HEAD'): string {
  return repo.git('rev-parse', `${ref}:${path}`);
}

/** Notes `note <target> <mark>` for blobs. */
export async function note(repo: TestRepo, targets: readonly string[], mark = ''): Promise<void> {
  const { repository } = await sharedOf(repo);
  const entries = targets.map((target) => ({ target, note: Buffer.from(`note ${target} ${mark}`) }));
  await writeNotes(repository, NOTES_REF, entries);
}

/** Blobs that a notes ref speaks of, sorted. */
export function noted(repo: TestRepo, ref = NOTES_REF): string[] {
  const lines = runGit(['notes', `--ref=${ref}`, 'list'], { cwd: repo.dir })
    .toString()
    .split('\n');
  return lines
    .filter(Boolean)
    .map((line) => line.split(' ')[1])
    .sort();
}

/** Content of every object that a repository stores, reachable or not. */
export function everything(repo: TestRepo): string {
  return runGit(['cat-file', '--batch-all-objects', '--batch'], { cwd: repo.dir }).toString('latin1');
}

/**
 * Counts how often remotes called origin are asked, until the test is over: `upload-pack` is wrapped by the user's own configuration. Returns the number so
 * far.
 */
export function countRequests(t: TestContext): () => number {
  const directory = makeDirectory('requests');
  const [log, wrapper] = [join(directory, 'log'), join(directory, 'upload-pack')];
  writeFileSync(log, '');
  writeFileSync(wrapper, `#!/bin/sh\necho x >> '${log}'\nexec git upload-pack "$@"\n`, { mode: 0o755 });
  // In the global configuration: in the repository's own it would be a reason not to ask at all.
  runGit(['config', '--global', '--replace-all', 'remote.origin.uploadpack', wrapper], { cwd: directory });
  t.after(() =>
    runGit(['config', '--global', '--unset-all', 'remote.origin.uploadpack'], { cwd: directory, allowFailure: true }),
  );
  return () => readFileSync(log, 'utf8').length / 2;
}
