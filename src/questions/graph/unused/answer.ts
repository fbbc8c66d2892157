/**
 * Answers `graph unused`: finds unused definitions by the graph, then leaves out those whose names stand in text that
 * the graph does not explain.
 */
import { visibleLine } from '../../../base/printable.js';
import { identifierTerms } from '../../../extract/terms.js';
import type { Graph } from '../../../graph/graph.js';
import {
  excuseOfDeclaration,
  type NamePlace,
  plainName,
  unexplainedPlaces,
} from '../../../graph/query/name-occurrences.js';
import { cut, isTestCode, placeOf } from '../../../graph/query/node-place.js';
import { overloadsOf } from '../../../graph/query/overloads.js';
import { resolveTarget } from '../../../graph/query/target.js';
import {
  CERTAINTIES,
  type Certainty,
  type Excuse,
  encloses,
  type Unused,
  UnusedFinder,
} from '../../../graph/query/unused.js';
import { lastNodeOf, membersOf } from '../../../graph/query/uses.js';
import { optionText } from '../../../params/param.js';
import { pathFilter } from '../../../search/filter.js';
import type { PreparedGraph } from '../../../session/graph/prepare.js';
import type { Session } from '../../../session/session.js';
import { SnapshotPreparer } from '../../../session/snapshot/prepare.js';
import type { LiveSet } from '../../../shard/live-set.js';
import type { Asker } from '../../asker.js';
import { formatCount } from '../../format.js';
import type { Pen } from '../../pen.js';
import { LISTED } from '../graph-question.js';
import { count, more } from '../graph-text.js';
import type { GraphCandidates } from '../output.js';
import { ambiguous, type GraphAndHeader, prepareGraph } from '../snapshot-graph.js';
import type { GraphUnusedResponse, UnusedSymbol, UnusedValues } from './question.js';

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

interface Wanted {
  least: Certainty;
  /** Nodes that are taken for deleted. */
  without?: ReadonlySet<number>;
  signal?: AbortSignal;
}

/** Each round can bring to light what the one before took for used; texts of hostile repositories could go on for ever. */
const MAX_ROUNDS = 8;

/** Results of graphs that are still in memory: a server is asked again and again. */
const known = new WeakMap<Graph, Map<string, readonly Unused[]>>();

async function findUnused(session: Session, prepared: PreparedGraph, wanted: Wanted): Promise<readonly Unused[]> {
  const { graph } = prepared;
  const { least, without = new Set() } = wanted;
  const key = `${least} ${[...without].join()}`;
  const results = known.get(graph) ?? new Map<string, readonly Unused[]>();
  known.set(graph, results);
  const found = results.get(key) ?? (await search(session, prepared, { ...wanted, without }));
  results.set(key, found);
  return found;
}

async function search(
  session: Session,
  prepared: PreparedGraph,
  { least, without, signal }: Wanted & { without: ReadonlySet<number> },
): Promise<readonly Unused[]> {
  const { graph } = prepared;
  const finder = new UnusedFinder(graph, { without });
  const excuses = new Map<number, Excuse>();
  let found = finder.find(least);
  if (found.every(isDoubted)) return found;
  const texts = new TextUses(prepared, await openNameIndex(session, prepared, signal));
  for (let round = 0; round < MAX_ROUNDS; round++) {
    signal?.throwIfAborted();
    const sure = found.filter((each) => !isDoubted(each)).map(({ node }) => node);
    await texts.read(sure);
    const isDead = deadLines(graph, [...sure, ...without]);
    const before = excuses.size;
    for (const node of sure) {
      const excuse = excuses.has(node) ? null : texts.excuseOf(node, isDead);
      if (excuse !== null) excuses.set(node, excuse);
    }
    if (excuses.size === before) break;
    found = finder.find(least, excuses);
  }
  return found;
}

/** It may be used by something here in any case: its text need not be searched for more. */
const isDoubted = ({ certainty }: Unused): boolean => certainty === 'possible';

function deadLines(graph: Graph, nodes: readonly number[]): (file: number, line: number) => boolean {
  const byFile = new Map<number, number[]>();
  for (const node of nodes) {
    const file = graph.fileOf(node);
    byFile.set(file, [...(byFile.get(file) ?? []), node]);
  }
  return (file, line) => byFile.get(file)?.some((node) => !graph.isFile(node) && contains(graph, node, line)) === true;
}

/** Definitions that are unused without some others, and are used now. */
async function unusedWithout(
  session: Session,
  prepared: PreparedGraph,
  wanted: Wanted & { without: ReadonlySet<number> },
): Promise<readonly Unused[]> {
  const { graph } = prepared;
  const now = await findUnused(session, prepared, { ...wanted, without: undefined });
  const then = await findUnused(session, prepared, wanted);
  return then.filter(({ node }) => !now.some((other) => encloses(graph, other.node, node)));
}

// Looks names up in the text of a snapshot: strings, templates and configuration use code without an edge.

/** A name that stands in more files than this is a common word: it is not looked up. */
const MAX_FILES = 60;
/** Files read for one answer. */
const MAX_READ = 5_000;

class TextUses {
  private readonly places = new Map<string, NamePlace[]>();
  private readonly common = new Set<string>();
  private readonly declared = new Map<number, Excuse | null>();
  private readonly texts = new Map<number, string>();
  private readonly graph: Graph;

  constructor(
    private readonly prepared: PreparedGraph,
    private readonly index: NameIndex,
  ) {
    this.graph = prepared.graph;
  }

  /** Reads the files that hold the names of `nodes`, unless they were read before. */
  async read(nodes: readonly number[]): Promise<void> {
    const { graph } = this;
    const names = new Set(nodes.map((node) => plainName(graph.name(node))));
    for (const name of names) if (this.places.has(name) || this.common.has(name)) names.delete(name);
    const wanted = new Map<number, Set<string>>();
    for (const name of names) {
      const paths = this.index(name);
      const files = [...(paths ?? [])].map((path) => graph.findFile(path)).filter((file) => file >= 0);
      if (paths === null || files.length > MAX_FILES || wanted.size > MAX_READ) {
        this.common.add(name);
        continue;
      }
      this.places.set(name, []);
      for (const file of files) wanted.set(file, (wanted.get(file) ?? new Set()).add(name));
    }
    await this.readTexts([...wanted.keys(), ...nodes.map((node) => graph.fileOf(node))]);
    for (const [file, own] of wanted) {
      const text = this.texts.get(file) ?? '';
      for (const place of unexplainedPlaces(graph, file, { text, names: own }))
        this.places.get(place.name)?.push(place);
    }
    for (const node of nodes) {
      if (this.declared.has(node)) continue;
      this.declared.set(node, this.declaredExcuse(node));
    }
    this.texts.clear();
  }

  /** Why a definition may be used all the same; null for none. `isDead`: lines of code that is unused itself. */
  excuseOf(node: number, isDead: (file: number, line: number) => boolean): Excuse | null {
    const { graph } = this;
    const declared = this.declared.get(node) ?? null;
    if (declared !== null) return declared;
    const name = plainName(graph.name(node));
    if (this.common.has(name))
      return {
        verdict: 'mentioned',
        reason: `${name} is a common word, which was not looked up in the text of all files`,
      };
    const own = overloadsOf(graph, node);
    const place = this.places.get(name)?.find(({ file, line, isImport }) => {
      const isOwn = own.some((each) => graph.fileOf(each) === file && contains(graph, each, line));
      return !isOwn && !isDead(file, line) && !(isImport && this.isUsedIn(file, node));
    });
    if (place === undefined) return null;
    const where = `${graph.tables.files[place.file].path}:${place.line}`;
    return { verdict: 'mentioned', reason: `its name stands in ${where}${place.isText ? ', in quotes' : ''}` };
  }

  private declaredExcuse(node: number): Excuse | null {
    const { graph } = this;
    const lines = (this.texts.get(graph.fileOf(node)) ?? '').split('\n', graph.endLine(node));
    const container = graph.container(node);
    const isTopLevel = graph.isFile(container);
    const first = isTopLevel ? '' : (lines[graph.startLine(container) - 1] ?? '');
    const name = plainName(graph.name(node));
    return excuseOfDeclaration(lines.slice(graph.startLine(node) - 1), name, { isTopLevel, container: first });
  }

  /** Then the import is for that use, and says nothing more. */
  private isUsedIn(file: number, node: number): boolean {
    const { graph } = this;
    return [...graph.incoming(node)].some((edge) => graph.fileOf(graph.source(edge)) === file);
  }

  private async readTexts(files: readonly number[]): Promise<void> {
    const { objects, graph } = this.prepared;
    const wanted = [...new Set(files)];
    const read = await Promise.all(wanted.map((file) => objects.read(graph.tables.files[file].oid)));
    for (const [i, object] of read.entries())
      if (object?.type === 'blob') this.texts.set(wanted[i], object.content.toString('utf8'));
  }
}

export function contains(graph: Graph, node: number, line: number): boolean {
  return line >= graph.startLine(node) && line <= graph.endLine(node);
}

// Files whose text holds a name, from the index of words: only those are read.

/** Finds the paths of files that may hold a name, in any case and with any joiners; null for one that is too short to be indexed. */
type NameIndex = (name: string) => ReadonlySet<string> | null;

/** Uncommitted files may hold any name. */
async function openNameIndex(
  session: Session,
  { origin, uncommitted }: PreparedGraph,
  signal?: AbortSignal,
): Promise<NameIndex> {
  const { corpus } = await new SnapshotPreparer(session).prepare(origin, signal);
  return (name) => {
    // Of several terms the last is the whole name, which is the rarest.
    const term = identifierTerms(name).at(-1);
    if (term === undefined) return null;
    const paths = new Set(uncommitted);
    for (const path of pathsWith(corpus.live, term)) paths.add(path);
    return paths;
  };
}

function* pathsWith({ shards, bases, fileOf, files }: LiveSet, term: string): Generator<string> {
  for (const [i, shard] of shards.entries()) {
    const index = shard.findTerm(term);
    if (index < 0) continue;
    const { documents, count } = shard.postings(index);
    let last = -1;
    for (const document of documents.subarray(0, count)) {
      const file = fileOf[bases[i] + document];
      if (file < 0 || file === last) continue;
      last = file;
      yield* files.paths(file);
    }
  }
}

const TITLES: Readonly<Record<UnusedSymbol['certainty'], string>> = {
  certain: 'certain: no production code reaches them',
  likely: 'likely: only code outside of this repository can use them',
  possible: 'possible: something here may use them unseen',
};
const SHORT_OID = 9;

export function unusedText(
  response: GraphUnusedResponse,
  { pen, isCommand }: { pen: Pen; isCommand: boolean },
): string {
  const { unused, lines: all } = response;
  const number = count(unused, pen);
  const what = response.if === undefined ? 'unused' : `unused without ${visibleLine(response.if.target)}`;
  const lines = [
    number === 0 ? `nothing is ${what}` : `${formatCount(number, 'definition')} ${what}, ${formatCount(all, 'line')}`,
  ];
  let certainty = '';
  let path = '';
  for (const each of unused.list) {
    if (each.certainty !== certainty) lines.push('', TITLES[each.certainty]);
    if (each.certainty !== certainty || each.path !== path) lines.push(`  ${pen.path(visibleLine(each.path))}`);
    certainty = each.certainty;
    path = each.path;
    lines.push(...symbolLines(each, pen));
  }
  lines.push(...more(unused.leftOut, pen));
  const rest = isCommand ? hints(response) : [];
  return `${[...lines, ...(rest.length > 0 ? [''] : []), ...rest.map((line) => pen.dim(line))].join('\n')}\n`;
}

function hints({ inTests, minCertainty }: GraphUnusedResponse): string[] {
  const tests = `${formatCount(inTests, 'definition')} in tests left out: ${optionText('tests')}`;
  const others = `only certain ones; others: ${optionText('minCertainty')} likely, or possible`;
  return [...(inTests > 0 ? [tests] : []), ...(minCertainty === 'certain' ? [others] : [])];
}

function symbolLines(
  { symbol, kind, startLine, endLine, usedBy, certainty, verdict, reason, members, since }: UnusedSymbol,
  pen: Pen,
): string[] {
  const size = formatCount(endLine - startLine + 1, 'line');
  const inside = members === 0 ? '' : `, with ${formatCount(members, 'member')}`;
  // The heading says it.
  const isDefault = verdict === 'exported' && certainty === 'likely' && reason.startsWith('it is exported');
  const why = [
    ...(usedBy === 'nothing' ? [] : [usedBy === 'tests' ? 'only tests use it' : 'only unused code uses it']),
    ...(verdict === 'certain' || isDefault ? [] : [visibleLine(reason)]),
  ].join('; ');
  const line = `    ${pen.line(String(startLine))} ${pen.symbol(visibleLine(symbol ?? ''))}  ${pen.dim(`${kind}, ${size}${inside}${why === '' ? '' : `: ${why}`}`)}`;
  if (since === undefined) return [line];
  return [line, pen.dim(`      ${sinceText(since)}`)];
}

function sinceText(since: UnusedSymbol['since']): string {
  if (since === undefined || since === null) return 'unused for longer than the history that was walked';
  const { event, commit, date, subject, path } = since;
  const who = `${commit.slice(0, SHORT_OID)} ${date?.slice(0, 10) ?? ''} ${visibleLine(subject)}`;
  return event === 'never-used' ? `never used since ${who}` : `last used in ${visibleLine(path)}, until ${who}`;
}
