/** Answers `graph unused`. */
import { cut, isTestCode, placeOf } from '../../../graph/query/place.js';
import { resolveTarget } from '../../../graph/query/target.js';
import { CERTAINTIES, type Unused } from '../../../graph/query/unused.js';
import { lastNodeOf, membersOf } from '../../../graph/query/uses.js';
import { pathFilter } from '../../../search/filter.js';
import type { Asker } from '../../asker.js';
import type { GraphCandidates } from '../candidates/output.js';
import { LISTED } from '../limits.js';
import { ambiguous, type GraphAndHeader, prepareGraph } from '../snapshot-graph.js';
import { findUnused, unusedWithout } from './find-unused.js';
import type { GraphUnusedResponse, UnusedSymbol } from './output.js';
import type { UnusedValues } from './question.js';

/** Definitions whose history is walked: each takes seconds in a long one. */
const MAX_SINCE = 20;

/** Throws BAD_ARGUMENT for a symbol that nothing has. */
export async function answerUnused(at: Asker, values: UnusedValues): Promise<GraphUnusedResponse | GraphCandidates> {
  const { session, signal } = at;
  const { minCertainty = values.if === undefined ? 'certain' : 'likely', limit = LISTED.unused } = values;
  const prepared = await prepareGraph(at, values);
  const { graph, header, prefix } = prepared;
  const wanted = { least: minCertainty, signal };
  let found: readonly Unused[];
  let deleted: Pick<GraphUnusedResponse, 'if'> = {};
  if (values.if === undefined) found = await findUnused(session, prepared, wanted);
  else {
    const target = resolveTarget(graph, values.if, { prefix });
    if ('candidates' in target) return ambiguous(prepared, { target: values.if, ...target, limit });
    deleted = { if: { target: values.if, definitions: target.nodes.map((node) => placeOf(graph, node)) } };
    found = await unusedWithout(session, prepared, { ...wanted, without: withInside(prepared, target.nodes) });
  }
  const accepts = pathFilter({ path: values.path });
  const own = found.filter(({ node }) => accepts(graph.path(node)));
  const shown = own.filter(({ node }) => values.tests || !isTestCode(graph, node));
  shown.sort((a, b) => CERTAINTIES.indexOf(a.certainty) - CERTAINTIES.indexOf(b.certainty) || a.node - b.node);
  const unused = cut(
    shown.map((each) => describe(prepared, each)),
    limit,
  );
  if (values.since) await addLastUses(at, prepared, { shown, list: unused.list });
  return {
    ...header,
    ...deleted,
    minCertainty,
    lines: shown.reduce((sum, { node }) => sum + graph.endLine(node) - graph.startLine(node) + 1, 0),
    inTests: own.length - shown.length,
    unused,
  };
}

/** With everything inside: of a file all that it defines. */
function withInside({ graph }: GraphAndHeader, nodes: readonly number[]): ReadonlySet<number> {
  const all = nodes.flatMap((node) => {
    if (!graph.isFile(node)) return [node, ...membersOf(graph, node)];
    return Array.from({ length: lastNodeOf(graph, node) - node }, (_, i) => node + i);
  });
  return new Set(all);
}

function describe({ graph }: GraphAndHeader, { node, certainty, usedBy, verdict, reason }: Unused): UnusedSymbol {
  return { ...placeOf(graph, node), certainty, usedBy, verdict, reason, members: membersOf(graph, node).length };
}

async function addLastUses(
  { session, signal, progress }: Asker,
  prepared: GraphAndHeader,
  { shown, list }: { shown: readonly Unused[]; list: UnusedSymbol[] },
): Promise<void> {
  const { lastUseOf } = await import('./last-use.js');
  const count = Math.min(list.length, MAX_SINCE);
  for (let i = 0; i < count; i++) {
    progress(i, count, 'walking history');
    list[i].since = await lastUseOf(session, prepared, { node: shown[i].node, signal });
  }
}
