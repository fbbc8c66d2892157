/**
 * History of a notes ref: its size, a commit without it (squash), and the profile described in its first commit. To drop notes and refs
 * safely: moves of several refs at once, and the objects that this repository still reaches.
 */
import { ABOUT, aboutLine, importLoose, NOTES_AUTHOR, type NotesListing, notePath } from './notes.js';
import { type Git, linesOf, NOTHING_THERE } from './process.js';
import type { Repository } from './repository.js';

/** Size of the largest commit that is read for a description. Ours have about 2 KiB. */
const MAX_ABOUT_BYTES = 16_384;

/** Description of the profile in a ref's history, or null. Untrusted text of up to 16 KiB. */
export async function readAbout(git: Git, commit: string): Promise<string | null> {
  const search = ['log', '--max-count=1', '--format=%H', `--grep=^${ABOUT}{`, '--end-of-options', commit];
  const found = await git.text(search, { allow: NOTHING_THERE });
  if (found === '') return null;
  const size = Number(await git.text(['cat-file', '-s', found]));
  if (!(size <= MAX_ABOUT_BYTES)) return null;
  const { stdout } = await git.run(['cat-file', 'commit', found]);
  const line = stdout
    .toString('utf8')
    .split('\n')
    .find((text) => text.startsWith(ABOUT));
  return line?.slice(ABOUT.length) ?? null;
}

export async function countCommits(git: Git, commit: string): Promise<number> {
  return Number(await git.text(['rev-list', '--count', '--end-of-options', commit]));
}

/** Bytes on disk of the objects of a commit and its history, or of its tree alone. */
export async function diskUsage(git: Git, commit: string, walk: 'history' | 'tree'): Promise<number> {
  const args = ['rev-list', '--objects', '--disk-usage', '--missing=allow-any'];
  if (walk === 'tree') args.push('--no-walk');
  return Number(await git.text([...args, '--end-of-options', commit]));
}

/** Committer date of a commit in ISO 8601; null if it cannot be read. */
export async function commitDate(git: Git, commit: string): Promise<string | null> {
  const text = await git.text(['log', '--max-count=1', '--format=%cI', '--end-of-options', commit], {
    allow: NOTHING_THERE,
  });
  return text === '' ? null : text;
}

interface Squash {
  /** Commit whose tree is the start. */
  from: string;
  listing: NotesListing;
  /** Targets whose notes are left out. */
  drop: ReadonlySet<string>;
  about?: string;
}

const LINES_PER_BLOCK = 2_000;

/**
 * Makes a commit without parents and without a ref: another commit's notes at our own fan-out depth, except those to drop. Entries that
 * are not notes stay. Throws GIT_FAILED or DISK.
 */
export async function squashNotes(repository: Repository, squash: Squash): Promise<string> {
  const tree = await repository.git.text(['rev-parse', '--verify', '--end-of-options', `${squash.from}^{tree}`]);
  return importLoose(repository, (ref) => squashBlocks(ref, tree, squash));
}

function* squashBlocks(ref: string, tree: string, { listing, drop, about }: Squash): Generator<Buffer> {
  const retained = [...listing.notes.keys()].filter((target) => !drop.has(target)).length;
  const message = `Compact to ${retained} ${retained === 1 ? 'record' : 'records'}${aboutLine(about)}`;
  let lines = [`commit ${ref}`, 'mark :1', `committer ${NOTES_AUTHOR} now`];
  lines.push(`data ${Buffer.byteLength(message)}`, message, `M 040000 ${tree} `);
  for (const [target, note] of listing.notes) {
    const paths = listing.foreign.get(target) ?? [];
    for (const path of paths) lines.push(`D ${path}`);
    if (drop.has(target)) lines.push(`D ${notePath(target)}`);
    else if (paths.length > 0) lines.push(`M 100644 ${note} ${notePath(target)}`);
    if (lines.length < LINES_PER_BLOCK) continue;
    yield Buffer.from(`${lines.join('\n')}\n`);
    lines = [];
  }
  yield Buffer.from(`${lines.join('\n')}\n\n`);
}

/** Move of a ref from the commit that it must point at. `to` null deletes it. */
export interface RefMove {
  ref: string;
  from: string;
  to: string | null;
}

/**
 * Moves all refs in one transaction, or none. Moves a symbolic ref itself, never its target. Returns null, or git's message if another
 * writer was faster.
 */
export async function moveRefs(git: Git, moves: readonly RefMove[]): Promise<string | null> {
  const lines = moves.map(({ ref, from, to }) => {
    const move = to === null ? `delete ${ref}\0${from}\0` : `update ${ref}\0${to}\0${from}\0`;
    return `option no-deref\0${move}`;
  });
  const { code, stderr } = await git.run(['update-ref', '-z', '--stdin'], {
    input: lines.join(''),
    allow: NOTHING_THERE,
  });
  return code === 0 ? null : stderr;
}

/**
 * Returns those of `wanted` that are reachable in this repository: from refs other than notes, HEAD of every work tree, reflogs (`git
 * reset` and `git stash` bring their blobs back) and indexes. Throws GIT_FAILED if an object is missing.
 */
export async function locallyReachable(git: Git, wanted: Iterable<string>): Promise<Set<string>> {
  const left = new Set(wanted);
  const found = new Set<string>();
  const sources = ['--exclude=refs/notes/*', '--all', '--reflog', '--indexed-objects', '--ignore-missing'];
  const args = ['rev-list', '--objects', '--no-object-names', ...sources];
  for await (const oids of linesOf(git, args)) {
    for (const oid of oids) if (left.delete(oid)) found.add(oid);
    if (left.size === 0) break;
  }
  return found;
}
