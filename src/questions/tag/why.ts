/** Answers `tag why`: the tags of a symbol or file, and which rule or person gave each. */

import type { Graph } from '../../graph/graph.js';
import { resolveTarget } from '../../graph/query/target.js';
import { evidenceOf } from '../../session/knowledge/tags/explain.js';
import { testsOf } from '../../session/knowledge/tags/rules.js';
import type { Asker } from '../asker.js';
import type { GraphCandidates } from '../graph/candidates/output.js';
import { LISTED } from '../graph/limits.js';
import { ambiguous, type GraphAndHeader, prepareGraph } from '../graph/snapshot-graph.js';
import { givenItem, placeItem, toldBy } from './answer.js';
import type { TagReason, TagWhyDocument } from './output.js';
import type { TagWhyValues } from './question.js';
import { keyOf, type TagPlace } from './read/places.js';
import { readTags, type SnapshotTags } from './read/read-tags.js';

/** Throws BAD_ARGUMENT for a target that nothing is called. */
export async function answerTagWhy(at: Asker, values: TagWhyValues): Promise<TagWhyDocument | GraphCandidates> {
  const prepared = await prepareGraph(at, values);
  const { graph, header, prefix } = prepared;
  const found = resolveTarget(graph, values.target, { prefix });
  if ('candidates' in found)
    return ambiguous(prepared, { target: values.target, candidates: found.candidates, limit: LISTED.candidates });
  const read = await readTags(at, values);
  const around = nodesAround(graph, found.nodes[0]);
  const tags = [...read.byTag].flatMap(([tag, places]) => {
    const own = places.filter((place) => around.has(keyOf(place)));
    const reasons = own.flatMap((place) =>
      reasonsOf(prepared, read, { place, node: around.get(keyOf(place)) as number }),
    );
    const given = own.flatMap((place) => (place.given ? [{ ...givenItem(place.given), of: placeItem(place) }] : []));
    return own.length === 0 ? [] : [{ tag, reasons, given }];
  });
  const place = placeItem(placeAt(graph, found.nodes[0]));
  return { ...header, target: values.target, place, tags, ...toldBy(read) };
}

/** The node itself, the symbols around it and its file, by their keys. */
function nodesAround(graph: Graph, node: number): Map<string, number> {
  const found = new Map<string, number>();
  for (let at = node; at >= 0; at = graph.container(at)) found.set(keyOf(placeAt(graph, at)), at);
  return found;
}

function placeAt(graph: Graph, node: number): Pick<TagPlace, 'path' | 'symbol' | 'lines'> {
  const path = graph.path(node);
  if (graph.isFile(node)) return { path, symbol: null, lines: null };
  const lines = { start: graph.startLine(node), end: graph.endLine(node) };
  return { path, symbol: graph.qualifiedName(node), lines };
}

function reasonsOf(
  { graph }: GraphAndHeader,
  { rules }: SnapshotTags,
  { place, node }: { place: TagPlace; node: number },
): TagReason[] {
  return place.rules.map((index) => {
    const { number, isBuiltIn, why } = rules[index];
    const source = isBuiltIn ? 'built-in' : '.socraticode.json';
    return {
      rule: { number, source, ...(why !== undefined && { why }) },
      of: placeItem(place),
      found: evidenceOf(graph, node, rules[index], testsOf(rules[index])),
    };
  });
}
