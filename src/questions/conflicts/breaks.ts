/**
 * Uses that break where two branches meet, though each branch is sound by itself: the files in which they may meet are linked as one branch
 * has them and as the merge has them, and the two graphs are compared as `review` compares both sides of a change. `review` lacks two kinds,
 * which are here: results that a call gives, and members that types inherit. `duplicatesIn` finds symbols that both branches add.
 */
import { addTo } from '../../base/lists.js';
import { qualifiedName } from '../../extract/collect-drafts.js';
import type { ObjectReader, TreeEntry } from '../../git/objects.js';
import type { Comparison } from '../../graph/compare/correspondence.js';
import { Graph } from '../../graph/graph.js';
import { insideBrackets, splitList } from '../../graph/query/signatures.js';
import { directMembers, isFunction, isType, lastNodeOf, overriddenBy, parentsOf } from '../../graph/query/uses.js';
import { GUESSED, type LinkedSnapshot } from '../../graph/tables.js';
import { conventionsOf, languageOf, semanticsOf } from '../../languages/registry.js';
import type { BlobFactsSource } from '../../session/blob-facts.js';
import type { PreparedGraph } from '../../session/graph/graphs.js';
import { type CollectedFacts, linkFewFrom } from '../../session/graph/link.js';
import type { Session } from '../../session/session.js';
import { type FileText, FileTexts } from '../graph/changes/both-graphs.js';
import { findMismatches, parametersAt } from '../graph/changes/call-mismatches.js';
import { changedSymbols, compareGraphs } from '../graph/changes/changed-symbols.js';
import { findDangling } from '../graph/changes/dangling-uses.js';
import type { DanglingUse, Mismatch } from '../graph/changes/output.js';
import type { PlanBreak } from './question.js';
import { type Suspicion, segmentsOf, stemsOf, type Twin } from './suspicions.js';

export type Entries = ReadonlyMap<string, TreeEntry>;

/** The trees of a pair: of the side that changes something, of the side that uses it, and of both merged. */
export interface Meeting {
  suspicion: Suspicion;
  changer: Entries;
  user: Entries;
  merged: Entries;
}

type Found = Omit<PlanBreak, 'changer' | 'user'>;

/** Files that are linked for a pair. More would take longer than people wait; then nothing is certain. */
const MAX_LINKED = 400;
/** Files of a folder, and files of an imported name, that are linked along. */
const MAX_OF_FOLDER = 60;
const MAX_OF_NAME = 4;

export class Proofs {
  private readonly facts: CollectedFacts = new Map();
  /** Paths by folder and by stem, as the common tree has them. */
  private readonly folders = new Map<string, string[]>();
  private readonly stems = new Map<string, string[]>();
  /** Lines without their indentation, by blob. */
  private readonly lines = new Map<string, string[]>();

  /** `base`: graph and files of the branch that all are merged into, which tell the files that belong together. */
  constructor(
    private readonly session: Session,
    private readonly base: { prepared: PreparedGraph; entries: Entries },
    private readonly reading: {
      source: BlobFactsSource;
      objects: ObjectReader;
      maxFileBytes: number;
      signal: AbortSignal;
    },
  ) {
    for (const path of base.entries.keys()) {
      if (!this.isCode(path)) continue;
      addTo(this.folders, folderOf(path), path);
      for (const stem of stemsOf(path)) addTo(this.stems, stem, path);
    }
  }

  /** Uses of the user's side that break where it meets the changer's. */
  async breaksOf({ suspicion, changer, user, merged }: Meeting): Promise<Found[]> {
    const { paths, isWhole } = await this.pathsOf(suspicion, user, merged);
    // The user's side is the graph before, the merge the graph after: between them lies the change of the changer.
    const linked = await this.link(user, paths);
    const [old, now] = [new Graph(linked.tables), new Graph((await this.link(merged, paths, linked)).tables)];
    const { source } = this.reading;
    const { origin } = this.base.prepared;
    const snapshot = { ...this.base.prepared, graph: now, origin };
    const changes = await changedSymbols(this.session, snapshot, { tree: null, older: old, source });
    const comparison = compareGraphs(old, now, changes);
    const [former, texts] = [new FileTexts(old, source), new FileTexts(now, source)];
    const touched = new Set(changes.symbols.map(({ node }) => node));
    const dangling = await findDangling(comparison, texts, touched);
    const mismatches = await findMismatches(comparison, { former, texts, touched });
    const inherited = await this.inheritedBreaks(comparison, suspicion.paths, { former, texts });
    const found = [
      ...dangling.filter(({ certainty }) => certainty !== 'possible').map((use) => ofDangling(comparison, use)),
      ...mismatches.map(ofMismatch),
      ...(await resultBreaks(comparison, { former, texts })),
      ...inherited,
    ];
    // The graphs show what breaks in the merge. It is a break of this pair only where the user wrote the line of the use.
    const isUsers = await this.lineFilter({ changer, user, merged });
    const own: Found[] = [];
    for (const one of found) {
      if (!(await isUsers(one.use.path, one.use.line)) || (await this.isKept(one, changer))) continue;
      own.push(isWhole ? one : { ...one, certainty: 'likely' });
    }
    return withoutRepeated(own);
  }

  private isCode(path: string): boolean {
    const language = this.reading.source.languageOf(path);
    return language !== null && languageOf(language)?.plain === 'code';
  }

  /** Does a file see what others of its folder define, without an import? */
  private isOneOfMany(path: string): boolean {
    const { parts } = semanticsOf(this.reading.source.languageOf(path) ?? '');
    return parts === 'package' || parts === 'anywhere';
  }

  /** Links the files at `paths` alone, as a tree has them; `previous` are the same files linked as another tree has them. */
  private link(entries: Entries, paths: ReadonlySet<string>, previous?: LinkedSnapshot): Promise<LinkedSnapshot> {
    const { source, objects, maxFileBytes, signal } = this.reading;
    const languageAt = (path: string) => source.languageOf(path);
    const few = { entries: [...entries.values()], paths, languageOf: languageAt, maxFileBytes, objects, signal };
    return linkFewFrom(this.session, { ...few, ...(previous && { previous }) }, this.facts);
  }

  /**
   * The files in which both meet, with those beside them and those that the using ones import or inherit from. `isWhole`: none of these had
   * to be left out, so that a break may be certain.
   */
  private async pathsOf(
    { names, paths }: Suspicion,
    user: Entries,
    merged: Entries,
  ): Promise<{ paths: Set<string>; isWhole: boolean }> {
    const { graph } = this.base.prepared;
    const found = new Set(paths);
    const definers = [...names].flatMap((name) => graph.nodesNamed(name).slice(0, MAX_OF_FOLDER));
    for (const node of definers) found.add(graph.path(node));
    const near = [...found];
    for (const path of paths) {
      if (this.isOneOfMany(path)) near.push(...(this.folders.get(folderOf(path)) ?? []).slice(0, MAX_OF_FOLDER));
      near.push(...importedBy(graph, path), ...(await this.namedBy(user.get(path) ?? merged.get(path))));
    }
    for (const path of near) if (found.size < MAX_LINKED) found.add(path);
    for (const path of [...found]) for (const parent of ancestorsIn(graph, path)) found.add(parent);
    const isWhole =
      found.size < MAX_LINKED &&
      [...paths].every((path) => (this.folders.get(folderOf(path))?.length ?? 0) <= MAX_OF_FOLDER);
    return { paths: found, isWhole };
  }

  /** Files that an import may mean, by the last parts of its name. */
  private async namedBy(entry: TreeEntry | undefined): Promise<string[]> {
    if (entry === undefined || !this.isCode(entry.path)) return [];
    const facts = await this.reading.source.facts(entry);
    const words =
      facts?.relations.imports.flatMap(({ specifier, names }) => [
        ...segmentsOf(specifier),
        ...names.map(({ name }) => name),
      ]) ?? [];
    return [...new Set(words)].flatMap((word) => {
      const files = this.stems.get(word) ?? [];
      return files.length > MAX_OF_NAME ? [] : files;
    });
  }

  /** Tells whether a line of the merge is the user's own: the changer's version of the file does not have it. */
  private async lineFilter({ changer, merged }: Pick<Meeting, 'changer' | 'user' | 'merged'>) {
    return async (path: string, line: number): Promise<boolean> => {
      const [entry, theirs] = [merged.get(path), changer.get(path)];
      if (entry === undefined || theirs === undefined) return entry !== undefined;
      const text = (await this.linesOf(entry.oid))[line - 1];
      return text !== undefined && !(await this.linesOf(theirs.oid)).includes(text);
    };
  }

  /**
   * Does the changer itself still write in the same symbol what it would have taken away? Then another side that edits a line around it
   * breaks nothing: the changer alone is as sound, or as broken.
   */
  private async isKept({ kind, use }: Found, changer: Entries): Promise<boolean> {
    const entry = kind === 'gone' ? changer.get(use.path) : undefined;
    const facts = entry === undefined ? null : await this.reading.source.facts(entry);
    if (facts === null) return false;
    const { symbols, relations } = facts;
    const same = symbols.filter((_, i) => qualifiedName(symbols, i) === use.symbol);
    return relations.references.some(
      ({ name, receiver, startLine }) =>
        (receiver === '' ? name : `${receiver}.${name}`) === use.text &&
        same.some((symbol) => symbol.startLine <= startLine && startLine <= symbol.endLine),
    );
  }

  private async linesOf(oid: string): Promise<string[]> {
    const known = this.lines.get(oid);
    if (known !== undefined) return known;
    const bytes = await this.reading.source.bytes(oid);
    const lines = (bytes?.toString('utf8') ?? '').split('\n').map((line) => line.trim());
    this.lines.set(oid, lines);
    return lines;
  }

  /** Types that lack what a parent demands now, and members whose parent's member is gone or declared otherwise. */
  private async inheritedBreaks(
    comparison: Comparison,
    paths: ReadonlySet<string>,
    { former, texts }: BothTexts,
  ): Promise<Found[]> {
    const { old, now } = comparison;
    const all = Array.from({ length: old.fileCount }, (_, file) => file);
    const changed = all.filter((file) => !comparison.isUntouched(file));
    const own = [...paths].map((path) => now.findFile(path));
    const newer = changed.map((file) => comparison.file(file));
    await former.load(changed);
    await texts.load([...newer, ...own].filter((file) => file >= 0));
    const isChanged = new Set(changed);
    const found: Found[] = [];
    for (const file of all) {
      for (let node = old.fileNode(file) + 1; node < lastNodeOf(old, old.fileNode(file)); node++) {
        if (isType(old, node)) found.push(...lackingMembers(comparison, node, { isChanged, texts }));
        else if (isFunction(old, node)) found.push(...orphanedBy(comparison, node, { isChanged, former, texts }));
      }
    }
    return found;
  }
}

/** Texts of the files of both graphs: of the user's side, and of the merge. */
interface BothTexts {
  former: FileTexts;
  texts: FileTexts;
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

function importedBy(graph: Graph, path: string): string[] {
  const file = graph.findFile(path);
  if (file < 0) return [];
  const [start, end] = graph.edgeRange(graph.fileNode(file));
  const targets: string[] = [];
  for (let edge = start; edge < end; edge++)
    if (graph.isFileEdge(edge) && graph.target(edge) >= 0) targets.push(graph.path(graph.target(edge)));
  return targets;
}

/** Most ancestors that are visited: in hostile code, they could be the whole graph. */
const MAX_ANCESTORS = 30;

function ancestorsIn(graph: Graph, path: string): Set<string> {
  const file = graph.findFile(path);
  const found = new Set<string>();
  if (file < 0) return found;
  const types: number[] = [];
  for (let node = graph.fileNode(file) + 1; node < lastNodeOf(graph, graph.fileNode(file)); node++)
    if (isType(graph, node)) types.push(node);
  const seen = new Set(types);
  for (const type of seen) {
    if (found.size >= MAX_ANCESTORS) break;
    for (const parent of parentsOf(graph, type)) {
      seen.add(parent);
      found.add(graph.path(parent));
    }
  }
  return found;
}

const HOW = { removed: 'removed', renamed: 'renamed', moved: 'moved', hidden: 'hidden' } as const;

function ofDangling({ old }: Comparison, use: DanglingUse): Found {
  const { path, line, symbol, text, certainty, was, how, now } = use;
  const node =
    was.symbol === null
      ? -1
      : (old.nodesNamed(was.symbol.split(/[.:]+/).at(-1) ?? '').find((one) => old.path(one) === was.path) ?? -1);
  const place = { path: was.path, line: node < 0 ? 1 : Math.max(1, old.startLine(node)), symbol: was.symbol };
  return {
    kind: 'gone',
    certainty: certainty === 'certain' ? 'certain' : 'likely',
    change: { ...place, what: HOW[how], ...(now && { now: { path: now.path, line: now.line, symbol: now.symbol } }) },
    use: { path, line, symbol, text },
    why: null,
  };
}

function ofMismatch({ path, line, symbol, text, level, detail, callee }: Mismatch): Found {
  const { path: at, line: first, symbol: name } = callee;
  return {
    kind: 'arguments',
    certainty: level === 'error' ? 'certain' : 'likely',
    change: { path: at, line: first, symbol: name, what: 'declared' },
    use: { path, line, symbol, text },
    why: detail,
  };
}

/** The first of several findings about one use and one change. */
function withoutRepeated(found: readonly Found[]): Found[] {
  const seen = new Set<string>();
  return found.filter(({ use, change, kind }) => {
    const key = `${kind} ${use.path}:${use.line} ${change.path} ${change.symbol}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

// Results.

/** Calls whose results the line takes as they were: fewer or more than there are now, or in the former order. */
async function resultBreaks(comparison: Comparison, { former, texts }: BothTexts): Promise<Found[]> {
  const { old, now } = comparison;
  const calls: ResultCall[] = [];
  for (let file = 0; file < old.fileCount; file++) {
    const language = old.tables.files[file].language;
    if (comparison.isUntouched(file) || !conventionsOf(language).parameters?.listsResults) continue;
    const first = old.fileNode(file);
    for (let node = first + 1; node < lastNodeOf(old, first); node++) {
      const newer = isFunction(old, node) ? comparison.node(node) : -1;
      const was = newer < 0 ? null : resultsAt(old, node, former);
      const is = was === null ? null : resultsAt(now, newer, texts);
      if (was === null || is === null || was.join() === is.join()) continue;
      const edges = [...now.incoming(newer)].filter(
        (edge) => now.edgeKind(edge) === 'call' && !GUESSED.has(now.tier(edge)),
      );
      calls.push(...edges.map((edge) => ({ node: newer, edge, was, is })));
    }
  }
  await texts.load(calls.map(({ edge }) => now.fileOf(now.source(edge))));
  return calls.flatMap((call) => ofResults(now, call, texts.get(now.fileOf(now.source(call.edge)))));
}

/** A call, in the merge, of a function whose results changed. */
interface ResultCall {
  /** The function. */
  node: number;
  edge: number;
  /** Types of its results on the user's side, and in the merge. */
  was: string[];
  is: string[];
}

function ofResults(now: Graph, { node, edge, was, is }: ResultCall, file: FileText | undefined): Found[] {
  const { from, name, receiver, startLine } = now.edge(edge);
  const text = receiver === '' ? name : `${receiver}.${name}`;
  const taken = takenBy(file, { text, startLine });
  const isReordered = was.length === is.length && [...was].sort().join() === [...is].sort().join();
  if (taken !== was.length || taken === 0 || (taken === is.length && !isReordered)) return [];
  const symbol = now.isFile(from) ? null : now.qualifiedName(from);
  return [
    {
      kind: 'results',
      certainty: isReordered ? 'likely' : 'certain',
      change: { ...siteOf(now, node), what: 'declared' },
      use: { path: now.path(from), line: startLine, symbol, text },
      why: isReordered
        ? `its results are in another order: ${is.join(', ')}`
        : `${taken} taken where it gives ${is.length}`,
    },
  ];
}

/** Types of a function's results, as written; null if the text does not tell them. */
function resultsAt(graph: Graph, node: number, texts: FileTexts): string[] | null {
  const file = texts.get(graph.fileOf(node));
  const text = symbolText(graph, node, texts);
  const name = graph.name(node);
  const open = (text?.indexOf(`${name}(`) ?? -1) + name.length;
  if (file === undefined || text === null || open < name.length) return null;
  const list = insideBrackets(text, open, file.lexical);
  if (list === null) return null;
  const rest = text.slice(open + list.length + 2).replace(/^[ \t]+/, '');
  if (!rest.startsWith('(')) return /^(?:[{\n]|$)/.test(rest) ? [] : [rest.split(/[{\n]|\/\//, 1)[0].trim()];
  const parts = splitList(insideBrackets(rest, 0, file.lexical) ?? '', file.lexical);
  return parts.map((part) => part.replace(/^\w+\s+(?=[\w*[])/, ''));
}

/** Variables that take what a call gives, where the line is an assignment of this call alone; 0 otherwise. */
function takenBy(file: FileText | undefined, { text, startLine }: { text: string; startLine: number }): number {
  const lines = file?.text.split('\n').slice(startLine - 1, startLine + MAX_CALL_LINES) ?? [];
  const [left, right] = (lines[0] ?? '').split(/\s:?=\s/, 2);
  if (file === undefined || right === undefined || !right.startsWith(`${text}(`)) return 0;
  const inside = insideBrackets([right, ...lines.slice(1)].join('\n'), text.length, file.lexical);
  const rest =
    inside === null ? 'unclear' : [right, ...lines.slice(1)].join('\n').slice(text.length + inside.length + 2);
  if (!/^\s*?(?:;|\n|\/\/|$)/.test(rest)) return 0;
  return splitList(left.replace(/^\s*(?:if|for|switch|var)\s/, ''), file.lexical).length;
}

/** Lines that a call may go on for. */
const MAX_CALL_LINES = 30;

// Inheritance.

interface InheritedContext {
  /** Files of the user's side that differ in the merge. */
  isChanged: ReadonlySet<number>;
  texts: FileTexts;
}

/** Place of a symbol, as the document gives it. */
function siteOf(graph: Graph, node: number): { path: string; line: number; symbol: string } {
  return { path: graph.path(node), line: Math.max(1, graph.startLine(node)), symbol: graph.qualifiedName(node) };
}

/** A break for each member that a changed parent demands since the merge, and that a type of the user's side does not have. */
function lackingMembers(comparison: Comparison, type: number, { isChanged, texts }: InheritedContext): Found[] {
  const { old, now } = comparison;
  const here = comparison.node(type);
  if (here < 0 || !isType(now, here) || isOpenType(now, here, texts)) return [];
  return parentsOf(old, type).flatMap((parent) => {
    const parentNow = isChanged.has(old.fileOf(parent)) && isType(old, parent) ? comparison.node(parent) : -1;
    if (parentNow < 0 || parentNow === here) return [];
    const added = [...directMembers(now, parentNow)].filter(
      (member) => comparison.older(member) < 0 && isDemanded(now, member, texts),
    );
    const lacking = added.filter((member) => !hasMember(now, here, now.name(member), member));
    return lacking.map(
      (member): Found => ({
        kind: 'demanded',
        certainty: parentsOf(now, here).includes(parentNow) ? 'certain' : 'likely',
        change: { ...siteOf(now, member), what: 'demanded' },
        use: { ...siteOf(now, here), text: now.name(here) },
        why: `it has no ${now.name(member)}`,
      }),
    );
  });
}

/** Has the type, or a type above, a member of that name besides the demanded one? */
function hasMember(graph: Graph, type: number, name: string, demanded: number): boolean {
  const named = graph.nodesNamed(name).filter((node) => node !== demanded);
  const seen = new Set([type]);
  for (const one of seen) {
    const isBlock = (block: number) => graph.kind(block) === 'impl' || graph.fileOf(block) === graph.fileOf(one);
    const parts = new Set([one, ...graph.namesakes(one).filter((block) => isType(graph, block) && isBlock(block))]);
    if (named.some((node) => parts.has(graph.container(node)))) return true;
    if (seen.size <= MAX_ANCESTORS) for (const parent of parentsOf(graph, one)) seen.add(parent);
  }
  return false;
}

/** Must types below have the member? It is marked so, or stands in an interface without a body. */
function isDemanded(graph: Graph, member: number, texts: FileTexts): boolean {
  const text = symbolText(graph, member, texts);
  if (text === null || !isFunction(graph, member)) return false;
  if (/\babstract(?:method)?\b/.test(text.slice(0, MAX_HEAD))) return true;
  const kind = graph.kind(graph.container(member));
  if (kind !== 'interface' && kind !== 'trait') return false;
  return !/[{=]|\?\s*\(|\bdefault\b/.test(text);
}

/** Characters of a declaration in which its modifiers stand. */
const MAX_HEAD = 300;

/** May the type leave members to those below it? */
function isOpenType(graph: Graph, type: number, texts: FileTexts): boolean {
  if (graph.kind(type) === 'interface' || graph.kind(type) === 'trait') return true;
  const text = symbolText(graph, type, texts);
  if (text === null) return false;
  return /\babstract\b|\bABC\b|\bABCMeta\b/.test(
    text.slice(0, Math.min(MAX_HEAD, text.search(/[{:]\s*$/m) + 1 || MAX_HEAD)),
  );
}

function symbolText(graph: Graph, node: number, texts: FileTexts): string | null {
  const file = graph.fileOf(node);
  const text = texts.get(file);
  const symbol = text?.facts.symbols[node - graph.fileNode(file) - 1];
  return text === undefined || symbol === undefined ? null : text.bytes.toString('utf8', symbol.start, symbol.end);
}

/** Breaks of a member of the user's side by what became of the members that it overrides. `member`: node of the user's side. */
function orphanedBy(comparison: Comparison, member: number, context: InheritedContext & BothTexts): Found[] {
  const { old, now } = comparison;
  const above = overriddenBy(old, member).filter((one) => context.isChanged.has(old.fileOf(one)));
  const here = above.length === 0 ? -1 : comparison.node(member);
  if (here < 0) return [];
  const certainty = isMarkedOverride(now, here, context.texts) ? 'certain' : 'likely';
  const use = { ...siteOf(now, here), text: now.name(here) };
  return above.flatMap((parent): Found[] => {
    if (comparison.node(old.container(parent)) < 0) return [];
    const newer = comparison.node(parent);
    const isThere = newer >= 0 && now.name(newer) === old.name(parent);
    const broken = isThere ? redeclared(comparison, parent, here, context) : vanished(comparison, parent, here);
    return broken === null ? [] : [{ kind: 'override', certainty, change: broken.change, use, why: broken.why }];
  });
}

/** Is the member declared as one that overrides another, on its line or in its head? */
function isMarkedOverride(graph: Graph, member: number, texts: FileTexts): boolean {
  const first = graph.startLine(member);
  const head = symbolText(graph, member, texts)?.slice(0, MAX_HEAD) ?? '';
  const line = texts.get(graph.fileOf(member))?.text.split('\n', first)[first - 1] ?? '';
  return /\boverride\b/i.test(`${line.split('(', 1)[0]}\n${head.split('(', 1)[0]}`);
}

/** The change of a parent's member that is gone or renamed, unless the parent has another of its name. `here`: the overriding one, merged. */
function vanished(comparison: Comparison, parent: number, here: number): Pick<Found, 'change' | 'why'> | null {
  const { old, now } = comparison;
  const [owner, newer] = [comparison.node(old.container(parent)), comparison.node(parent)];
  if (hasMember(now, owner, old.name(parent), here)) return null;
  const fate = newer < 0 ? { what: 'removed' as const } : { what: 'renamed' as const, now: siteOf(now, newer) };
  return { change: { ...siteOf(old, parent), ...fate }, why: 'it overrides nothing now' };
}

/** The change of a parent's member that takes other parameters now, while the overriding one, `here`, takes the former. */
function redeclared(
  comparison: Comparison,
  parent: number,
  here: number,
  { former, texts }: BothTexts,
): Pick<Found, 'change' | 'why'> | null {
  const { old, now } = comparison;
  const newer = comparison.node(parent);
  const [was, is, own] = [
    parametersAt(old, parent, former),
    parametersAt(now, newer, texts),
    parametersAt(now, here, texts),
  ];
  if (was === null || is === null || own === null) return null;
  const isFit = (one: typeof was) => one.least === own.least && one.most === own.most;
  if (!isFit(was) || isFit(is)) return null;
  const site = { ...siteOf(now, newer), symbol: old.qualifiedName(parent) };
  return { change: { ...site, what: 'declared' }, why: 'it has the former parameters' };
}

/** Tells whether the merge has a symbol twice that both sides add at one place. */
export async function duplicatesIn(
  { places, symbol }: Twin,
  merged: Entries,
  source: BlobFactsSource,
): Promise<boolean> {
  const paths = [...new Set(places.map(({ path }) => path))];
  let count = 0;
  for (const path of paths) {
    const entry = merged.get(path);
    const facts = entry === undefined ? null : await source.facts(entry);
    const same = facts?.symbols.filter((_, i) => qualifiedName(facts.symbols, i) === symbol) ?? [];
    count += paths.length > 1 ? Math.min(1, same.length) : same.length;
  }
  return count > 1;
}
