/**
 * Merges commits without a work tree, and reports where they conflict. Uses `git merge-tree --stdin` (git 2.39 or newer), or its old
 * form, which finds no renames.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { mapConcurrently } from '../base/async.js';
import { SocraticodeError } from '../base/errors.js';
import { log } from '../base/log.js';
import { visibleLine } from '../base/printable.js';
import { holdSignals } from '../base/runtime.js';
import { nulFields } from './diff.js';
import { decodePath } from './objects.js';
import { childEnd, type Git, reasonIn } from './process.js';
import type { Repository } from './repository.js';
import { type ConfigEntry, withoutLocalFilters } from './repository.js';

interface MergePair {
  base: string;
  ours: string;
  theirs: string;
}

interface MergeConflict {
  path: string;
  /** Git's word: `contents`, `modify/delete`, `rename/delete`, `file/directory`, `binary`… */
  kind: string;
}

interface MergeResult {
  /** Tree of the merge, with the markers of conflicts in its files; null from the old form. */
  tree: string | null;
  conflicts: MergeConflict[];
}

/** Result, or the reason why git could not merge. */
export type Merged = MergeResult | { failure: string };

/** Exit code of git for an option that it does not know. */
const USAGE = 129;

/** Results in the order of `pairs`. `git` may write objects. Throws CANCELLED. */
export async function mergeTrees(git: Git, pairs: readonly MergePair[], signal?: AbortSignal): Promise<Merged[]> {
  const results: Merged[] = [];
  while (results.length < pairs.length) {
    const rest = pairs.slice(results.length);
    const { code, stderr, merged } = await mergeMany(git, rest, signal);
    if (code === USAGE && merged.length === 0) return [...results, ...(await mergeSingly(git, rest, signal))];
    results.push(...merged);
    // Git dies of a merge that it cannot make, for example if a partial clone lacks a blob.
    if (results.length < pairs.length) results.push({ failure: reasonOf(stderr) });
  }
  return results;
}

async function mergeMany(git: Git, pairs: readonly MergePair[], signal?: AbortSignal) {
  const child = git.spawn(['merge-tree', '--write-tree', '--stdin'], { signal });
  const ended = childEnd(child);
  child.stdin.end(pairs.map(({ ours, theirs }) => `${ours} ${theirs}\n`).join(''));
  const merged: MergeResult[] = [];
  const fields = nulFields(child.stdout);
  try {
    for await (const clean of fields) merged.push(await readMerge(clean.toString('latin1') === '1', fields));
  } catch (error) {
    // The output of the last merge is incomplete.
    if (!(error instanceof Unfinished)) throw error;
  }
  const { code, stderr } = await ended;
  return { code, stderr, merged };
}

class Unfinished extends Error {}

type Fields = AsyncGenerator<Buffer, void>;

/** Parses a tree. If the merge is not clean, entries up to an empty field follow, then messages, then another empty field. */
async function readMerge(isClean: boolean, fields: Fields): Promise<MergeResult> {
  const tree = await nextText(fields);
  const found = new Map<string, MergeConflict>();
  if (isClean) await nextText(fields);
  else {
    while ((await nextText(fields)) !== '');
    for (let count = await nextText(fields); count !== ''; count = await nextText(fields)) {
      const paths: Buffer[] = [];
      for (let i = Number(count); i > 0; i--) paths.push(await next(fields));
      const kind = /^CONFLICT \((.*)\)$/.exec(await nextText(fields))?.[1];
      await next(fields);
      if (kind === undefined || paths.length === 0) continue;
      const path = decodePath(paths[0]);
      found.set(`${kind} ${path}`, { path, kind });
    }
  }
  return { tree, conflicts: [...found.values()] };
}

async function next(fields: Fields): Promise<Buffer> {
  const field = await fields.next();
  if (field.done) throw new Unfinished();
  return field.value;
}

const nextText = async (fields: Fields): Promise<string> => (await next(fields)).toString('latin1');

/** Merges of the old form that run at a time. */
const AT_ONCE = 4;

export function mergeSingly(git: Git, pairs: readonly MergePair[], signal?: AbortSignal): Promise<Merged[]> {
  return mapConcurrently(pairs, AT_ONCE, (pair) => mergeOne(git, pair, signal));
}

async function mergeOne(git: Git, { base, ours, theirs }: MergePair, signal?: AbortSignal): Promise<Merged> {
  try {
    const { stdout } = await git.run(['merge-tree', base, ours, theirs], { signal });
    return { tree: null, conflicts: readSections(stdout.toString('latin1')) };
  } catch (error) {
    if (!(error instanceof SocraticodeError) || error.code === 'CANCELLED') throw error;
    return { failure: error.message };
  }
}

/** Parses sections of the old form: a line that says what happened, lines of the versions (`  our    100644 OID PATH`), and a diff. */
function readSections(text: string): MergeConflict[] {
  const sections = text.split(/^(?=(?:changed|added|removed|merged)\b)/m);
  return sections.flatMap((section): MergeConflict[] => {
    const [head] = section.split(/^@@/m);
    const versions = [...head.matchAll(/^ {2}(base|our|their) +\d+ ([0-9a-f]+) (.*)$/gm)];
    const [path] = versions.map(([, , , name]) => decodePath(Buffer.from(name, 'latin1')));
    if (path === undefined) return [];
    const oids = new Set(versions.map(([, , oid]) => oid));
    if (/^removed in (?:local|remote)/.test(head)) return oids.size > 1 ? [{ path, kind: 'modify/delete' }] : [];
    if (!/^\+<{7} /m.test(section)) return [];
    return [{ path, kind: 'contents' }];
  });
}

function reasonOf(stderr: string): string {
  const reason = reasonIn(stderr);
  return reason === '' ? 'git ended early' : reason;
}

/** Commits merged one after another: the tree of all, or the place of the first that does not merge. */
export type MergedInOrder = { tree: string; commit: string } | { at: number; why: Merged };

/** Merges commits into `first`, in their order. `scratch` keeps the objects; git runs with `safe` settings. Throws CANCELLED. */
export async function mergeInOrder(
  scratch: Scratch,
  { first, others, safe }: { first: { commit: string; tree: string }; others: readonly string[]; safe: Git },
  signal?: AbortSignal,
): Promise<MergedInOrder> {
  let { commit, tree } = first;
  for (const [at, theirs] of others.entries()) {
    const [why] = await mergeTrees(safe, [{ base: '', ours: commit, theirs }], signal);
    if ('failure' in why || why.tree === null || why.conflicts.length > 0) return { at, why };
    if (why.tree === tree) continue;
    tree = why.tree;
    commit = await scratch.commitTree(tree, [commit, theirs]);
  }
  return { tree, commit };
}

export interface Scratch {
  /** Git of the repository that writes objects here. */
  git: Git;
  /** Commits `parent` with the named files as they are in the work tree of `repository`. Throws GIT_FAILED. */
  commitFiles(repository: Repository, files: FilesToCommit): Promise<{ commit: string; tree: string }>;
  /** Commits a tree, so that it can be merged further. */
  commitTree(tree: string, parents: readonly string[]): Promise<string>;
  close(): void;
}

interface FilesToCommit {
  parent: string;
  /** Bytes of paths, from the top of the work tree. A path that is gone is removed. */
  names: readonly Buffer[];
  config: readonly ConfigEntry[];
}

/** Author that git requires; the commit is never shown. */
const NOBODY = {
  ...{ GIT_AUTHOR_NAME: 'nobody', GIT_AUTHOR_EMAIL: 'nobody', GIT_AUTHOR_DATE: '@1 +0000' },
  ...{ GIT_COMMITTER_NAME: 'nobody', GIT_COMMITTER_EMAIL: 'nobody', GIT_COMMITTER_DATE: '@1 +0000' },
};

/**
 * Opens a temporary object directory over a repository's: git writes objects of trial merges and of uncommitted files there, and nothing
 * into the repository. With `isKept` they go into the repository, where no ref leads to them. The caller closes it. Throws DISK.
 */
export function openScratch(repository: Repository, { isKept = false } = {}): Scratch {
  const release = holdSignals();
  const folder = makeFolder(tmpdir());
  const objects = join(folder, 'objects');
  mkdirSync(objects);
  const elsewhere = {
    GIT_OBJECT_DIRECTORY: objects,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted(join(repository.commonDir, 'objects')),
  };
  const env = isKept ? {} : elsewhere;
  const git = repository.git.withEnvironment(env);
  const commitTree = (tree: string, parents: readonly string[]) => {
    const args = ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent])];
    return git.withEnvironment({ ...env, ...NOBODY }).text(args, { input: 'uncommitted' });
  };
  let indexes = 0;
  return {
    git,
    commitTree,
    async commitFiles({ git: own }, { parent, names, config }) {
      // Writing a tree, too, reads files that changed within the last tick of the clock, through their filters.
      const safe = own.withConfig(withoutLocalFilters(config));
      const at = safe.withEnvironment({ ...env, ...NOBODY, GIT_INDEX_FILE: join(folder, `index-${indexes++}`) });
      await at.run(['read-tree', parent]);
      const input = Buffer.concat(names.flatMap((name) => [name, Buffer.from([0])]));
      const add = ['update-index', '-z', '--add', '--remove', '--replace', '--stdin'];
      await at.run(add, { input });
      const tree = await at.text(['write-tree']);
      return { tree, commit: await commitTree(tree, [parent]) };
    },
    close: () => {
      removeFolder(folder);
      release();
    },
  };
}

/** Removes a folder in which an ended git may still write. What is left then stays in the temporary folder, as the answer is complete. */
function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
  } catch (error) {
    log.warn(`cannot remove ${folder}: ${(error as Error).message}`);
  }
}

function makeFolder(parent: string): string {
  try {
    return mkdtempSync(join(parent, 'git-socraticode-'));
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new SocraticodeError('DISK', `no temporary folder can be made in ${visibleLine(parent)} (${code})`, {
      hint: 'Set TMPDIR to a directory that can be written, or make room in this one.',
      cause,
    });
  }
}

/** A path in the list of alternates. One with the separator is quoted as in C. */
function quoted(path: string): string {
  const isPlain = !path.includes(delimiter) && !path.startsWith('"');
  return isPlain ? path : `"${path.replace(/["\\]/g, '\\$&')}"`;
}
