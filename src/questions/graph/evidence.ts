/**
 * Evidence of tests: those that coverage reports say ran code of a graph, while the bytes of the code and of the test are those of the
 * report; and those that ended well with everything that they reach as it is.
 */
import { randomUUID } from 'node:crypto';
import { addTo } from '../../base/lists.js';
import { signerOf } from '../../git/commits.js';
import type { Graph } from '../../graph/graph.js';
import { TestReach } from '../../graph/query/test-reach.js';
import type { RanTest } from '../../graph/query/tests-to-run.js';
import { isFunction } from '../../graph/query/uses.js';
import {
  EVIDENCE,
  Evidence,
  type EvidenceBody,
  type OutcomesBody,
  outcomeSets,
  outcomesDigest,
} from '../../knowledge/codecs.js';
import { type Claim, type Entry, EntryStore, inTime } from '../../knowledge/entry.js';
import { ONE_SET } from '../../knowledge/kinds.js';
import type { Session } from '../../session/session.js';
import { TreeFiles } from '../../session/tree-files.js';
import type { GraphAndHeader } from './snapshot-graph.js';

/** The set that was read last, by the object reader of the session, while the tips of its refs stay. */
const lastRead = new WeakMap<object, { tips: string; read: EvidenceSet }>();

interface EvidenceSet {
  evidence: Evidence;
  store: EntryStore<EvidenceBody>;
  /** Number of entries in the store, which `addAll` asks for. */
  entries: number;
}

/** Reads the coverage that was imported, without entries that this version cannot read. */
export async function readEvidence({
  repository,
  objects,
}: Pick<Session, 'repository' | 'objects'>): Promise<EvidenceSet> {
  const store = new EntryStore({ repository, objects }, EVIDENCE, ONE_SET);
  const tips = (await store.tips()).join(' ');
  const before = lastRead.get(objects);
  if (before?.tips === tips) return before.read;
  const entries = (await store.read()).entries.map(({ entry }) => entry);
  const read = { evidence: new Evidence(entries), store, entries: entries.length };
  lastRead.set(objects, { tips, read });
  return read;
}

const SHORT_COMMIT = 7;

/**
 * Tests that ran any of the nodes, by path; of several nodes only functions count if there are any. A definition ran if a line of its body
 * did: the first line of a function runs when its file is loaded.
 */
export function ranTests(graph: Graph, nodes: readonly number[], evidence: Evidence): RanTest[] {
  const functions = nodes.filter((node) => isFunction(graph, node));
  const found = new Map<string, RanTest>();
  for (const node of functions.length > 0 ? functions : nodes) {
    const { oid } = graph.tables.files[graph.fileOf(node)];
    const [first, end] = graph.isFile(node)
      ? [1, Number.POSITIVE_INFINITY]
      : [graph.startLine(node), graph.endLine(node)];
    const start = isFunction(graph, node) && end > first ? first + 1 : first;
    for (const { test, label, commit } of evidence.ranAt(oid, { start, end })) {
      const path = test?.path ?? null;
      const file = test === null ? -1 : graph.findFile(test.path);
      const isSame = test === null || graph.tables.files[file]?.oid === test.blob;
      if (isSame && !found.has(path ?? ''))
        found.set(path ?? '', { path, by: `${label} of ${commit.slice(0, SHORT_COMMIT)}` });
    }
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, ran]) => ran);
}

// How tests ended. Runs are other people's word: their authors are shown, and a caller can ask for those that a trusted key has signed.

/** Runs that count. */
export interface Believed {
  label?: string;
  /** Part of the author's name or address. */
  by?: string;
  signed?: boolean;
}

export interface TestRun {
  author: string;
  label: string;
  commit: string;
  isSigned: boolean;
  time: number;
}

/** Outcomes of one test file with one content of everything that it reaches. */
export interface KnownOutcome {
  passed: TestRun | null;
  failed: TestRun | null;
}

type Outcomes = Claim & { body: OutcomesBody };
const NOTHING: KnownOutcome = { passed: null, failed: null };

/** Outcomes of tests by what they reached. Every entry is taken in, the oldest first, before anything is asked. */
export class KnownOutcomes {
  /** Outcomes by path and key. */
  private readonly runs = new Map<string, KnownOutcome>();
  /** Outcomes that the set of this month has: path, key, and whether it passed. */
  private readonly ofThisMonth = new Set<string>();
  /** Paths of tests that ever ended. */
  readonly tests = new Set<string>();
  /** Number of runs of tests that were known to pass as they are, and passed again. */
  again = 0;
  /** Number of tests that were known to pass as they are, and failed in a later run; each is counted once. */
  missed = 0;
  /** Time of the newest run, in seconds since 1970. */
  private newest = 0;

  /** `store` is that of this month, and `entries` is the number of entries in it. */
  constructor(
    private readonly store: EntryStore<EvidenceBody>,
    private readonly entries: number,
  ) {}

  /** Takes in an entry; earlier ones come first. `isThisMonth`: it is in the set of this month. */
  take(
    { body, time }: Outcomes,
    { author, isSigned }: { author: string; isSigned: boolean },
    isThisMonth: boolean,
  ): void {
    const { label, commit } = body;
    this.newest = Math.max(this.newest, time);
    this.again += body.again;
    for (const { path, key, isPassed } of body.outcomes) {
      const at = `${path}\0${key}`;
      const before = this.runs.get(at) ?? NOTHING;
      const run: TestRun = { author, label, commit, isSigned, time };
      if (!isPassed && before.passed !== null && before.failed === null) this.missed++;
      this.runs.set(at, { ...before, [isPassed ? 'passed' : 'failed']: run });
      this.tests.add(path);
      if (isThisMonth) this.ofThisMonth.add(`${at}\0${isPassed}`);
    }
  }

  /** `key`: hash of what the test reaches, as `TestReach` gives it. */
  of(path: string, key: string): KnownOutcome {
    return this.runs.get(`${path}\0${key}`) ?? NOTHING;
  }

  /**
   * Time of a new run, in seconds since 1970: `time`, or a later one than all known runs within the same second, since their order says
   * what would have been missed. A known run more than a minute ahead is of a wrong clock, and does not count.
   */
  timeAfter(time: number): number {
    return this.newest < time + MINUTE ? Math.max(time, this.newest + 1) : time;
  }

  isOfThisMonth({ path, key, isPassed }: { path: string; key: string; isPassed: boolean }): boolean {
    return this.ofThisMonth.has(`${path}\0${key}\0${isPassed}`);
  }

  /** Adds entries to the set of this month, which is shared. Throws as `EntryStore.addAll` does. */
  async add(claim: Claim, bodies: readonly OutcomesBody[]): Promise<void> {
    const isShared = true;
    await this.store.addAll(
      bodies.map((body) => ({ ...claim, body })),
      isShared,
      this.entries,
    );
  }
}

/** Reads the outcomes of the last months, of runs that count. `time`: now, in seconds since 1970. */
export async function readOutcomes(session: Session, time: number, believed: Believed): Promise<KnownOutcomes> {
  const { repository, objects } = session;
  const stores = outcomeSets(time).map((set) => new EntryStore({ repository, objects }, EVIDENCE, set));
  const read = await Promise.all(stores.map((store) => store.read()));
  // The first set is that of this month.
  const known = new KnownOutcomes(stores[0], read[0].entries.length);
  const all = read.flatMap(({ entries }, i) => entries.map(({ entry }) => ({ entry, isThisMonth: i === 0 })));
  for (const { entry, isThisMonth } of all.sort((a, b) => inTime(a.entry, b.entry))) {
    // A clock that is ahead could make a run count for longer than any other.
    if (!isOutcomes(entry) || entry.time > time + DAY) continue;
    const runner = await runnerOf(session, entry, believed);
    if (runner !== null) known.take(entry, runner, isThisMonth);
  }
  return known;
}

/** In seconds. */
const MINUTE = 60;
const DAY = 86_400;
const isOutcomes = (entry: Entry<EvidenceBody>): entry is Entry<OutcomesBody> => 'outcomes' in entry.body;

/** Author or signer of a run; null for one that does not count. */
async function runnerOf(
  { repository, gitConfig }: Session,
  entry: Entry<OutcomesBody>,
  { label, by, signed }: Believed,
): Promise<{ author: string; isSigned: boolean } | null> {
  if (label !== undefined && entry.body.label !== label) return null;
  const { name, email } = entry.author;
  let author = email === '' ? name : `${name} <${email}>`;
  if (signed) {
    const { signature } = entry.body;
    const signing = { git: repository.git, gitConfig };
    const signer = signature === '' ? null : await signerOf(signing, signature, outcomesDigest(entry));
    if (signer === null) return null;
    author = signer;
  }
  if (by !== undefined && !author.toLowerCase().includes(by.toLowerCase())) return null;
  return { author, isSigned: signed === true };
}

/** Largest file that is read for the names in it. */
const MOST_BYTES = 2 << 20;

/** Opens a snapshot to find out what its tests reach, with the uncommitted files that belong to it. */
export async function openReach(session: Session, { graph, origin, header }: GraphAndHeader): Promise<TestReach> {
  // Kind and object id of each file by its path: `file 1a2b3c…`.
  const files = new Map<string, string>();
  for (const { path, oid, type } of await session.objects.list(origin.resolved.tree)) files.set(path, `${type} ${oid}`);
  const isWorkTree = header.ref === 'HEAD' && header.overlay > 0;
  const changes = isWorkTree && session.readChanges !== null ? (await session.readChanges()).list : [];
  const byPath = new Map(changes.map((change) => [change.path, change]));
  const tree = new TreeFiles(session, origin, isWorkTree, byPath);
  for (const { path } of changes) {
    const found = await tree.find(path);
    if (found === null || found.kind === 'deleted') files.delete(path);
    // A file that cannot be read may be anything, and equals nothing.
    else files.set(path, found.kind === 'file' ? `file ${found.oid}` : randomUUID());
  }
  const read = async (path: string) => {
    const found = await tree.find(path);
    return found?.kind === 'file' && found.bytes.length <= MOST_BYTES ? found.bytes.toString('utf8') : null;
  };
  return new TestReach({ graph, files, ran: filesRan(files, (await readEvidence(session)).evidence), read });
}

/** Paths of the files of which coverage reports say that a test ran them, by the test, while the bytes of both are those of the report. */
function filesRan(files: ReadonlyMap<string, string>, evidence: Evidence): Map<string, string[]> {
  const oidOf = (path: string) => files.get(path)?.split(' ')[1];
  const ran = new Map<string, string[]>();
  for (const path of files.keys())
    for (const { test } of evidence.ranAt(oidOf(path) ?? '', EVERY_LINE)) {
      if (test === null || oidOf(test.path) !== test.blob) continue;
      addTo(ran, test.path, path);
    }
  return ran;
}

const EVERY_LINE = { start: 1, end: Number.POSITIVE_INFINITY };
