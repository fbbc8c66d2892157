/**
 * Merges commits without a work tree, and says where they conflict: `git merge-tree --stdin` (git 2.39 or newer), else its old
 * form, which finds no renames.
 */
import { mapConcurrently } from '../base/concurrently.js';
import { SocraticodeError } from '../base/errors.js';
import { nulFields } from './diff.js';
import { reasonIn } from './failure.js';
import { childEnd, type Git } from './process.js';
import { decodePath } from './snapshot.js';

/** Two commits with a common ancestor. */
export interface MergePair {
  base: string;
  ours: string;
  theirs: string;
}

export interface MergeConflict {
  path: string;
  /** As git calls it: `contents`, `modify/delete`, `rename/delete`, `file/directory`, `binary`… */
  kind: string;
}

export interface MergeResult {
  /** Tree of the merge, with the markers of conflicts in its files; null where the old form was used. */
  tree: string | null;
  conflicts: MergeConflict[];
}

/** A merge that git could not make says why. */
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
    // Git dies of the first merge that it cannot make, such as one that needs a blob which a partial clone lacks.
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
    // Of the last merge not all was written.
    if (!(error instanceof Unfinished)) throw error;
  }
  const { code, stderr } = await ended;
  return { code, stderr, merged };
}

class Unfinished extends Error {}

type Fields = AsyncGenerator<Buffer, void>;

/** The tree; where the merge is not clean, entries up to an empty field, and messages; an empty field. */
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

/** Uses the old form for each. */
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

/**
 * Sections of the old form: a line that says what happened, lines of the versions (`  our    100644 OID PATH`), and a diff.
 */
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
