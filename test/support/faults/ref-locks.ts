/** Locks on refs of ours that a killed git left, wherever one can be met. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isSocraticodeError } from '../../../src/base/errors.js';
import { writeNotes } from '../../../src/git/notes.js';
import { uniteNotes } from '../../../src/git/notes-union.js';
import { openRepository } from '../../../src/git/repository.js';
import { compactRef } from '../../../src/share/compact.js';
import { pullNotes, trackingRef } from '../../../src/share/pull.js';
import { cloneRepo, type TestRepo } from '../repositories/repo.js';
import { blobOf, NOTES_REF, note, noted, remoteWith, SELECTOR, sharedOf, texts } from '../repositories/share.js';

const write = async (repo: TestRepo) => {
  const entry = { target: repo.blob('another'), note: Buffer.from('n') };
  await writeNotes(await openRepository(repo.dir), NOTES_REF, [entry]);
};

const WORK: Readonly<Record<string, { ref?: string; run: (repo: TestRepo) => Promise<unknown> }>> = {
  writing: { run: write },
  uniting: {
    run: async (repo) => {
      const repository = await openRepository(repo.dir);
      const theirs = await writeNotes(repository, `${NOTES_REF}9`, [
        { target: repo.blob('x'), note: Buffer.from('n') },
      ]);
      assert.equal(await uniteNotes(repository, NOTES_REF, theirs), 1);
    },
  },
  compacting: {
    run: async (repo) => {
      const commit = repo.git('rev-parse', NOTES_REF);
      const options = { reachable: null, dryRun: false };
      await compactRef(await openRepository(repo.dir), { ref: NOTES_REF, commit }, options);
    },
  },
  pulling: {
    ref: trackingRef('origin', NOTES_REF),
    run: async (repo) => pullNotes(await sharedOf(repo), 'origin', [SELECTOR]),
  },
};

/** Two notes commits, and a remote with more. */
async function withNotes(): Promise<TestRepo> {
  const { remote, clone } = remoteWith(texts(3));
  const blobs = [0, 1, 2].map((i) => blobOf(clone, `f${i}.txt`));
  await note(clone, blobs.slice(0, 1));
  await note(clone, blobs.slice(1));
  clone.git('push', '-q', 'origin', NOTES_REF);
  const other = cloneRepo(remote);
  await note(other, blobs.slice(0, 1));
  await note(other, blobs.slice(1, 2));
  return other;
}

const SHAPES: Readonly<Record<string, (path: string) => void>> = {
  file: (path) => writeFileSync(path, ''),
  old: (path) => {
    writeFileSync(path, '');
    utimesSync(path, 1, 1);
  },
  link: (path) => symlinkSync('nowhere', path),
  directory: (path) => mkdirSync(path),
};

/** Every work meets every shape of a stale lock. Returns the slowest work in milliseconds. */
export async function recoverRefLocks(shapes = Object.keys(SHAPES)): Promise<{ locks: number; worstMs: number }> {
  const cases = Object.entries(WORK).flatMap(([name, work]) => shapes.map((shape) => ({ name, shape, ...work })));
  const times: number[] = [];
  for (const { name, shape, ref = NOTES_REF, run } of cases) {
    // A link below a tracking prefix is refused by name.
    if (name === 'pulling' && shape === 'link') continue;
    const repo = await withNotes();
    const lock = join(repo.commonDir, `${ref}.lock`);
    mkdirSync(dirname(lock), { recursive: true });
    SHAPES[shape](lock);
    const from = performance.now();
    await run(repo);
    times.push(performance.now() - from);
    const left = readdirSync(dirname(lock)).filter((file) => file.endsWith('.lock'));
    assert.deepEqual(left, [], `${name}, ${shape}`);
    assert.ok(noted(repo).length >= 2, `${name}, ${shape}`);
    assert.equal(repo.fsck(), '');
  }
  return { locks: times.length, worstMs: Math.max(...times) };
}

/** A git that lives and holds the lock keeps it, and who waits is told where it is. */
export async function keepLiveRefLock(): Promise<void> {
  const repo = await withNotes();
  const lock = join(repo.commonDir, `${NOTES_REF}.lock`);
  const git = spawn('git', ['update-ref', '--stdin'], { cwd: repo.dir, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(git, 'exit');
  git.stdin.write(`start\nupdate ${NOTES_REF} ${repo.git('rev-parse', `${NOTES_REF}~1`)}\nprepare\n`);
  for (let i = 0; i < 200 && !existsSync(lock); i++) await sleep(10);
  await assert.rejects(
    write(repo),
    (error) => isSocraticodeError(error, 'LOCKED') && error.message.includes(lock) && error.hint.includes(lock),
  );
  assert.equal(existsSync(lock), true);
  git.stdin.end('abort\n');
  await ended;
  await write(repo);
}
