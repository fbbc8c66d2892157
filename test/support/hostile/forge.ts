/** What an attacker makes: notes replaced one by one, and local state that is sealed in every way but the right one. */
import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import { cpSync, existsSync, lstatSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { overlayDirectory } from '../../../src/overlay/state-file.js';
import { createRepo, runGit, type TestRepo } from '../repositories/repo.js';

/** Replaces every note of a ref by what `forge` makes of it; `modeOf`: how its tree calls what it holds. */
export function forgeNotes(
  repo: TestRepo,
  forge: (oid: string, bytes: Buffer, index: number) => Uint8Array,
  { ref = repo.notesRef, modeOf = () => '100644' }: { ref?: string; modeOf?: (index: number) => string } = {},
): void {
  const notes = repo.notes(ref);
  const all = readBlobs(repo, [...notes.values()]);
  const lines = [...notes].map(([target, noteOid], index) =>
    noteLine(target, repo.blob(forge(target, all.get(noteOid) as Buffer, index)), modeOf(index)),
  );
  setNotes(repo, ref, lines);
}

export const noteLine = (target: string, oid: string, mode = '100644') =>
  `${mode} ${oid}\t${target.slice(0, 2)}/${target.slice(2, 4)}/${target.slice(4)}\n`;

/** Makes a notes ref of lines for `update-index --index-info`. */
export function setNotes(repo: TestRepo, ref: string, lines: readonly string[]): void {
  const env = { GIT_INDEX_FILE: join(repo.commonDir, 'forge-index') };
  runGit(['read-tree', '--empty'], { cwd: repo.dir, env });
  runGit(['update-index', '--index-info'], { cwd: repo.dir, env, input: lines.join('') });
  const tree = runGit(['write-tree', '--missing-ok'], { cwd: repo.dir, env }).toString().trim();
  repo.git('update-ref', ref, repo.git('commit-tree', '-m', 'forged', tree));
}

/** Contents of blobs, by one git process. */
export function readBlobs(repo: TestRepo, oids: readonly string[]): Map<string, Buffer> {
  const output = runGit(['cat-file', '--batch'], { cwd: repo.dir, input: `${oids.join('\n')}\n` });
  const blobs = new Map<string, Buffer>();
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(10, at);
    const [oid, , size] = output.toString('latin1', at, end).split(' ');
    blobs.set(oid, output.subarray(end + 1, end + 1 + Number(size)));
    at = end + Number(size) + 2;
  }
  return blobs;
}

/** A fresh clone that has nothing but `main` and the notes. */
export function cloneWithNotes(repo: TestRepo): TestRepo {
  const clone = createRepo();
  clone.git('fetch', '-q', repo.dir, 'main', '+refs/notes/*:refs/notes/*');
  clone.git('reset', '-q', '--hard', 'FETCH_HEAD');
  return clone;
}

/** How a forger seals: with a checksum as anybody can, or with a key, but another one. */
export type Sealing = (name: string) => Hash | Hmac;
export const CHECKSUM: Sealing = () => createHash('sha256');
export const withKey =
  (key: Uint8Array): Sealing =>
  (name) =>
    createHmac('sha256', key).update(`${name}\0`);

const SEAL_BYTES = 32;

/**
 * Puts the state folder `from` into `repo` as `folder`, everything in it sealed anew by `seal`: a perfect forgery but for
 * the key. Files of the work tree get the stamps that they have in `repo`.
 */
export function forgeState(repo: TestRepo, from: string, folder: string, seal: Sealing): void {
  const to = join(repo.state, folder);
  cpSync(from, to, { recursive: true });
  moveOverlay(to, repo.commonDir);
  const vectors = new Map<string, string>();
  const names = (readdirSync(to, { recursive: true }) as string[]).sort();
  // Graphs of vectors name the seal of their vectors, and come after them.
  for (const name of names) {
    const path = join(to, name);
    if (!/\.(bin|hnsw|json)$/.test(name)) continue;
    const bytes = readFileSync(path);
    if (name.endsWith('manifest.json'))
      writeFileSync(path, sealedManifest(bytes.toString(), `${folder}/${name}`, seal));
    else if (name.endsWith('state.json'))
      writeFileSync(path, sealedOverlay(repo, bytes.toString(), `${folder}/${name}`, seal));
    else if (/^vectors-.*bin$/.test(name)) {
      const sealed = sealedEnd(bytes, 'vectors', seal);
      vectors.set(bytes.toString('hex', bytes.length - SEAL_BYTES), sealed.toString('hex', sealed.length - SEAL_BYTES));
      writeFileSync(path, sealed);
    } else if (/^(view-|graphs\/).*bin$/.test(name)) {
      writeFileSync(path, sealedEnd(bytes, `${folder}/${name.slice(0, -'.bin'.length)}`, seal));
    }
  }
  for (const name of names.filter((each) => each.endsWith('.hnsw'))) {
    let text = readFileSync(join(to, name)).toString('latin1');
    for (const [old, next] of vectors) text = text.replace(old, next);
    writeFileSync(join(to, name), sealedEnd(Buffer.from(text, 'latin1'), 'hnsw', seal));
  }
}

/** The same bytes with another seal at their end. */
export function sealedEnd(bytes: Buffer, name: string, seal: Sealing): Buffer {
  const content = bytes.subarray(0, -SEAL_BYTES);
  return Buffer.concat([content, seal(name).update(content).digest()]);
}

function sealedManifest(text: string, name: string, seal: Sealing): string {
  const rest = text.slice(0, text.lastIndexOf(',\n "seal"'));
  return `${rest},\n "seal": "${seal(name).update(rest).digest('hex')}"\n}\n`;
}

function sealedOverlay(repo: TestRepo, text: string, name: string, seal: Sealing): string {
  const state = JSON.parse(text.split('\n')[0]) as { files: [string, Record<string, unknown>][] };
  for (const [path, known] of state.files) {
    const file = join(repo.dir, path);
    if (!existsSync(file)) continue;
    const { size, mtimeNs, ctimeNs, ino } = lstatSync(file, { bigint: true });
    Object.assign(known, { size: Number(size), mtime: `${mtimeNs}`, ctime: `${ctimeNs}`, inode: `${ino}` });
  }
  const json = JSON.stringify(state);
  return `${json}\n${seal(name).update(json).digest('hex')}\n`;
}

/** Under the name that this work tree's overlay has. */
function moveOverlay(folder: string, gitDir: string): void {
  for (const name of readdirSync(folder).filter((each) => each.startsWith('overlay-'))) {
    renameSync(join(folder, name), overlayDirectory(folder, gitDir));
  }
}
