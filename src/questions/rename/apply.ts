/** Surroundings of a plan: other branches, the files of the work tree that it writes, and the check of what was written. */
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { mapConcurrently } from '../../base/async.js';
import { writeFileAtomic } from '../../base/atomic.js';
import { SocraticodeError } from '../../base/errors.js';
import { lineChanges } from '../../base/line-diff.js';
import { bareName, occurrences } from '../../extract/name-places.js';
import { mergeBases } from '../../git/branches.js';
import { diffTrees } from '../../git/diff.js';
import type { Graph } from '../../graph/graph.js';
import { optionText } from '../../params/param.js';
import { graphsOf } from '../../session/graph/prepare.js';
import type { Asker } from '../asker.js';
import { findOthers } from '../conflicts/answer.js';
import { formatCount } from '../format.js';
import type { GraphAndHeader } from '../graph/snapshot-graph.js';
import type { Change } from './answer.js';
import type { Conflict, RenameDocument } from './question.js';
import type { Renamed } from './symbols.js';

// Other branches.

/** Branches that are compared, the newest ones, and files of each that are read. */
const MAX_BRANCHES = 20;
const MAX_FILES = 200;
const MAX_AGE = 90;
const AT_ONCE = 4;

/** Lines of other branches that the patch changes, too, or that have the old name and are new there. */
export async function branchConflicts(
  at: Asker,
  { origin }: GraphAndHeader,
  changes: readonly Change[],
  name: string,
): Promise<Conflict[]> {
  const { commit } = origin.resolved;
  const { session, signal } = at;
  if (commit === null || changes.length === 0) return [];
  const { list } = await findOthers({ session }, commit, { maxAge: MAX_AGE });
  const others = list.slice(0, MAX_BRANCHES);
  const { git } = session.repository;
  const bases = await mergeBases(
    git,
    commit,
    others.map((other) => other.commit),
    signal,
  );
  const edited = new Map(changes.map((change) => [change.path, change]));
  const found = await mapConcurrently(others, AT_ONCE, async (other, i): Promise<Conflict[]> => {
    const base = bases[i];
    if (base === null) return [];
    const diff = await diffTrees(git, base, other.commit, { renames: true, signal });
    const conflicts: Conflict[] = [];
    for (const { path, oldPath = path, oldOid, newOid } of diff.slice(0, MAX_FILES)) {
      const [before, after] = await Promise.all([oldOid, newOid].map((oid) => textOf(at, oid)));
      const why = overlapOf({ before, after, name, change: edited.get(oldPath) });
      if (why !== null) conflicts.push({ is: 'branch', blocks: false, why: `${other.name} ${why}`, path });
    }
    return conflicts;
  });
  return found.flat();
}

async function textOf({ session }: Asker, oid: string | null): Promise<string> {
  const object = oid === null ? null : await session.objects.read(oid);
  return object?.type === 'blob' ? object.content.toString('utf8') : '';
}

function overlapOf(of: { before: string; after: string; name: string; change: Change | undefined }): string | null {
  const { before, after, name, change } = of;
  const lines = (text: string) => text.split('\n');
  const isNamed = (text: string) => occurrences(text, name).length > 0;
  if (change === undefined && !isNamed(after)) return null;
  const parts = lineChanges(lines(before), lines(after));
  const added = parts.filter(({ fresh }) => isNamed(fresh.join('\n')));
  if (change !== undefined) {
    const touched = new Set(
      lines(change.text).filter((_, i) => change.edits.some(({ start }) => lineAt(change.text, start) === i)),
    );
    const same = parts.filter(({ old }) => old.some((line) => touched.has(line)));
    if (same.length > 0) return `changes ${formatCount(same.length, 'part')} of what the patch changes`;
  }
  return added.length > 0 ? `adds lines with ${name}` : null;
}

function lineAt(text: string, at: number): number {
  let line = 0;
  for (let next = text.indexOf('\n'); next >= 0 && next < at; next = text.indexOf('\n', next + 1)) line++;
  return line;
}

// Writing, and reading what was written.

interface Writable {
  answer: RenameDocument;
  prepared: GraphAndHeader;
  changes: readonly Change[];
  renamed: Renamed;
  fresh: string;
}

/** Writes the files of a plan. If the check fails, the files are as before, and this throws BAD_ARGUMENT. */
export async function writePlan(at: Asker, plan: Writable): Promise<RenameDocument> {
  const { answer, prepared, changes } = plan;
  const { workTree } = at.session.repository;
  if (workTree === null) throw new SocraticodeError('BAD_ARGUMENT', 'a bare repository has no files to write');
  const blocking = answer.conflicts.filter(({ blocks }) => blocks);
  if (blocking.length > 0) {
    const [{ why, path }] = blocking;
    throw new SocraticodeError('BAD_ARGUMENT', `nothing is written: ${path === undefined ? '' : `${path}: `}${why}`, {
      hint: `The patch, without ${optionText('write')}, can be applied by hand.`,
    });
  }
  const dirty = changes.find(({ path }) => prepared.uncommitted.has(path));
  if (dirty !== undefined)
    throw new SocraticodeError('BAD_ARGUMENT', `nothing is written: ${dirty.path} has uncommitted changes`, {
      hint: 'Commit or stash them first.',
    });
  const undo = writeAll(workTree, changes);
  try {
    const problems = await problemsOf(at, plan);
    if (problems.length > 0)
      throw new SocraticodeError(
        'BAD_ARGUMENT',
        `the files are as before, since the check failed: ${problems.join('; ')}`,
        {
          hint: `The patch, without ${optionText('write')}, can be applied by hand.`,
        },
      );
  } catch (error) {
    undo();
    throw error;
  }
  return { ...answer, written: true };
}

/** Writes all files; the result puts them back. */
function writeAll(root: string, changes: readonly Change[]): () => void {
  const done: (() => void)[] = [];
  const undo = () => {
    for (const back of done.reverse()) back();
  };
  try {
    for (const { path, to = path, text, edits } of changes) {
      const [from, target] = [join(root, path), join(root, to)];
      const mode = statSync(from).mode & 0o777;
      mkdirSync(dirname(target), { recursive: true });
      done.push(() => {
        writeFileAtomic(from, text, mode);
        if (target !== from) rmSync(target, { force: true });
      });
      writeFileAtomic(target, edited(text, edits), mode);
      if (target !== from) rmSync(from);
    }
  } catch (error) {
    undo();
    throw error;
  }
  return undo;
}

export function edited(text: string, edits: Change['edits']): string {
  let out = '';
  let at = 0;
  for (const { start, end, text: fresh } of edits) {
    out += text.slice(at, start) + fresh;
    at = end;
  }
  return out + text.slice(at);
}

/** Reads the work tree again: no new parse errors, and the new name has the proven uses that the old one had. */
async function problemsOf({ session, signal }: Asker, plan: Writable): Promise<string[]> {
  const { prepared, changes, renamed, fresh } = plan;
  const { graph } = await graphsOf(session).prepare({ signal });
  const problems: string[] = [];
  const before = prepared.graph;
  for (const { path, to = path } of changes) {
    const [old, now] = [before.tables.files[before.findFile(path)], graph.tables.files[graph.findFile(to)]];
    if (now === undefined) problems.push(`${to} is not read`);
    else if (now.isIncomplete && !old?.isIncomplete) problems.push(`${to} has parse errors`);
  }
  if (fresh === '') return problems;
  const nodes = graph.nodesNamed(fresh).concat(graph.nodesNamed(`~${fresh}`), graph.nodesNamed(`#${fresh}`));
  const [was, is] = [usesOf(before, renamed.nodes), usesOf(graph, new Set(nodes))];
  const moved = new Map(changes.map(({ path, to = path }) => [path, to]));
  const changed = new Set(
    plan.changes.flatMap(({ path, text, edits }) => edits.map(({ start }) => `${path}:${lineAt(text, start) + 1}`)),
  );
  const lost = [...was].filter((place) => {
    const [path, line] = [place.slice(0, place.lastIndexOf(':')), place.slice(place.lastIndexOf(':') + 1)];
    return changed.has(place) && !is.has(`${moved.get(path) ?? path}:${line}`);
  });
  if (lost.length > 0) problems.push(`${formatCount(lost.length, 'use')} of ${fresh} lead elsewhere, first ${lost[0]}`);
  return problems;
}

/** Places of uses by their own name: `path:line`. */
function usesOf(graph: Graph, nodes: ReadonlySet<number>): Set<string> {
  const found = new Set<string>();
  for (const node of nodes) {
    for (const edge of graph.incoming(node)) {
      if (graph.isFileEdge(edge) || bareName(graph.edge(edge).name) !== bareName(graph.name(node))) continue;
      found.add(`${graph.path(graph.source(edge))}:${graph.tables.edgeLine[edge]}`);
    }
  }
  return found;
}
