/** Gathers what is to be summarized: files and symbols with what a model is shown of them, and the folders above them. */
import { SocraticodeError } from '../../../base/errors.js';
import type { Graph } from '../../../graph/graph.js';
import { isOnMap } from '../../../graph/query/central.js';
import { findDirectory, findPath } from '../../../graph/query/paths.js';
import { resolveTarget } from '../../../graph/query/target.js';
import { isPlain } from '../../../graph/query/uses.js';
import type { SummaryKind } from '../../../knowledge/summary.js';
import { openFacts } from '../../../session/graph/facts-source.js';
import type { Asker } from '../../asker.js';
import type { GraphAndHeader } from '../../graph/snapshot-graph.js';
import { extractFile, extractSymbol } from './extract.js';
import { fileShown, symbolShown } from './shown.js';

export interface Unit {
  kind: SummaryKind;
  path: string;
  symbol: string | null;
  /** Everything that the model is shown. */
  shown: string;
  /** The summary without a model. */
  extracted: string;
  blob: string;
  isCommitted: boolean;
}

export interface Gathered {
  /** Files and symbols that were asked for, and files below folders that were. */
  units: Unit[];
  /** Folders that were asked for, with those below them; '' for the repository. */
  folders: string[];
}

interface Wish {
  targets: readonly string[];
  /** Below folders also the definitions that other files use. */
  symbols?: boolean;
}

/** Throws BAD_ARGUMENT for a target that nothing is called, or that several things are. */
export async function gather(at: Asker, prepared: GraphAndHeader, { targets, symbols }: Wish): Promise<Gathered> {
  const { graph, prefix } = prepared;
  const wanted = new Map<number, number[]>();
  const folders = new Set<string>();
  const want = (file: number, node?: number) => {
    const nodes = wanted.get(file) ?? [];
    if (node !== undefined) nodes.push(node);
    wanted.set(file, nodes);
  };
  const whole = new Set<number>();
  for (const target of targets) {
    const folder = ['.', '/', ''].includes(target)
      ? ''
      : findPath(graph, target, prefix) >= 0
        ? null
        : (findDirectory(graph, target, prefix)?.replace(/\/$/, '') ?? null);
    if (folder !== null) {
      for (const file of filesBelow(graph, folder)) {
        want(file);
        if (symbols) for (const node of usedElsewhere(graph, file)) want(file, node);
        whole.add(file);
        for (const each of foldersAbove(graph.tables.files[file].path, folder)) folders.add(each);
      }
      continue;
    }
    const node = nodeOf(prepared, target);
    want(graph.fileOf(node), graph.isFile(node) ? undefined : node);
    if (graph.isFile(node)) whole.add(graph.fileOf(node));
  }
  const units = await read(at, prepared, { wanted, whole });
  const deepestFirst = [...folders].sort((a, b) => b.split('/').length - a.split('/').length || (a < b ? -1 : 1));
  return { units, folders: [...deepestFirst.filter((each) => each !== ''), ...(folders.has('') ? [''] : [])] };
}

function nodeOf({ graph, prefix }: GraphAndHeader, target: string): number {
  const found = resolveTarget(graph, target, { prefix });
  if (!('candidates' in found)) return found.nodes[0];
  const picks = found.candidates.slice(0, 3).map(({ pick }) => pick);
  throw new SocraticodeError('BAD_ARGUMENT', `${target} is ambiguous: ${found.candidates.length} definitions`, {
    hint: `Name one by its place: ${picks.join(', ')}`,
  });
}

/** Definitions of a file that other files use: a summary of every helper would cost most and be read least. */
function usedElsewhere(graph: Graph, file: number): number[] {
  const found: number[] = [];
  for (let node = graph.fileNode(file) + 1; node < graph.tables.nodeBase[file + 1]; node++)
    if (!isPlain(graph, node) && [...graph.incoming(node)].some((edge) => graph.fileOf(graph.source(edge)) !== file))
      found.push(node);
  return found;
}

/** Production code below a folder: tests, copies and generated files would cost as much and say little. */
function filesBelow(graph: Graph, folder: string): number[] {
  const found: number[] = [];
  for (const [file, { path }] of graph.tables.files.entries())
    if ((folder === '' || path.startsWith(`${folder}/`)) && isOnMap(graph, file)) found.push(file);
  return found;
}

/** Folders around a path, up to and with `top`. */
function foldersAbove(path: string, top: string): string[] {
  const found: string[] = [];
  for (let at = path; at !== top && at !== ''; ) {
    at = at.includes('/') ? at.slice(0, at.lastIndexOf('/')) : '';
    found.push(at);
  }
  return found;
}

interface Wanted {
  /** Symbols by their file. */
  wanted: ReadonlyMap<number, readonly number[]>;
  /** Files that are summarized themselves. */
  whole: ReadonlySet<number>;
}

async function read(at: Asker, prepared: GraphAndHeader, { wanted, whole }: Wanted): Promise<Unit[]> {
  const { graph, uncommitted } = prepared;
  const files = [...wanted.keys()].sort((a, b) => a - b);
  const byPath = new Map(files.map((file) => [graph.tables.files[file].path, file]));
  const units: Unit[] = [];
  const source = await openFacts(at.session, prepared, { count: files.length, signal: at.signal });
  try {
    await source.prefetch(
      files.map((file) => graph.tables.files[file]),
      { update: (done, total) => at.progress(done, total, 'reading files'), finish: () => {} },
      ({ path, oid }, facts, bytes) => {
        const file = byPath.get(path) as number;
        const about = { path, blob: oid, isCommitted: !uncommitted.has(path) };
        const read = facts === null || bytes === null ? null : { facts, bytes };
        if (whole.has(file))
          units.push({
            ...{ kind: 'file', ...about, symbol: null, extracted: extractFile(graph, file, read) },
            shown: read === null ? '' : fileShown(source.languageOf(path) ?? '', read),
          });
        if (read === null) return;
        for (const node of wanted.get(file) ?? [])
          units.push({
            ...{ kind: 'symbol', ...about, symbol: graph.qualifiedName(node) },
            ...{
              extracted: extractSymbol(graph, node, read),
              shown: symbolShown(source.languageOf(path) ?? '', node - graph.fileNode(file) - 1, read),
            },
          });
      },
    );
  } finally {
    await source.close();
  }
  return units.sort((a, b) =>
    a.path !== b.path ? (a.path < b.path ? -1 : 1) : Number(a.kind === 'file') - Number(b.kind === 'file'),
  );
}
