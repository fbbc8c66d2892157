/**
 * Answers `graph unused`: finds unused definitions by the graph, then leaves out those whose names occur in text that
 * the graph does not explain. On request it finds the commit that removed the last use of each (`lastUseOf`).
 */

import { SocraticodeError } from '../../../base/errors.js';
import { groupBy } from '../../../base/lists.js';
import { shortOid } from '../../../base/printable.js';
import { type CommitInfo, readCommit } from '../../../git/commits.js';
import { type CommitChanges, readShallow, walkHistory } from '../../../git/log.js';
import type { Graph } from '../../../graph/graph.js';
import { MAY_MEAN_IT, registrar } from '../../../graph/query/entry-patterns.js';
import { type NamePlace, plainName } from '../../../graph/query/name-occurrences.js';
import { cut, isBesideTests, isTestCode, placeOf, useOf } from '../../../graph/query/node-place.js';
import { firstOf, overloadsOf } from '../../../graph/query/overloads.js';
import { resolveTarget } from '../../../graph/query/target.js';
import {
  ALIKE,
  CERTAINTIES,
  type Certainty,
  type Excuse,
  manyAlike,
  manySubtypes,
  openMembers,
  SUBTYPES,
  type Unused,
  UnusedFinder,
} from '../../../graph/query/unused.js';
import { possibleUses } from '../../../graph/query/users.js';
import { encloses, membersOf, withInside } from '../../../graph/query/uses.js';
import { optionText } from '../../../params/param.js';
import { checkGlobs, pathFilter } from '../../../search/filter.js';
import { classByName } from '../../../search/path-classes.js';
import type { PreparedGraph } from '../../../session/graph/graphs.js';
import { contains, openTextUses, placesNaming } from '../../../session/graph/text-uses.js';
import type { Session } from '../../../session/session.js';
import type { Asker } from '../../asker.js';
import { formatCount } from '../../format.js';
import type { Pen, Writing } from '../../pen.js';
import { count, more } from '../../view.js';
import { LISTED } from '../graph-question.js';
import type { GraphCandidates } from '../output.js';
import { ambiguous, type GraphAndHeader, parseErrorsAt, prepareGraph } from '../snapshot-graph.js';
import type { Explained, GraphUnusedResponse, UnusedSymbol, UnusedValues } from './question.js';

/** Maximum number of definitions whose history is walked: each takes seconds in a long history. */
const MAX_SINCE = 20;

/** Throws BAD_ARGUMENT for an unknown symbol. */
export async function answerUnused(at: Asker, values: UnusedValues): Promise<GraphUnusedResponse | GraphCandidates> {
  const { explain, if: deleted, limit = LISTED.unused } = values;
  const prepared = await prepareGraph(at, values);
  if (explain !== undefined) return explainUnused(at, prepared, { explain, limit: values.limit });
  const { graph, header, prefix } = prepared;
  const target = deleted === undefined ? null : resolveTarget(graph, deleted, { prefix });
  if (target !== null && 'candidates' in target)
    return ambiguous(prepared, { target: deleted ?? '', ...target, limit });
  const { minCertainty = target === null ? 'certain' : 'exported' } = values;
  const wanted = { least: minCertainty, signal: at.signal };
  const found =
    target === null
      ? await findUnused(at.session, prepared, wanted)
      : await unusedWithout(at.session, prepared, { ...wanted, without: withInside(graph, target.nodes) });
  const { own, shown } = chosen(graph, found, values);
  const unused = cut(
    shown.map((each) => describe(prepared, each)),
    limit,
  );
  if (values.since) await addLastUses(at, prepared, { shown, list: unused.list });
  const listed = shown.slice(0, limit).map(({ node }) => node);
  return {
    ...{ ...header, schemaVersion: 2, ...parseErrorsAt(graph, listed) },
    ...(target && { if: { target: deleted ?? '', definitions: target.nodes.map((node) => placeOf(graph, node)) } }),
    minCertainty,
    lines: shown.reduce((sum, { node }) => sum + graph.endLine(node) - graph.startLine(node) + 1, 0),
    inTests: own.length - shown.length,
    unused,
  };
}

/** Finds below the paths of the question (`own`), and of these the ones that are shown, in the order of the answer. */
function chosen(
  graph: Graph,
  found: readonly Unused[],
  { path, tests }: UnusedValues,
): { own: readonly Unused[]; shown: readonly Unused[] } {
  checkGlobs(
    path,
    graph.tables.files.map((file) => file.path),
  );
  const accepts = pathFilter({ path });
  const own = found.filter(({ node }) => accepts(graph.path(node)));
  const isOfTests = ({ node, usedBy }: Unused) =>
    isTestCode(graph, node) || (usedBy === 'tests' && isBesideTests(graph, node));
  const shown = own.filter((each) => tests || !isOfTests(each));
  return { own, shown: shown.sort((a, b) => rank(a) - rank(b) || a.node - b.node) };
}

/** Orders by certainty; of equally certain ones, those that only tests use come last. */
const rank = ({ certainty, usedBy }: Unused): number => 2 * CERTAINTIES.indexOf(certainty) + Number(usedBy === 'tests');

async function explainUnused(
  { session, signal }: Asker,
  prepared: GraphAndHeader,
  { explain, limit }: { explain: string; limit?: number },
): Promise<GraphUnusedResponse | GraphCandidates> {
  const { graph, header, prefix } = prepared;
  const target = resolveTarget(graph, explain, { prefix });
  if ('candidates' in target) return ambiguous(prepared, { target: explain, ...target, limit });
  const nodes = [...new Set(target.nodes.map((node) => firstOf(graph, node)))].filter((node) => !graph.isFile(node));
  if (nodes.length === 0)
    throw new SocraticodeError('BAD_ARGUMENT', `${explain} is a file`, { hint: 'Name a symbol of it.' });
  const found = await findUnused(session, prepared, { least: 'possible', signal });
  const { places } = await placesNaming(session, prepared, { nodes, signal });
  const own = found.filter(({ node }) => nodes.some((each) => encloses(graph, node, each)));
  return {
    ...header,
    schemaVersion: 2,
    ...parseErrorsAt(graph, nodes),
    explained: nodes.map((node) =>
      explanationOf(graph, node, { found: own, places: places.has(node) ? (places.get(node) ?? null) : [] }),
    ),
    minCertainty: 'possible',
    lines: own.reduce((sum, { node }) => sum + graph.endLine(node) - graph.startLine(node) + 1, 0),
    inTests: 0,
    unused: cut(
      own.map((each) => describe(prepared, each)),
      own.length,
    ),
  };
}

/** Uses, and lines of text, that an explanation names. */
const NAMED = 3;

function namesakesText(graph: Graph, places: readonly NamePlace[] | null): string {
  if (places === null) return 'too many files have its name to read them';
  const shown = places.map(({ file, line }) => ({ path: graph.tables.files[file].path, line }));
  return `${formatCount(places.length, 'line')} elsewhere ${places.length === 1 ? 'has' : 'have'} its name without a known use${placesText(shown)}`;
}

function explanationOf(
  graph: Graph,
  node: number,
  { found, places }: { found: readonly Unused[]; places: readonly NamePlace[] | null },
): Explained {
  const unused = found.find((each) => each.node === node) ?? found.find((each) => encloses(graph, each.node, node));
  const edges = overloadsOf(graph, node).flatMap((each) => [...graph.incoming(each)]);
  const outside = edges.filter((edge) => !encloses(graph, node, graph.source(edge)));
  const inTests = outside.filter((edge) => isTestCode(graph, graph.source(edge))).length;
  const isCounted = unused !== undefined && isCount(unused);
  const unresolved = formatCount(possibleUses(graph, node).length, 'use');
  const because = [
    `${formatCount(outside.length, 'known use')}, of which ${inTests} in tests${placesText(outside.map((edge) => useOf(graph, edge)))}`,
    isCounted ? unused.reason : `${unresolved} of its name ${MAY_MEAN_IT}`,
    namesakesText(graph, places),
  ];
  if (unused === undefined) because.push('code that runs reaches it, or something that it is part of');
  else {
    if (unused.node !== node) because.push(`it is inside of ${graph.qualifiedName(unused.node)}, which is unused`);
    if (unused.usedBy === 'unused') because.push('all code that uses it is unused itself');
    if (unused.usedBy === 'tests') because.push('no code that runs is known to reach it, only tests do');
    if (!isCounted) because.push(unused.reason);
  }
  return { ...placeOf(graph, node), certainty: unused?.certainty ?? null, because, refutedBy: refutersOf(unused) };
}

/** Does the reason count the uses of the name? An explanation counts them once. */
const isCount = ({ verdict, reason }: Unused): boolean => verdict === 'unresolved-uses' && reason.endsWith(MAY_MEAN_IT);

function placesText(places: readonly { path: string; line: number }[]): string {
  if (places.length === 0) return '';
  const named = places.slice(0, NAMED).map(({ path, line }) => `${path}:${line}`);
  return `: ${named.join(', ')}${places.length > NAMED ? ' and others' : ''}`;
}

function refutersOf(unused: Unused | undefined): string[] {
  if (unused === undefined) return ['proof that the code which uses it never runs'];
  if (unused.certainty === 'certain')
    return [
      'a name that is put together while the program runs, such as a computed key',
      'a file outside of this repository, or one that it ignores, which names it',
    ];
  if (unused.certainty === 'exported') return ['code of another repository that uses it'];
  if (isCount(unused)) return ['one of the unresolved uses of its name, if it means this one'];
  return [`a look at what may use it unseen: ${unused.reason}`];
}

function describe({ graph }: GraphAndHeader, { node, certainty, usedBy, verdict, reason }: Unused): UnusedSymbol {
  return { ...placeOf(graph, node), certainty, usedBy, verdict, reason, members: membersOf(graph, node).length };
}

async function addLastUses(
  { session, signal, progress }: Asker,
  prepared: GraphAndHeader,
  { shown, list }: { shown: readonly Unused[]; list: UnusedSymbol[] },
): Promise<void> {
  const count = Math.min(list.length, MAX_SINCE);
  for (let i = 0; i < count; i++) {
    progress(i, count, 'walking history');
    list[i].since = await lastUseOf(session, prepared, { node: shown[i].node, signal });
  }
}

interface Wanted {
  least: Certainty;
  /** Nodes to treat as deleted. */
  without?: ReadonlySet<number>;
  signal?: AbortSignal;
}

/**
 * Maximum number of rounds. Each can reveal definitions that the previous one took for used; texts of hostile
 * repositories could go on for ever.
 */
const MAX_ROUNDS = 8;

/** Results for graphs that are still in memory: a server gets the same question again and again. */
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

/**
 * Finds by the graph, then asks the text of the repository about each find that nothing doubts yet. An excuse changes what is unused around
 * it: what the excused definition uses counts as used, and its own lines count as text that runs. So both steps are repeated until a round
 * brings no new excuse.
 */
async function search(
  session: Session,
  prepared: PreparedGraph,
  { least, without, signal }: Wanted & { without: ReadonlySet<number> },
): Promise<readonly Unused[]> {
  const { graph } = prepared;
  const finder = new UnusedFinder(graph, { without });
  const excuses = new Map<number, Excuse>();
  let found = finder.find(least);
  const registered = least === 'possible' ? found.map(({ node }) => node).filter(isRegistered(graph)) : [];
  if (found.every(isDoubted) && registered.length === 0) return found;
  const texts = await openTextUses(session, prepared, signal);
  await texts.read(registered);
  for (const node of registered) {
    const excuse = texts.excuseOfTemplate(node);
    if (excuse !== null) excuses.set(node, excuse);
  }
  const first = found.filter((each) => !isDoubted(each)).map(({ node }) => node);
  for (const node of manyAlike(graph, first)) excuses.set(node, ALIKE);
  for (const node of manySubtypes(graph, first)) excuses.set(node, SUBTYPES);
  if (excuses.size > 0) found = finder.find(least, excuses);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    signal?.throwIfAborted();
    const sure = found.filter((each) => !isDoubted(each)).map(({ node }) => node);
    await texts.read(sure.flatMap((node) => [node, ...openMembers(graph, node)]));
    const isDead = deadLines(graph, [...sure, ...without]);
    const before = excuses.size;
    for (const node of sure) {
      if (excuses.has(node)) continue;
      for (const each of [node, ...openMembers(graph, node)]) {
        const excuse = texts.excuseOf(each, isDead);
        if (excuse !== null) excuses.set(node, excuse);
      }
    }
    if (excuses.size === before) break;
    found = finder.find(least, excuses);
  }
  return found;
}

/** Is a definition handed to a library by a decorator, so that other text can name it? */
const isRegistered = (graph: Graph) => (node: number) => registrar(graph, node) !== null;

/** Code of the repository may use it in any case, so its text need not be searched further. */
const isDoubted = ({ certainty }: Unused): boolean => certainty === 'possible';

function deadLines(graph: Graph, nodes: readonly number[]): (file: number, line: number) => boolean {
  const byFile = groupBy(nodes, (node) => graph.fileOf(node));
  return (file, line) => byFile.get(file)?.some((node) => !graph.isFile(node) && contains(graph, node, line)) === true;
}

/** Definitions that become unused without some others. */
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

const TITLES: Readonly<Record<UnusedSymbol['certainty'], string>> = {
  certain: 'certain: nothing reaches them',
  exported: 'exported: only code outside of this repository can use them',
  possible: 'possible: something here may use them unseen',
};
const TESTS_TITLES: Readonly<Record<UnusedSymbol['certainty'], string>> = {
  certain: 'only tests use them: certain',
  exported: 'only tests use them: exported, so code outside of this repository can use them',
  possible: 'only tests use them: possible, as something here may use them unseen',
};

export function unusedText(
  response: GraphUnusedResponse,
  { pen, isCommand }: Pick<Writing, 'pen' | 'isCommand'>,
): string {
  const { unused, lines: all } = response;
  if (response.explained !== undefined) return explainedText(response.explained, pen);
  const number = count(unused, pen);
  const what = response.if === undefined ? 'unused' : `unused without ${response.if.target}`;
  const degree = response.minCertainty === 'possible' ? '' : 'certain to be ';
  const lines = [
    number === 0
      ? `nothing is ${degree}${what}`
      : `${formatCount(number, 'definition')} ${what}, ${formatCount(all, 'line')}`,
  ];
  let group = '';
  let path = '';
  for (const each of unused.list) {
    const title = each.usedBy === 'tests' ? TESTS_TITLES[each.certainty] : TITLES[each.certainty];
    if (title !== group) lines.push('', title);
    if (title !== group || each.path !== path) lines.push(`  ${pen.path(each.path)}`);
    group = title;
    path = each.path;
    lines.push(...symbolLines(each, pen));
  }
  lines.push(...more(unused.leftOut, pen));
  const rest = isCommand ? hints(response) : [];
  return `${[...lines, ...(rest.length > 0 ? [''] : []), ...rest.map((line) => pen.dim(line))].join('\n')}\n`;
}

function explainedText(explained: readonly Explained[], pen: Pen): string {
  const blocks = explained.map(({ path, startLine, symbol, kind, certainty, because, refutedBy }) => {
    const verdict = certainty === null ? 'used' : `unused, ${TITLES[certainty]}`;
    const list = (lines: readonly string[]) => lines.map((line) => `    ${line}`);
    return [
      `${pen.path(path)}:${startLine} ${pen.symbol(symbol ?? '')}  ${kind}`,
      `  ${verdict}`,
      '  because',
      ...list(because),
      '  refuted by',
      ...list(refutedBy),
    ].join('\n');
  });
  return `${blocks.join('\n\n')}\n`;
}

function hints({ inTests, minCertainty }: GraphUnusedResponse): string[] {
  const tests = `${formatCount(inTests, 'definition')} in tests left out: ${optionText('tests')}`;
  const others = `only certain ones; others: ${optionText('minCertainty')} exported, or possible`;
  return [...(inTests > 0 ? [tests] : []), ...(minCertainty === 'certain' ? [others] : [])];
}

function symbolLines(
  { symbol, kind, startLine, endLine, usedBy, certainty, verdict, reason, members, since }: UnusedSymbol,
  pen: Pen,
): string[] {
  const size = formatCount(endLine - startLine + 1, 'line');
  const inside = members === 0 ? '' : `, with ${formatCount(members, 'member')}`;
  // The heading already says it.
  const isDefault = verdict === 'exported' && certainty === 'exported' && reason.startsWith('it is exported');
  const why = [
    ...(usedBy === 'unused' ? ['only unused code uses it'] : []),
    ...(verdict === 'certain' || isDefault ? [] : [reason]),
  ].join('; ');
  const line = `    ${pen.line(String(startLine))} ${pen.symbol(symbol ?? '')}  ${pen.dim(`${kind}, ${size}${inside}${why === '' ? '' : `: ${why}`}`)}`;
  if (since === undefined) return [line];
  return [line, pen.dim(`      ${sinceText(since)}`)];
}

function sinceText(since: UnusedSymbol['since']): string {
  if (since === undefined || since === null) return 'unused for longer than the history that was walked';
  const { event, commit, date, subject, path } = since;
  const who = `${shortOid(commit)} ${date?.slice(0, 10) ?? ''} ${subject}`;
  return event === 'never-used' ? `never used since ${who}` : `last used in ${path}, until ${who}`;
}

// Finds the commit that removed the last use of a definition.

/** Maximum number of commits that are walked for each definition. */
const MAX_COMMITS = 1_000;

type Since = NonNullable<UnusedSymbol['since']>;

/**
 * Walks the commits in which the number of occurrences of the name in a file changed (git's pickaxe), newest first.
 * Nothing uses the definition now, so the newest commit that removed its name removed the last use. If other
 * definitions have that name, only the definition's own file counts. Tests do not count.
 */
export async function lastUseOf(
  session: Session,
  { graph, origin }: Pick<PreparedGraph, 'graph' | 'origin'>,
  { node, signal }: { node: number; signal?: AbortSignal },
): Promise<Since | null> {
  const { commit: tip } = origin.resolved;
  if (tip === null) return null;
  const text = plainName(graph.name(node));
  const isOnly = graph.namesakes(node).length === 1;
  const commits: CommitChanges[] = [];
  const walk = { tip, maxCommits: MAX_COMMITS, contains: { text }, shallow: readShallow(session.repository), signal };
  await walkHistory(session.repository.git, walk, (commit) => commits.push(commit));
  const word = new RegExp(`(?<![\\p{L}\\p{N}_$])${text.replace(/\$/g, '\\$')}(?![\\p{L}\\p{N}_$])`, 'gu');
  const counter = new Counter(session, word);
  let own = graph.path(node);
  for (const { commit, changes } of commits) {
    const counted = await Promise.all(
      changes.map(async ({ path, oldOids, newOid }) => {
        const [before, now] = await Promise.all([counter.count(oldOids[0] ?? null), counter.count(newOid)]);
        return { path, before, now };
      }),
    );
    // Occurrences that the commit adds to the whole repository, or takes from it.
    const difference = counted.reduce((sum, { before, now }) => sum + now - before, 0);
    const losing = counted.filter(({ before, now, path }) => now < before && classByName(path) !== 'test');
    const isFirst = counted.some(({ path, before }) => path === own && before === 0);
    // A file that moved loses the name at one path, and gains it at another.
    if (difference === 0 && isFirst && losing.length === 1) own = losing[0].path;
    if (difference === 0) continue;
    const last = losing.find(({ path }) => isOnly || path === own);
    const isRemoval = difference < 0 && last !== undefined;
    if (!isFirst && !isRemoval) continue;
    const info = await readCommit(session.objects, commit);
    if (info === null) return null;
    // The commit that brought the name into the definition's file: no later one has removed a use.
    if (isFirst) return { ...briefOf(info), event: 'never-used', path: own };
    return { ...briefOf(info), event: 'last-use-removed', path: last?.path ?? own };
  }
  return null;
}

function briefOf({ commit, date, subject }: CommitInfo): Pick<Since, 'commit' | 'date' | 'subject'> {
  return { commit, date, subject };
}

/** Counts a word in blobs, reading each once. */
class Counter {
  private readonly known = new Map<string, number>();

  constructor(
    private readonly session: Session,
    private readonly word: RegExp,
  ) {}

  async count(oid: string | null): Promise<number> {
    if (oid === null) return 0;
    const known = this.known.get(oid);
    if (known !== undefined) return known;
    const object = await this.session.objects.read(oid);
    const text = object?.type === 'blob' ? object.content.toString('utf8') : '';
    const count = text.match(this.word)?.length ?? 0;
    this.known.set(oid, count);
    return count;
  }
}
