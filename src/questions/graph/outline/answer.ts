/** Answers `graph outline`: what files define; of a directory, of many files or of everything, a map. */
import { findDirectory, findPath } from '../../../graph/query/paths.js';
import { acceptsPath, resolveFile } from '../../../graph/query/target.js';
import { pathMatcher } from '../../../search/filter.js';
import { openFacts } from '../../../session/graph/facts-source.js';
import type { Asker } from '../../asker.js';
import type { GraphCandidates } from '../candidates/output.js';
import { LISTED } from '../limits.js';
import { ambiguous, type GraphAndHeader, prepareGraph } from '../snapshot-graph.js';
import type { GraphMapResponse } from './map/output.js';
import { outlineOf } from './outline-of.js';
import type { GraphOutlineResponse } from './output.js';
import type { OutlineValues } from './question.js';

/** Most files of a glob that are outlined one by one; more are shown as a map. */
const MAX_OUTLINED = 12;
const GLOB = /[*?{[]/;

/** Throws BAD_ARGUMENT for a file that is not in the snapshot. */
export async function answerOutline(
  at: Asker,
  values: OutlineValues,
): Promise<GraphOutlineResponse | GraphMapResponse | GraphCandidates> {
  const { files = [], limit = LISTED.outline } = values;
  const prepared = await prepareGraph(at, values);
  const { graph, prefix } = prepared;
  const parts: Part[] = files.map((target) => partOf(prepared, target));
  if (parts.length === 0 || parts.some(({ isMap }) => isMap)) return mapOfParts(at, prepared, { values, parts });
  const wanted = new Set<number>();
  for (const { target, accepts } of parts) {
    const found = accepts === null ? resolveFile(graph, target, prefix) : filesOf(prepared, accepts);
    if ('candidates' in found) return ambiguous(prepared, { target, ...found, limit });
    for (const file of 'file' in found ? [found.file] : found) wanted.add(file);
  }
  return outlines(at, prepared, { values, wanted: [...wanted] });
}

/** A file, directory or glob that was named. */
interface Part {
  target: string;
  /** Null for a file, named by its path or the end of it. */
  accepts: ((path: string) => boolean) | null;
  isMap: boolean;
}

function partOf(prepared: GraphAndHeader, target: string): Part {
  const { graph, prefix } = prepared;
  if (findPath(graph, target, prefix) >= 0) return { target, accepts: null, isMap: false };
  const directory = findDirectory(graph, target, prefix);
  if (directory !== null) return { target, accepts: (path) => path.startsWith(directory), isMap: true };
  if (!GLOB.test(target)) return { target, accepts: null, isMap: false };
  const accepts = pathMatcher([target]);
  return { target, accepts, isMap: filesOf(prepared, accepts).length > MAX_OUTLINED };
}

function filesOf({ graph }: GraphAndHeader, accepts: (path: string) => boolean): number[] {
  return graph.tables.files.flatMap(({ path }, file) => (accepts(path) ? [file] : []));
}

async function mapOfParts(
  { session, signal }: Asker,
  prepared: GraphAndHeader,
  { values, parts }: { values: OutlineValues; parts: readonly Part[] },
): Promise<GraphMapResponse> {
  const { mapOf } = await import('./map/make-map.js');
  const { graph, prefix } = prepared;
  const tests = parts.map(({ target, accepts }) => accepts ?? acceptsPath(graph, target, prefix));
  const scope = {
    names: parts.map(({ target }) => target),
    accepts: (path: string) => tests.some((test) => test(path)),
  };
  const { maxTokens: budget, signatures } = values;
  return mapOf(session, prepared, { budget, signatures, signal, ...(parts.length > 0 && { scope }) });
}

async function outlines(
  { session, signal }: Asker,
  prepared: GraphAndHeader,
  { values, wanted }: { values: OutlineValues; wanted: readonly number[] },
): Promise<GraphOutlineResponse> {
  const { graph, header } = prepared;
  const { limit = LISTED.outline } = values;
  const source = await openFacts(session, prepared, { count: wanted.length, signal });
  const files: GraphOutlineResponse['files'] = [];
  try {
    for (const file of wanted) {
      const { path, oid, language } = graph.tables.files[file];
      const [facts, bytes] = [await source.facts({ oid, path }), await source.bytes(oid)];
      const symbols = facts === null || bytes === null ? [] : outlineOf(facts, bytes, values);
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
