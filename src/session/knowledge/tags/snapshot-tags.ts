/** Tags that rules give in a snapshot: from memory, from the kept file, or derived from its graph. */
import { phase } from '../../../base/phases.js';
import { remember } from '../../../base/remember.js';
import type { Graph } from '../../../graph/graph.js';
import { LINK_VERSION } from '../../../graph/link-input.js';
import { cacheKey } from '../../graph/graph-cache.js';
import type { PreparedGraph } from '../../graph/prepare.js';
import type { Session } from '../../session.js';
import type { SnapshotOrigin } from '../../snapshot/snapshot.js';
import { deriveTags, type MatchedLines } from './derive.js';
import { type KeptTags, readKeptTags, writeKeptTags } from './kept.js';
import { hashOf, type KnownRule, type RuleTests, testsOf } from './rules.js';

/** Snapshots whose tags a long-lived process keeps. */
const KEPT = 4;
/** Lines that one expression may match; beyond them its tags would be those of the whole repository. */
const MAX_LINES = 200_000;

const MEMORY = new WeakMap<Session, Map<string, KeptTags>>();
/** Of graphs with uncommitted files, which have no key. */
const OF_GRAPHS = new WeakMap<Graph, { hash: string; tags: KeptTags }>();

const keyOf = ({ key, compiled }: SnapshotOrigin, hash: string): string =>
  cacheKey(LINK_VERSION, key, compiled ?? null, hash);

function memoryOf(session: Session): Map<string, KeptTags> {
  const known = MEMORY.get(session) ?? new Map<string, KeptTags>();
  MEMORY.set(session, known);
  return known;
}

/** Tags of a snapshot as committed, if they are kept; null otherwise. */
export function keptTags(session: Session, origin: SnapshotOrigin, rules: readonly KnownRule[]): KeptTags | null {
  const key = keyOf(origin, hashOf(rules));
  const memory = memoryOf(session);
  const known = memory.get(key) ?? phase('tags', () => readKeptTags(session.shards.directory, key));
  if (known !== null) remember(memory, key, known, KEPT);
  return known;
}

export interface Derivation {
  /** The snapshot, as expressions read it. */
  target: { ref?: string; committed?: boolean };
  signal: AbortSignal;
}

/** Throws BAD_CONFIG for a rule that cannot be applied. */
export async function derivedTags(
  session: Session,
  prepared: PreparedGraph,
  rules: readonly KnownRule[],
  derivation: Derivation,
): Promise<KeptTags> {
  const { graph, origin, coverage } = prepared;
  const hash = hashOf(rules);
  const known = OF_GRAPHS.get(graph);
  if (known?.hash === hash) return known.tags;
  const tests = rules.map(testsOf);
  const { matched, unread } = await matchLines(session, tests, derivation);
  const places = phase('tags', () => deriveTags(graph, tests, matched));
  const tags = { places, coverage, unread };
  OF_GRAPHS.set(graph, { hash, tags });
  if (prepared.uncommitted.size === 0 && isFinal(prepared) && unread === 0) {
    const key = keyOf(origin, hash);
    remember(memoryOf(session), key, tags, KEPT);
    if (session.readChanges !== null) writeKeptTags(session.shards.directory, key, tags);
  }
  return tags;
}

/** No later record or grammar changes the graph. */
function isFinal({ coverage: { covered, total }, graph }: PreparedGraph): boolean {
  return covered === total && graph.tables.files.every(({ state }) => state !== 'degraded' && state !== 'unreadable');
}

/** Runs the expressions of rules over the text of the snapshot, in the engine of `grep`. */
async function matchLines(
  session: Session,
  tests: readonly RuleTests[],
  { target, signal }: Derivation,
): Promise<{ matched: Map<number, MatchedLines>; unread: number }> {
  const matched = new Map<number, MatchedLines>();
  let unread = 0;
  for (const [rule, { pattern, acceptsFile }] of tests.entries()) {
    if (pattern === null) continue;
    const { grep } = await import('../../grep/grep.js');
    const { matches, givenUp } = await grep(session, pattern, {
      ...target,
      within: acceptsFile,
      limit: MAX_LINES,
      signal,
    });
    unread += givenUp.length;
    matched.set(rule, new Map(matches.map(({ file, hits }) => [file.path, hits.map(({ line }) => line)])));
  }
  return { matched, unread };
}
