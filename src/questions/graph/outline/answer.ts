/** `graph outline`: what files define, without their bodies; of a directory, of many files or of everything, a map. */
import { outlineOf } from '../../../graph/query/outline.js';
import { findDirectory, findPath } from '../../../graph/query/paths.js';
import { acceptsPath, resolveFile } from '../../../graph/query/target.js';
import type { GraphCandidates } from '../candidates/output.js';
import {
  ambiguous,
  type GraphQuestion,
  type GraphSource,
  type Prepared,
  prepareQuestion,
} from '../snapshot-graph.js';
import { pathMatcher } from '../../../search/filter.js';
import { openFacts } from '../../../session/graph/facts-source.js';
import type { Session } from '../../../session/session.js';
import type { GraphMapResponse, GraphOutlineResponse } from '../../../engine/contract.js';

export interface OutlineOptions extends GraphQuestion {
  /** Paths, ends of paths, globs, directories; none: a map of everything. */
  files: readonly string[];
  /** Of a map. */
  maxTokens?: number;
  /** Default: in maps. */
  signatures?: boolean;
  docs?: boolean;
}

const DEFAULT_LIMIT = 500;

/** More files that a glob means are shown as a map. */
const MAX_OUTLINED = 12;
const GLOB = /[*?{[]/;

/** `limit` is for each file. Throws BAD_ARGUMENT for a file that is not in the snapshot. */
export async function runOutline(
  session: Session,
  options: OutlineOptions,
  graphs?: GraphSource,
): Promise<GraphOutlineResponse | GraphMapResponse | GraphCandidates> {
  const prepared = await prepareQuestion(session, options, graphs);
  const { graph, prefix } = prepared;
  const { limit = DEFAULT_LIMIT } = options;
  const wanted = new Set<number>();
  const parts: Part[] = options.files.map((target) => partOf(prepared, target));
  if (parts.length === 0 || parts.some(({ isMap }) => isMap)) return map(session, prepared, { options, parts });
  for (const { target, accepts } of parts) {
    const found = accepts === null ? resolveFile(graph, target, prefix) : filesOf(prepared, accepts);
    if ('candidates' in found) return ambiguous(prepared, { target, candidates: found.candidates, limit });
    for (const file of 'file' in found ? [found.file] : found) wanted.add(file);
  }
  return outlines(session, prepared, { options, wanted: [...wanted] });
}

/** One of the things that were named. */
interface Part {
  target: string;
  /** Null: a file, by its path or the end of it. */
  accepts: ((path: string) => boolean) | null;
  isMap: boolean;
}

function partOf(prepared: Prepared, target: string): Part {
  const { graph, prefix } = prepared;
  if (findPath(graph, target, prefix) >= 0) return { target, accepts: null, isMap: false };
  const directory = findDirectory(graph, target, prefix);
  if (directory !== null) return { target, accepts: (path) => path.startsWith(directory), isMap: true };
  if (!GLOB.test(target)) return { target, accepts: null, isMap: false };
  const accepts = pathMatcher([target]);
  return { target, accepts, isMap: filesOf(prepared, accepts).length > MAX_OUTLINED };
}

function filesOf({ graph }: Prepared, accepts: (path: string) => boolean): number[] {
  return graph.tables.files.flatMap(({ path }, file) => (accepts(path) ? [file] : []));
}

async function map(
  session: Session,
  prepared: Prepared,
  { options, parts }: { options: OutlineOptions; parts: readonly Part[] },
): Promise<GraphMapResponse> {
  const { mapOf } = await import('./map/make-map.js');
  const { graph, prefix } = prepared;
  const tests = parts.map(({ target, accepts }) => accepts ?? acceptsPath(graph, target, prefix));
  const scope = {
    names: parts.map(({ target }) => target),
    accepts: (path: string) => tests.some((test) => test(path)),
  };
  const { maxTokens, signatures, signal } = options;
  return mapOf(session, prepared, { maxTokens, signatures, signal, ...(parts.length > 0 && { scope }) });
}

async function outlines(
  session: Session,
  prepared: Prepared,
  { options, wanted }: { options: OutlineOptions; wanted: readonly number[] },
): Promise<GraphOutlineResponse> {
  const { graph, header } = prepared;
  const { limit = DEFAULT_LIMIT, signal } = options;
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
