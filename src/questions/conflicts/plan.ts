/** `conflicts --plan`: in which order to merge branches and work trees, and which break each other though git merges them. */
import { mapConcurrently } from '../../base/async.js';
import { cacheKey } from '../../base/cache.js';
import { SocraticodeError } from '../../base/errors.js';
import { mergeBases } from '../../git/branches.js';
import { diffTreePairs, type TreeChange } from '../../git/diff.js';
import { type Merged, mergeTrees, openScratch, type Scratch } from '../../git/merge.js';
import { CatFileReader } from '../../git/objects.js';
import { cut } from '../../graph/query/node-place.js';
import { LINK_VERSION } from '../../graph/tables.js';
import { BlobFactsSource } from '../../session/blob-facts.js';
import { pathSelector } from '../../session/history/open-history.js';
import { retried } from '../../session/retry.js';
import { PLANS } from '../../session/state-kinds.js';
import type { Asker } from '../asker.js';
import { type GraphAndHeader, openGraph } from '../graph/snapshot-graph.js';
import { findOthers, mergeInputOf } from './answer.js';
import {
  type ChangedFile,
  type ChangedFiles,
  changedFiles,
  type MergeInput,
  mayConflict,
  type Other,
  safeGit,
} from './branches.js';
import { duplicatesIn, type Entries, type Meeting, Proofs } from './breaks.js';
import { type ConflictsValues, LISTED_BRANCHES, type PlanBreak, type PlanDocument, type PlanStep } from './question.js';
import { ChangedNames, type Suspicion, type Twin } from './suspicions.js';

/** Work trees that are read at once. */
const AT_ONCE = 4;
/** Pairs that are merged by trial, and pairs whose files are linked: each takes some ten milliseconds. */
const MAX_MERGES = 3_000;
const MAX_LINKED = 400;
/** Changed files beyond which a side is not compared by its symbols. */
const MAX_FILES = 2_000;
/** Breaks that the answer lists by default. */
const LISTED_BREAKS = 50;

/** One branch as it is after a merge into the branch that all are merged into. Sides are known by their numbers in `Planner.sides`. */
interface Side {
  other: Other;
  input: MergeInput;
  /** As merged: the commit is of the scratch repository unless nothing had to be merged. */
  commit: string;
  tree: string;
  /** Its changes there. */
  changes: readonly TreeChange[];
  files: ChangedFiles;
  /** Commit at which it parted from the branch that all are merged into. */
  base: string;
}

/** Two sides that git cannot merge, by their numbers; `a` is `ONTO` for one that does not merge by itself. */
interface Conflict {
  a: number;
  b: number;
  files: { path: string; kind: string }[];
}

/** A break with its sides by their numbers, `ONTO` included. */
type NumberedBreak = Omit<PlanBreak, 'changer' | 'user'> & { changer: number; user: number };

/** Throws UNKNOWN_REF, BAD_ARGUMENT for a bad glob and for a tree, and what indexing throws. */
export function answerPlan(at: Asker, values: ConflictsValues): Promise<PlanDocument> {
  return retried(at.session, values.ref, async () => {
    const scratch = openScratch(at.session.repository);
    const reader = new CatFileReader(scratch.git);
    try {
      return await new Planner(at, values, scratch, reader).plan();
    } finally {
      reader.close();
      scratch.close();
    }
  });
}

/** Number of the branch that all are merged into. */
const ONTO = -1;

/**
 * Makes one plan. Its steps build on each other, in the order of `plan`: `readSides` numbers the sides, `mergePairs` adds those of their
 * pairs that conflict, and `findBreaks` links the pairs that do not.
 */
class Planner {
  private readonly unknown: string[] = [];
  private readonly conflicts: Conflict[] = [];
  private readonly breaks: NumberedBreak[] = [];
  private sides: Side[] = [];
  /** Pairs that were linked, or are known from before, and pairs that were left out since they are too many. */
  private linked = 0;
  private leftOut = 0;
  private ontoTree = '';
  private readonly git: Scratch['git'];

  constructor(
    private readonly at: Asker,
    private readonly values: ConflictsValues,
    private readonly scratch: Scratch,
    private readonly reader: CatFileReader,
  ) {
    this.git = safeGit(at.session, scratch);
  }

  async plan(): Promise<PlanDocument> {
    const { session } = this.at;
    const prepared = await openGraph(this.at, { ref: this.values.ref, committed: true });
    const { commit, tree, ref } = prepared.origin.resolved;
    if (commit === null) {
      throw new SocraticodeError('BAD_ARGUMENT', `${ref} is a tree, into which nothing can be merged`, {
        hint: 'Name a branch, a tag or a commit.',
      });
    }
    const onto = { commit, tree, name: ref };
    this.ontoTree = tree;
    await this.readSides(onto);
    const merges = await this.mergePairs();
    const entries: Entries = new Map((await session.objects.list(tree)).map((entry) => [entry.path, entry]));
    await this.findBreaks(onto, { prepared, entries, merges });
    return this.document(prepared.header, onto.name);
  }

  /** Finds the sides, each merged into `onto`, and the conflicts of that. */
  private async readSides(onto: { commit: string; tree: string }): Promise<void> {
    const { at, scratch } = this;
    const { session, signal } = at;
    const { list } = await findOthers(at, onto.commit, this.values);
    const reading = { scratch, accepts: await this.selector(), signal };
    const inputs = await mapConcurrently(list, AT_ONCE, (other) => mergeInputOf(other, session, reading));
    const { bases, results } = await this.mergedInto(onto.commit, inputs);
    const sides: Omit<Side, 'changes' | 'files'>[] = [];
    for (const [i, other] of list.entries()) {
      const [input, base, result] = [inputs[i], bases[i], results.get(i)];
      this.unknown.push(...input.unknown.map((why) => `${other.name}: ${why}`));
      if (base === null) this.unknown.push(`${other.name}: it has no common ancestor here with what it is merged into`);
      else if (result === undefined) sides.push({ other, input, base, commit: input.commit, tree: input.tree });
      else if ('failure' in result || result.tree === null) this.unknown.push(`${other.name}: git could not merge it`);
      else {
        if (result.conflicts.length > 0) this.conflicts.push({ a: ONTO, b: sides.length, files: result.conflicts });
        const commit = await scratch.commitTree(result.tree, [onto.commit]);
        sides.push({ other, input, base, commit, tree: result.tree });
      }
    }
    const changes = await this.diffs(sides.map((side) => [onto.tree, side.tree]));
    const all = sides.map((side, i) => ({ ...side, changes: changes[i], files: changedFiles(changes[i]) }));
    this.keepSides(all);
  }

  /** Merge bases of the inputs with a commit, in their order, and merges with it by number of the input. An input ahead of it needs none. */
  private async mergedInto(
    commit: string,
    inputs: readonly MergeInput[],
  ): Promise<{ bases: (string | null)[]; results: ReadonlyMap<number, Merged> }> {
    const { signal } = this.at;
    const heads = inputs.map(({ head }) => head);
    const bases = await mergeBases(this.git, commit, heads, signal);
    const parted = inputs.map((_, i) => i).filter((i) => bases[i] !== null && bases[i] !== commit);
    const pairs = parted.map((i) => ({ base: '', ours: commit, theirs: inputs[i].commit }));
    const merged = await mergeTrees(this.git, pairs, signal);
    return { bases, results: new Map(parted.map((i, k) => [i, merged[k]])) };
  }

  /** Leaves out branches that bring nothing, and gives the conflicts the numbers of those that are left. */
  private keepSides(all: readonly Side[]): void {
    const kept = new Map<number, number>();
    this.sides = all.filter((side, i) => {
      if (side.changes.length === 0) return false;
      kept.set(i, kept.size);
      return true;
    });
    for (const conflict of this.conflicts) conflict.b = kept.get(conflict.b) ?? conflict.b;
  }

  private async selector(): Promise<(path: string) => boolean> {
    const { session } = this.at;
    const origin = await session.origin(this.values.ref);
    const { config } = await session.configOfOrigin(origin);
    return pathSelector({ config }, origin, undefined);
  }

  /** Changes from the first tree of each pair to the second, in the order of the pairs. */
  private async diffs(pairs: readonly (readonly [string, string])[]): Promise<TreeChange[][]> {
    const found: TreeChange[][] = [];
    const wanted = pairs.map(([from, to]): [string, string] => [from, to]);
    if (wanted.length === 0) return found;
    for await (const changes of diffTreePairs(this.git, wanted, { renames: true, signal: this.at.signal }))
      found.push([...changes]);
    return found;
  }

  /** Trial merges, by both numbers, of pairs that change a file or folder in common; others merge. Adds the conflicts. */
  private async mergePairs(): Promise<Map<string, Merged>> {
    const { sides } = this;
    const broken = new Set(this.conflicts.map(({ b }) => b));
    const pairs: [number, number][] = [];
    for (let a = 0; a < sides.length; a++)
      for (let b = a + 1; b < sides.length; b++)
        if (!broken.has(a) && !broken.has(b) && mayConflict(sides[a].files, sides[b].files)) pairs.push([a, b]);
    if (pairs.length > MAX_MERGES)
      this.unknown.push(`${pairs.length - MAX_MERGES} pairs were not merged: there are too many`);
    const tried = pairs.slice(0, MAX_MERGES);
    const inputs = tried.map(([a, b]) => ({ base: '', ours: sides[a].commit, theirs: sides[b].commit }));
    const half = Math.ceil(inputs.length / 2);
    const parts = [inputs.slice(0, half), inputs.slice(half)].map((part) => mergeTrees(this.git, part, this.at.signal));
    const merged = (await Promise.all(parts)).flat();
    for (const [i, [a, b]] of tried.entries()) {
      const one = merged[i];
      if (!('failure' in one) && one.conflicts.length > 0) this.conflicts.push({ a, b, files: one.conflicts });
    }
    return new Map(tried.map(([a, b], i) => [`${a} ${b}`, merged[i]]));
  }

  /** Finds pairs that name what the other changes, and links each: sides with sides, and sides with what `onto` changed since they parted. */
  private async findBreaks(
    onto: { commit: string; tree: string },
    { prepared, entries, merges }: Base & { merges: ReadonlyMap<string, Merged> },
  ): Promise<void> {
    const { session, signal } = this.at;
    const { languages, maxFileBytes } = (await session.configOfOrigin(prepared.origin)).config;
    const moved = await this.movedSides(onto);
    const kept = await this.committed([
      ...this.sides.map(({ changes }) => changes),
      ...moved.flatMap(({ mine, theirs }) => [mine, theirs]),
    ]);
    const options = { languages, maxFileBytes, relations: true, objects: this.reader, kept, signal };
    const source = new BlobFactsSource(session, options);
    try {
      const names = new ChangedNames(source);
      const sides = this.sides.map(({ files }) => this.comparable(files));
      // Here the side itself has number 0, and the branch that all are merged into 1.
      const parted = moved.map((one) => ({
        ...one,
        files: [one.mine, one.theirs].map((each) => this.comparable(changedFiles(each))),
      }));
      await names.read([...sides, ...parted.flatMap(({ files }) => files)]);
      const proofs = new Proofs(session, { prepared, entries }, { source, objects: this.reader, maxFileBytes, signal });
      const pairs = new PairTrees(this.sides, entries, merges, (tree) => this.diffs([[onto.tree, tree]]));
      const broken = new Set(this.conflicts.flatMap(({ a, b }) => (a === ONTO ? [`${b}`] : [`${a} ${b}`])));
      const isBroken = (a: number, b: number) =>
        [`${a}`, `${b}`, `${a} ${b}`, `${b} ${a}`].some((key) => broken.has(key));
      const { suspicions, twins } = names.among(sides);
      const meetings: Meet[] = suspicions
        .filter(({ changer, user }) => !isBroken(changer, user))
        .map((suspicion) => ({ suspicion, trees: () => pairs.meeting(suspicion) }));
      for (const { side, files } of parted) {
        if (broken.has(`${side}`)) continue;
        meetings.push(...this.meetingsWithOnto(side, names.among(files).suspicions, { entries, pairs }));
      }
      await this.prove(meetings, proofs);
      await this.proveTwins(
        twins.filter(({ a, b }) => !isBroken(a, b)),
        pairs,
        source,
      );
    } finally {
      await source.close();
    }
  }

  /** Files whose names are compared: none of a side with very many. */
  private comparable(files: ChangedFiles): ChangedFile[] {
    return files.size > MAX_FILES ? [] : [...files.values()];
  }

  /**
   * Sides that left before the newest commit of the branch that all are merged into, with what the side changed since (`mine`), and what that
   * branch did (`theirs`).
   */
  private async movedSides(onto: {
    commit: string;
    tree: string;
  }): Promise<{ side: number; mine: TreeChange[]; theirs: TreeChange[] }[]> {
    const moved = this.sides.map((_, side) => side).filter((side) => this.sides[side].base !== onto.commit);
    const trees = await Promise.all(
      moved.map(async (side) => (await this.at.session.objects.info(`${this.sides[side].base}^{tree}`))?.oid ?? ''),
    );
    const mine = await this.diffs(moved.map((side, i) => [trees[i], this.sides[side].input.tree]));
    const distinct = [...new Set(trees)];
    const since = await this.diffs(distinct.map((tree) => [tree, onto.tree]));
    return moved.map((side, i) => ({ side, mine: mine[i], theirs: since[distinct.indexOf(trees[i])] }));
  }

  /** Pairs of a side and the branch that all are merged into. The suspicions name the side 0, and that branch 1. */
  private meetingsWithOnto(
    side: number,
    suspicions: readonly Suspicion[],
    { entries, pairs }: { entries: Entries; pairs: PairTrees },
  ): Meet[] {
    return suspicions.map((suspicion) => {
      const numbered = {
        ...suspicion,
        changer: suspicion.changer === 0 ? side : ONTO,
        user: suspicion.user === 0 ? side : ONTO,
      };
      const trees = async () => {
        const [own] = await this.diffs([[this.sides[side].tree, this.sides[side].input.tree]]);
        const merged = pairs.of(side);
        const unmerged = patched(merged, own);
        const [changer, user] = numbered.changer === ONTO ? [entries, unmerged] : [unmerged, entries];
        return { suspicion: numbered, changer, user, merged };
      };
      return { suspicion: numbered, trees };
    });
  }

  /** Blobs that the repository has: their facts are kept. */
  private async committed(lists: readonly (readonly TreeChange[])[]): Promise<Set<string>> {
    const oids = new Set(lists.flat().flatMap(({ oldOid, newOid }) => [oldOid, newOid]));
    const kept = new Set<string>();
    const look = async (oid: string | null) => {
      if (oid !== null && (await this.at.session.objects.info(oid)) !== null) kept.add(oid);
    };
    await Promise.all([...oids].map(look));
    return kept;
  }

  /** Links pairs whose findings are not known from an earlier plan, and adds what breaks. */
  private async prove(meetings: readonly Meet[], proofs: Proofs): Promise<void> {
    this.leftOut = Math.max(0, meetings.length - MAX_LINKED);
    const { state } = this.at.session;
    const known = state.readMap<OwnBreak[]>(PLANS);
    const used = new Map<string, OwnBreak[]>();
    for (const { suspicion, trees } of meetings.slice(0, MAX_LINKED)) {
      this.at.signal.throwIfAborted();
      this.linked++;
      this.at.progress(this.linked, Math.min(meetings.length, MAX_LINKED), 'linking pairs');
      const { changer, user } = suspicion;
      const key = this.keyOf(suspicion);
      const found = known.get(key) ?? (await proveOne(trees, proofs));
      used.set(key, found);
      for (const one of found) this.breaks.push({ ...one, changer, user });
    }
    const isNew = [...used.keys()].some((key) => !known.has(key));
    const most = MAX_KEPT;
    if (isNew) state.writeMap(PLANS, new Map([...known, ...used]), { used: used.keys(), most });
  }

  /** Equal for what gives equal findings. */
  private keyOf({ changer, user }: Suspicion): string {
    const treeOf = (side: number) => (side === ONTO ? '' : `${this.sides[side].tree} ${this.sides[side].input.tree}`);
    return cacheKey(LINK_VERSION, this.at.session.profile, this.ontoTree, treeOf(changer), treeOf(user));
  }

  /** Adds the symbols that both sides of a pair add, where the merge has both. */
  private async proveTwins(twins: readonly Twin[], pairs: PairTrees, source: BlobFactsSource): Promise<void> {
    for (const twin of twins.slice(0, MAX_LINKED)) {
      const { a, b, symbol, places } = twin;
      const merged = await pairs.merged(a, b);
      if (merged === null || !(await duplicatesIn(twin, merged, source))) continue;
      const [first, second] = places;
      this.breaks.push({
        kind: 'twice',
        certainty: first.path === second.path ? 'certain' : 'likely',
        changer: a,
        change: { ...first, symbol, what: 'added' },
        user: b,
        use: { ...second, symbol, text: symbol },
        why: 'both add it',
      });
    }
  }

  private document(
    header: Pick<PlanDocument, 'schemaVersion' | 'ref' | 'commit' | 'coverage' | 'dirty' | 'overlay'>,
    onto: string,
  ): PlanDocument {
    const { limit } = this.values;
    const nameOf = (side: number) => (side === ONTO ? onto : this.sides[side].other.name);
    const rank = ({ certainty }: NumberedBreak) => (certainty === 'certain' ? 0 : 1);
    const breaks = [...this.breaks].sort((a, b) => rank(a) - rank(b));
    const order = this.order(nameOf);
    const firstBroken = order.findIndex(({ breaks: broken, conflicts }) => broken + conflicts > 0);
    const conflicts = this.conflicts.map(({ a, b, files }) => ({
      a: nameOf(a),
      b: nameOf(b),
      files: files.map(({ path, kind }) => ({ path, kind })),
    }));
    const count = this.sides.length;
    return {
      ...header,
      order: cut(order, Math.max(limit ?? 0, LISTED_BRANCHES * 10)),
      clean: firstBroken < 0 ? order.length : firstBroken,
      breaks: cut(
        breaks.map((one) => ({ ...one, changer: nameOf(one.changer), user: nameOf(one.user) })),
        limit ?? LISTED_BREAKS,
      ),
      conflicts: cut(conflicts, limit ?? LISTED_BREAKS),
      pairs: { all: (count * (count + 1)) / 2, linked: this.linked, leftOut: this.leftOut },
      unknown: this.unknown,
    };
  }

  /** Takes next, each time, the branch that breaks least with those before it, then the one that is in the fewest breaks of all. */
  private order(nameOf: (side: number) => string): PlanStep[] {
    const cost = new Map<string, { breaks: number; conflicts: number }>();
    const add = (a: number, b: number, breaks: number, conflicts: number) => {
      const key = a < b ? `${a} ${b}` : `${b} ${a}`;
      const known = cost.get(key) ?? { breaks: 0, conflicts: 0 };
      cost.set(key, { breaks: known.breaks + breaks, conflicts: known.conflicts + conflicts });
    };
    for (const { changer, user } of this.breaks) add(changer, user, 1, 0);
    for (const { a, b, files } of this.conflicts) add(a, b, 0, files.length);
    const between = (a: number, b: number) => cost.get(a < b ? `${a} ${b}` : `${b} ${a}`) ?? NOTHING;
    const all = this.sides.map((_, side) => side);
    const weight = ({ breaks, conflicts }: typeof NOTHING) => breaks + CONFLICT * conflicts;
    // Costs of each side with those that are merged already, and with all.
    const costs = all.map((side) => weight(between(ONTO, side)));
    const totals = all.map((side) => all.reduce((sum, other) => sum + weight(between(side, other)), costs[side]));
    const steps: PlanStep[] = [];
    const done: number[] = [ONTO];
    const left = new Set(all);
    while (left.size > 0) {
      // The list has the newest first: among equals, the oldest is merged first.
      const next = [...left]
        .reverse()
        .reduce((best, side) => ((costs[side] - costs[best] || totals[side] - totals[best]) < 0 ? side : best));
      const known = done.map((other) => ({ other, ...between(other, next) })).filter((one) => weight(one) > 0);
      const { other, input, changes } = this.sides[next];
      const sum = (of: 'breaks' | 'conflicts') => known.reduce((total, one) => total + one[of], 0);
      const counts = {
        uncommitted: input.uncommitted,
        files: changes.length,
        breaks: sum('breaks'),
        conflicts: sum('conflicts'),
      };
      steps.push({
        name: other.name,
        kind: other.kind,
        commit: other.commit,
        ...counts,
        with: known.map((one) => nameOf(one.other)),
      });
      left.delete(next);
      done.push(next);
      for (const side of left) costs[side] += weight(between(next, side));
    }
    return steps;
  }
}

const NOTHING = { breaks: 0, conflicts: 0 };
/** A file in which git conflicts costs as much as some broken uses. */
const CONFLICT = 5;

interface Base {
  prepared: GraphAndHeader;
  entries: Entries;
}

type OwnBreak = Omit<NumberedBreak, 'changer' | 'user'>;
/** Most pairs whose breaks are kept for the next question, by a key of their trees. */
const MAX_KEPT = 5_000;

async function proveOne(trees: Meet['trees'], proofs: Proofs): Promise<OwnBreak[]> {
  const meeting = await trees();
  return meeting === null ? [] : proofs.breaksOf(meeting);
}

/** A pair to be linked. Its trees are made when its findings are not known; null where git could not merge it. */
interface Meet {
  suspicion: Suspicion;
  trees: () => Promise<Meeting | null>;
}

/** Trees of pairs as lists of files: what two sides change in different files needs no merge. */
class PairTrees {
  private readonly known = new Map<number, Entries>();

  constructor(
    private readonly sides: readonly Side[],
    private readonly base: Entries,
    private readonly merges: ReadonlyMap<string, Merged>,
    private readonly diff: (tree: string) => Promise<TreeChange[][]>,
  ) {}

  /** Files of one side, as merged into the branch that all are merged into. */
  of(side: number): Entries {
    const found = this.known.get(side) ?? patched(this.base, this.sides[side].changes);
    this.known.set(side, found);
    return found;
  }

  async meeting(suspicion: Suspicion): Promise<Meeting | null> {
    const { changer, user } = suspicion;
    const merged = await this.merged(changer, user);
    return merged === null ? null : { suspicion, changer: this.of(changer), user: this.of(user), merged };
  }

  /** Files of two sides together; null if git could not merge them. */
  async merged(one: number, other: number): Promise<Entries | null> {
    const [a, b] = one < other ? [one, other] : [other, one];
    const merge = this.merges.get(`${a} ${b}`);
    if (merge === undefined) return patched(this.of(a), this.sides[b].changes);
    if ('failure' in merge || merge.tree === null || merge.conflicts.length > 0) return null;
    const [changes] = await this.diff(merge.tree);
    return patched(this.base, changes);
  }
}

/** The files of a tree after changes. All paths that go are removed first, since another file may come to one of them. */
function patched(base: Entries, changes: readonly TreeChange[]): Entries {
  const entries = new Map(base);
  for (const { path, oldPath, newOid } of changes) {
    if (oldPath !== undefined) entries.delete(oldPath);
    if (newOid === null) entries.delete(path);
  }
  for (const { path, newOid, newType } of changes)
    if (newOid !== null && newType !== null) entries.set(path, { path, oid: newOid, type: newType });
  return entries;
}
