/** Names that resemble one that no symbol has. */
import { editDistance } from '../../base/edit-distance.js';
import { nameKey } from '../../extract/terms.js';
import type { Graph } from '../graph.js';
import { isPlain } from './uses.js';

const MAX_SUGGESTIONS = 3;
/** Edits beyond a third of the name make another name. */
const EDITS_PER_LETTER = 3;
/** Shorter words occur in too many names. */
const MIN_PART = 4;

/** `words`: the parts of the name as asked for; nearest first. */
export function nearestNames(graph: Graph, words: readonly string[]): string[] {
  const last = words[words.length - 1] ?? '';
  const wanted = nameKey(last);
  const owner = nameKey(words[words.length - 2] ?? '');
  const limit = editsOf(wanted);
  const found: { node: number; score: number }[] = [];
  for (const name of graph.names()) {
    const score = scoreOf(nameKey(name), wanted, limit);
    if (score === null) continue;
    const node = graph
      .nodesNamed(name)
      .find((each) => !isPlain(graph, each) && (score === 0 || isIn(graph, each, owner)));
    if (node !== undefined) found.push({ node, score });
  }
  found.sort((a, b) => a.score - b.score || a.node - b.node);
  return [...new Set(found.map(({ node }) => graph.qualifiedName(node)))].slice(0, MAX_SUGGESTIONS);
}

const editsOf = (key: string): number => Math.max(1, Math.floor(key.length / EDITS_PER_LETTER));

/** Is a definition in a type, or a file, of about that name? What is elsewhere and only resembles the name is no suggestion. */
function isIn(graph: Graph, node: number, owner: string): boolean {
  if (owner === '') return true;
  const file = graph.path(graph.fileOf(node)).split('/').at(-1)?.split('.')[0] ?? '';
  const around =
    graph
      .qualifiedName(node)
      .split(/[.#]|::/)
      .at(-2) ?? file;
  return editDistance(nameKey(around), owner) <= editsOf(owner);
}

/** Fewer is nearer; null for another name. */
function scoreOf(key: string, wanted: string, limit: number): number | null {
  if (key === wanted) return 0;
  const distance = Math.abs(key.length - wanted.length) > limit ? Number.POSITIVE_INFINITY : editDistance(wanted, key);
  if (distance <= limit) return distance;
  return wanted.length >= MIN_PART && key.includes(wanted) ? limit + 1 + (key.length - wanted.length) / 100 : null;
}
