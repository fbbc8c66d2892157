/** `graph outline`: what files define, without their bodies. */
import { outlineOf } from '../../graph/query/outline.js';
import { resolveFile } from '../../graph/query/target.js';
import type { GraphCandidates, GraphOutlineResponse } from '../contract.js';
import type { Session } from '../session.js';
import { openFacts } from './facts-source.js';
import { ambiguous, type GraphQuestion, type GraphSource, prepareQuestion } from './question.js';

export interface OutlineOptions extends GraphQuestion {
  files: readonly string[];
  signatures?: boolean;
  docs?: boolean;
}

const DEFAULT_LIMIT = 500;

/** `limit` is for each file. Throws BAD_ARGUMENT for a file that is not in the snapshot. */
export async function runOutline(
  session: Session,
  options: OutlineOptions,
  graphs?: GraphSource,
): Promise<GraphOutlineResponse | GraphCandidates> {
  const prepared = await prepareQuestion(session, options, graphs);
  const { graph, header, prefix } = prepared;
  const { limit = DEFAULT_LIMIT, signal } = options;
  const wanted: number[] = [];
  for (const target of options.files) {
    const found = resolveFile(graph, target, prefix);
    if ('candidates' in found) return ambiguous(prepared, { target, candidates: found.candidates, limit });
    if (!wanted.includes(found.file)) wanted.push(found.file);
  }
  const source = await openFacts(session, prepared, { count: wanted.length, signal });
  const files: GraphOutlineResponse['files'] = [];
  try {
    for (const file of wanted) {
      const { path, oid, language } = graph.tables.files[file];
      const [facts, bytes] = [await source.facts({ oid, path }), await source.bytes(oid)];
      const symbols = facts === null || bytes === null ? [] : outlineOf(facts, bytes, options);
      files.push({
        ...{ path, language, lines: facts?.lines ?? 0, bytes: bytes?.length ?? 0 },
        degraded: facts === null || source.degraded.has(oid),
        symbols: symbols.slice(0, limit),
        leftOut: Math.max(0, symbols.length - limit),
      });
    }
  } finally {
    await source.close();
  }
  return { ...header, files };
}
