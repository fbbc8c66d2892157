/** Answers `docs drift`. */
import { type Documented, Resolver } from '../../../documents/resolve.js';
import { emptyGraph } from '../../../graph/graph.js';
import { cut, isProduction } from '../../../graph/query/place.js';
import { publishedPackages } from '../../../session/documents/published.js';
import { readDocuments } from '../../../session/documents/read-documents.js';
import { openFacts } from '../../../session/graph/facts-source.js';
import { parseRange } from '../../../session/snapshot/range.js';
import type { Asker } from '../../asker.js';
import { type BothGraphs, prepareBothGraphs } from '../../graph/both-graphs.js';
import { changedSymbols } from '../../graph/impact/changed-symbols.js';
import { compareSides } from '../../graph/impact/sides/compare.js';
import { FileTexts } from '../../graph/impact/sides/file-texts.js';
import { type GraphAndHeader, prepareGraph } from '../../graph/snapshot-graph.js';
import { codeThatHolds } from '../comments.js';
import { LISTED } from '../limits.js';
import { isOwnDocument, missingFiles, missingMembers, pathsOf } from './absent.js';
import { goneMentions, mentionsOfChanged } from './gone.js';
import { misfits, newMisfits } from './misfits.js';
import type { ChangedMention, DocsDriftDocument, Drift } from './output.js';
import type { DriftValues } from './question.js';

/** Throws BAD_ARGUMENT and UNKNOWN_REF. */
export async function answerDrift(at: Asker, values: DriftValues): Promise<DocsDriftDocument> {
  const { range, limit = LISTED.drift } = values;
  const both = range === undefined ? null : await prepareBothGraphs(at, parseRange(range), values);
  const after = both?.after ?? (await prepareGraph(at, values));
  const { documents: all, leftOut, published } = await readDocuments(at.session, after);
  const documents = all.filter((document) => isOwnDocument(after.graph, document));
  const resolver = new Resolver(after.graph, all, published);
  const shared = { ...after.header, documents: { read: all.length, leftOut } };
  if (both === null) {
    const drift = await stateDrift(at, { after, resolver, documents });
    return { ...shared, drift: cut(drift, limit) };
  }
  const { drift, changed } = await rangeDrift(at, both, { after, resolver, documents });
  return { ...shared, from: both.from, drift: cut(drift, limit), changed: cut(changed, limit) };
}

interface Snapshot {
  after: GraphAndHeader;
  resolver: Resolver;
  documents: readonly Documented[];
}

/** Drift that a snapshot shows by itself. */
async function stateDrift(at: Asker, { after, resolver, documents }: Snapshot): Promise<Drift[]> {
  const source = await openFacts(at.session, after, { relations: true, signal: at.signal });
  try {
    const texts = new FileTexts(after.graph, source);
    const exists = await pathsOf(at, after);
    const members = await missingMembers(resolver, documents, texts);
    return inOrder([...missingFiles(documents, exists), ...members, ...(await misfits(resolver, documents, texts))]);
  } finally {
    await source.close();
  }
}

/** Drift that a change has brought: the same problems at the older side are older. */
async function rangeDrift(
  at: Asker,
  { before, after }: BothGraphs,
  snapshot: Snapshot,
): Promise<{ drift: Drift[]; changed: ChangedMention[] }> {
  const { resolver, documents } = snapshot;
  const older = before ?? { ...after, graph: emptyGraph() };
  const source = await openFacts(at.session, after, { relations: true, signal: at.signal });
  const digests = await openFacts(at.session, after, { signal: at.signal });
  try {
    const tree = before?.origin.resolved.tree ?? null;
    const changes = await changedSymbols(at.session, after, { tree, source: digests });
    const sides = compareSides(older.graph, after.graph, changes);
    const oldResolver = new Resolver(older.graph, documents, await publishedPackages(older, after));
    const texts = new FileTexts(after.graph, source);
    const isInCode = async (word: string) => {
      const files = await codeThatHolds(at, after, [word]);
      return files.some((file) => isProduction(after.graph, file));
    };
    const gone = await goneMentions({ sides, before: oldResolver, after: resolver, documents, texts, isInCode });
    const former = new FileTexts(older.graph, source);
    const wrong = await newMisfits(
      { resolver: oldResolver, texts: former },
      { resolver, texts },
      { documents, changed: changes.paths },
    );
    const unchanged = documents.filter(({ path }) => isSame(older, after, path));
    const changed = mentionsOfChanged(resolver, unchanged, changes.symbols);
    return { drift: inOrder([...gone, ...wrong]), changed };
  } finally {
    await Promise.all([source.close(), digests.close()]);
  }
}

function isSame({ graph: old }: Pick<GraphAndHeader, 'graph'>, { graph: now }: GraphAndHeader, path: string): boolean {
  const [before, after] = [old.findFile(path), now.findFile(path)];
  return before >= 0 && after >= 0 && old.tables.files[before].oid === now.tables.files[after].oid;
}

/** By place. */
const inOrder = (drift: readonly Drift[]): Drift[] =>
  [...drift].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line));
