/** The symbols that a rename is about: declarations of one symbol, members that override each other, and what is named after a type. */
import { mapConcurrently } from '../../base/async.js';
import { lineChanges } from '../../base/line-diff.js';
import { addTo } from '../../base/lists.js';
import { bareName, occurrences, type PlaceOfName } from '../../extract/name-places.js';
import { mergeBases } from '../../git/branches.js';
import { diffTrees } from '../../git/diff.js';
import type { Graph } from '../../graph/graph.js';
import { isValue } from '../../graph/query/entry-patterns.js';
import { overloadsOf } from '../../graph/query/overloads.js';
import {
  directMembers,
  inheritEdges,
  inheritedMembers,
  isType,
  overriddenBy,
  overridersOf,
  siblingsNamed,
} from '../../graph/query/uses.js';
import { wordSet, words } from '../../languages/language.js';
import { conventionsOf, rulesOf, semanticsOf } from '../../languages/registry.js';
import { lastPart } from '../../languages/roles/scan.js';
import type { Asker } from '../asker.js';
import { findOthers } from '../conflicts/answer.js';
import { formatCount } from '../format.js';
import type { GraphAndHeader } from '../graph/snapshot-graph.js';
import type { Change } from './answer.js';
import { linesEdited } from './import-edits.js';
import type { ReadFile } from './plan.js';
import type { Conflict } from './question.js';

export interface Renamed {
  /** All that gets the new name. */
  nodes: ReadonlySet<number>;
  /** Plain name in the text. */
  name: string;
  /** Is it a member of a type? */
  isMember: boolean;
  /** Types of the members. */
  owners: ReadonlySet<number>;
}

/** A hostile family could be as large as the graph. */
const MAX_SYMBOLS = 2_000;

export function renamedWith(graph: Graph, targets: readonly number[]): Renamed {
  const nodes = new Set<number>();
  const add = (node: number) => {
    if (nodes.size < MAX_SYMBOLS) nodes.add(node);
  };
  const name = bareName(graph.name(targets[0]));
  for (const target of targets) for (const node of overloadsOf(graph, target)) add(node);
  for (const node of nodes) {
    for (const other of overloadsOf(graph, node)) add(other);
    for (const other of relatedTo(graph, node)) if (bareName(graph.name(other)) === name) add(other);
  }
  const owners = new Set([...nodes].map((node) => graph.container(node)).filter((node) => !graph.isFile(node)));
  const [first] = targets;
  const container = graph.container(first);
  return { nodes, name, owners, isMember: !graph.isFile(container) && isType(graph, container) };
}

/** The declarations of the symbol alone, with what they contain of its name: others that override it stay when it is deleted. */
export function aloneOf(graph: Graph, renamed: Renamed, targets: readonly number[]): Renamed {
  const own = new Set(targets.flatMap((target) => overloadsOf(graph, target)));
  const nodes = [...renamed.nodes].filter((node) => own.has(node) || own.has(graph.container(node)));
  return { ...renamed, nodes: new Set(nodes) };
}

function relatedTo(graph: Graph, node: number): number[] {
  const found = [...overriddenBy(graph, node), ...overridersOf(graph, node)];
  if (isType(graph, node)) {
    // Constructors and destructors have the name of their type; parts of a type, and a value beside it, too.
    found.push(...directMembers(graph, node));
    found.push(...siblingsNamed(graph, node));
    found.push(...graph.nodesNamed(`~${graph.name(node)}`).filter((other) => graph.container(other) === node));
  } else if (graph.kind(node) === 'constructor') found.push(graph.container(node));
  return found.filter((other) => isSameSymbol(graph, node, other));
}

/** Leaves out members of a type that only happen to have its name. */
function isSameSymbol(graph: Graph, node: number, other: number): boolean {
  if (graph.container(other) !== node) return true;
  return graph.kind(other) === 'constructor' || graph.name(other).startsWith('~');
}

export const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

// Conflicts: reasons why the rename may change what the code does.

interface Renaming {
  renamed: Renamed;
  fresh: string;
  /** Places that the patch changes because they are sure. */
  sure: readonly { read: ReadFile; place: PlaceOfName }[];
  files: readonly ReadFile[];
  /** Types outside of the repository above each owner. */
  parents: ReadonlyMap<number, readonly string[]>;
}

export function conflictsOf(graph: Graph, renaming: Renaming): Conflict[] {
  const { renamed, fresh, sure } = renaming;
  const files = new Set(sure.map(({ read }) => read.file));
  const generated = [...files].filter((file) => graph.tables.files[file].isGenerated);
  const named = fresh === '' ? [] : takenBy(graph, renamed, fresh);
  const taken = named.map((node) => placed(graph, node, 'taken', `${graph.qualifiedName(node)} is there already`));
  const isTaken = ({ path, line }: Conflict) => taken.some((other) => other.path === path && other.line === line);
  return [
    ...taken,
    ...outside(graph, renaming),
    ...demanded(graph, renaming),
    ...(fresh === '' ? [] : delegated(graph, renaming)),
    ...(fresh === '' ? [] : visibility(graph, renaming)),
    ...(fresh === '' ? [] : shadowed(graph, renaming).filter((conflict) => !isTaken(conflict))),
    ...generated.map((file): Conflict => {
      return { is: 'generated', blocks: false, why: 'a program writes this file', path: graph.tables.files[file].path };
    }),
  ];
}

/** Characters of a declaration that are read before and behind its name. */
const MAX_BEFORE = 40;
const MAX_BEHIND = 1_000;

/** A declaration that calls the function of its own name has to say which one it calls as soon as one of both is renamed. */
function delegated(graph: Graph, { renamed, files }: Renaming): Conflict[] {
  const { edgeBase } = graph.tables;
  const isAbout = (node: number) => {
    if (renamed.nodes.has(node)) return true;
    for (let edge = edgeBase[node]; edge < edgeBase[node + 1]; edge++)
      if (renamed.nodes.has(graph.target(edge))) return true;
    return false;
  };
  return files.flatMap(({ file, path, text, places }) => {
    const { delegate } = conventionsOf(graph.tables.files[file].language);
    if (delegate === undefined) return [];
    return places.flatMap(({ defines = [], start, end, line }): Conflict[] => {
      if (!delegate.before.test(text.slice(Math.max(0, start - MAX_BEFORE), start))) return [];
      if (delegate.names.test(text.slice(end, end + MAX_BEHIND))) return [];
      if (!defines.some((index) => isAbout(graph.fileNode(file) + 1 + index))) return [];
      const add = delegate.add.replace('NAME', () => renamed.name);
      return [{ is: 'used', blocks: true, why: `it delegates by its name: add ${add}`, path, line }];
    });
  });
}

function placed(graph: Graph, node: number, is: Conflict['is'], why: string): Conflict {
  return { is, blocks: true, why, path: graph.path(node), line: Math.max(1, graph.startLine(node)) };
}

/** Symbols that have the new name already where a renamed one would stand, or above or below it in its family of types. */
function takenBy(graph: Graph, { nodes, owners, isMember, name }: Renamed, fresh: string): number[] {
  const same = graph.nodesNamed(fresh).filter((node) => graph.kind(node) !== 'impl');
  if (same.length === 0) return [];
  const containers = new Set([...nodes].map((node) => graph.container(node)));
  const first = graph.fileOf([...nodes][0]);
  const { parts } = semanticsOf(graph.tables.files[first].language);
  const folders = new Set([...nodes].map((node) => folderOf(graph.path(node))));
  const found = new Set<number>();
  for (const other of same) {
    const container = graph.container(other);
    const isBeside = parts === 'package' && graph.isFile(container) && folders.has(folderOf(graph.path(other)));
    if (containers.has(container) || (!isMember && isBeside)) found.add(other);
    else if (isMember && inheritedMembers(graph, [container], name).some((each) => nodes.has(each))) found.add(other);
  }
  for (const owner of isMember ? owners : [])
    for (const other of inheritedMembers(graph, [owner], fresh)) found.add(other);
  return [...found];
}

/** Marks by which a declaration says that it has the name of another one. */
const OVERRIDES = /@Override\b|\boverride\b/;

/** Members that code outside of the repository may call by their names: those of its types, and those that a language knows. */
function outside(graph: Graph, renaming: Renaming): Conflict[] {
  const { renamed, sure } = renaming;
  const { nodes, name, isMember } = renamed;
  const found: Conflict[] = [];
  const [first] = nodes;
  const conventions = conventionsOf(graph.tables.files[graph.fileOf(first)].language);
  const { runtimeNames, runtimeName, libraryHead } = conventions;
  if (runtimeNames?.has(name) || runtimeName?.test(name))
    found.push(placed(graph, first, 'outside', 'the language or its library calls it by this name'));
  const attribute = sure.find(({ place }) => place.quoted && place.defines !== undefined);
  if (attribute !== undefined)
    found.push(placed(graph, first, 'outside', `what declares ${name} by a symbol may read or write @${name}`));
  const fitting = libraryHead && sure.find(({ read, place }) => place.defines && libraryHead.test(headAt(read, place)));
  if (isMember && fitting !== undefined)
    found.push({ ...placed(graph, first, 'outside', FITS), path: fitting.read.path, line: fitting.place.line });
  if (!isMember) return found;
  // Other values from outside of the repository have such a member.
  const isKnown = graph.danglingEdges(name).some((edge) => graph.tier(edge) === 'external');
  for (const node of nodes) {
    if (graph.kind(node) === 'constructor' || found.length > MAX_OUTSIDE) continue;
    const conflict = fromOutside(graph, renaming, node);
    if (conflict !== null) found.push({ ...conflict, blocks: conflict.blocks || isKnown });
  }
  return found;
}

/** Members of other types of the repository that a member must have the name of, since they keep theirs. */
function demanded(graph: Graph, { renamed, fresh, files }: Renaming): Conflict[] {
  const found: Conflict[] = [];
  for (const node of renamed.nodes) {
    const text = files.find(({ file }) => file === graph.fileOf(node))?.text ?? '';
    const above = [...ofDeclaredType(graph, node, text), ...(fresh === '' ? overriddenBy(graph, node) : [])];
    for (const other of above) {
      if (renamed.nodes.has(other) || found.length > MAX_OUTSIDE) continue;
      const isShape = ABSTRACT.has(graph.kind(graph.container(other)));
      found.push({ ...placed(graph, node, 'used', `it implements ${graph.qualifiedName(other)}`), blocks: isShape });
    }
  }
  return found;
}

/** Kinds of types whose members must be there in what implements them. */
const ABSTRACT: ReadonlySet<string> = new Set(['interface', 'type', 'trait', 'protocol']);

/** Members of that name in the type that is stated for the value around a member: `const cart: Cart = { total() {} }`. */
function ofDeclaredType(graph: Graph, node: number, text: string): number[] {
  const value = graph.container(node);
  const { language } = graph.tables.files[graph.fileOf(node)];
  if (graph.isFile(value) || !isValue(graph, value) || rulesOf(language).relations?.names?.keys !== true) return [];
  const first = text.split('\n', graph.startLine(value)).at(-1) ?? '';
  const start = first.indexOf(graph.name(value)) + graph.name(value).length;
  const [, type] = /^\s*:\s*([\w$]+)/.exec(first.slice(start)) ?? [];
  if (type === undefined) return [];
  const isOfType = (other: number) =>
    graph.name(graph.container(other)) === type && isType(graph, graph.container(other));
  return graph.nodesNamed(graph.name(node)).filter(isOfType);
}

const FITS = 'by this name and form, its type may fit an interface of the library';

const headAt = ({ text }: ReadFile, { start }: PlaceOfName): string =>
  text.slice(start, start + MAX_HEAD).replace(/\s+/g, ' ');

const MAX_HEAD = 200;

/** Conflict of a member whose type inherits from one outside of the repository; it blocks if that surely has the member. */
function fromOutside(graph: Graph, { sure, parents: above }: Renaming, node: number): Conflict | null {
  const block = graph.tables.nodeContainer[node];
  const { language } = graph.tables.files[graph.fileOf(node)];
  // A block says which trait it is about, and all of its members belong to that.
  const isBlock = graph.kind(block) === 'impl';
  const parents = isBlock ? outsideOf(graph, block) : (above.get(graph.container(node)) ?? []);
  const known = libraryMembers(language);
  const having = parents.filter((parent) => known.get(parent)?.has(bareName(graph.name(node))));
  const isMarked = isMarkedAt(graph, sure, node);
  const isSure = isBlock || having.length > 0 || (isMarked && overriddenBy(graph, node).length === 0);
  const open = isSure ? parents : parents.filter((parent) => !known.has(parent));
  if (open.length === 0) return null;
  if (semanticsOf(language).overridesAreMarked && !isMarked && !isSure) return null;
  const names = (having.length > 0 ? having : open).slice(0, MAX_PARENTS).join(', ');
  const why = `it ${isSure ? 'overrides' : 'may override'} a member of a type outside of the repository: ${names}`;
  return { ...placed(graph, node, 'outside', why), blocks: isSure };
}

/** Members of the library's types that a language knows, by the type. */
function libraryMembers(language: string): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, ReadonlySet<string>>();
  for (const line of conventionsOf(language).libraryMembers ?? []) {
    const [types, members] = line.split(':');
    const names = wordSet(members);
    for (const type of words(types)) found.set(type, names);
  }
  return found;
}

const MAX_PARENTS = 3;
const MAX_OUTSIDE = 5;

/** Does the text of a declaration say that it overrides another one? */
function isMarkedAt(graph: Graph, sure: Renaming['sure'], node: number): boolean {
  return sure.some(({ read, place }) => {
    if (!place.defines?.some((index) => graph.fileNode(read.file) + 1 + index === node)) return false;
    const lines = read.text.slice(0, place.start).split('\n');
    return OVERRIDES.test(lines.slice(graph.startLine(node) - 1).join('\n'));
  });
}

/** Types outside of the repository from which one inherits itself. */
const outsideOf = (graph: Graph, type: number): string[] =>
  [...inheritEdges(graph, type)].filter((edge) => graph.target(edge) < 0).map((edge) => graph.edge(edge).name);

/** Types outside of the repository above each owner of a member. `texts` reads a file. */
export async function parentsOutside(
  graph: Graph,
  { owners, isMember }: Renamed,
  texts: (file: number) => Promise<string>,
): Promise<Renaming['parents']> {
  const found = new Map<number, readonly string[]>();
  for (const owner of isMember ? owners : []) {
    const names = new Set<string>();
    const seen = new Set([owner]);
    for (const type of seen) {
      for (const name of await builtInParents(graph, type, texts)) names.add(name);
      for (const edge of inheritEdges(graph, type)) {
        if (graph.target(edge) < 0) names.add(lastPart(graph.edge(edge).name));
        else if (seen.size < MAX_SYMBOLS) seen.add(graph.target(edge));
      }
    }
    found.set(owner, [...names].sort());
  }
  return found;
}

/** Parents in the head of a type that its language has: the graph has no edge to them. */
async function builtInParents(graph: Graph, type: number, texts: (file: number) => Promise<string>): Promise<string[]> {
  const file = graph.fileOf(type);
  const { language } = graph.tables.files[file];
  const { ignoredTypes } = rulesOf(language).relations ?? {};
  // Languages with such a list have braces around the body of a type.
  const isRead = conventionsOf(language).libraryMembers !== undefined;
  if (!isRead || ignoredTypes === undefined || !isType(graph, type)) return [];
  const lines = (await texts(file)).split('\n', graph.endLine(type)).slice(graph.startLine(type) - 1);
  const body = lines.join('\n').slice(0, MAX_TYPE);
  const found: string[] = [];
  let [depth, previous, isHead] = [0, '', false];
  for (const [token] of body.matchAll(/=>|[\w$]+|[<>()[\]{};]/g)) {
    if (!isHead) isHead = TYPE_WORDS.has(previous) && token === bareName(graph.name(type));
    else if (depth === 0 && HEAD_ENDS.has(token)) break;
    else if ('<(['.includes(token)) depth++;
    else if ('>)]'.includes(token)) depth--;
    else if (depth === 0 && ignoredTypes.has(token)) found.push(token);
    previous = token;
  }
  return found.filter((each) => !graph.nodesNamed(each).some((node) => isType(graph, node)));
}

const TYPE_WORDS: ReadonlySet<string> = new Set(['class', 'interface', 'struct', 'record']);
const HEAD_ENDS: ReadonlySet<string> = new Set(['{', ';', 'where']);
/** Characters of a type that are searched for its head. */
const MAX_TYPE = 2_000;

/** A name can say who may use it, by its first letter. */
function visibility(graph: Graph, { renamed, fresh, sure }: Renaming): Conflict[] {
  const { nodes, name } = renamed;
  const [first] = nodes;
  const form = rulesOf(graph.tables.files[graph.fileOf(first)].language).definitions?.exported.name;
  if (form === undefined || form.test(name) === form.test(fresh)) return [];
  if (form.test(fresh))
    return [{ ...placed(graph, first, 'visibility', 'the new name makes it visible to others'), blocks: false }];
  const home = folderOf(graph.path(first));
  const far = sure.find(({ read }) => folderOf(read.path) !== home);
  if (far === undefined)
    return [{ ...placed(graph, first, 'visibility', 'the new name hides it from others'), blocks: false }];
  const why = 'the new name hides it from this use';
  return [{ is: 'visibility', blocks: true, why, path: far.read.path, line: far.place.line }];
}

/** Names in changed files that would mean the symbol, or hide it, after the rename. */
function shadowed(graph: Graph, { renamed, fresh, sure, files }: Renaming): Conflict[] {
  const bareUses = new Map<ReadFile, PlaceOfName[]>();
  for (const { read, place } of sure) {
    const isBare = !place.member && (!renamed.isMember || place.defines === undefined);
    if (isBare) addTo(bareUses, read, place);
  }
  const found: Conflict[] = [];
  const homes = new Set([...renamed.nodes].map((node) => graph.fileOf(node)));
  for (const read of files) {
    const uses = bareUses.get(read);
    const { language } = graph.tables.files[read.file];
    const isOpen = homes.has(read.file) && (!renamed.isMember || semanticsOf(language).implicitThis === true);
    if (uses === undefined && !isOpen) continue;
    const named = read.places.filter(({ name }) => name === fresh);
    const scopes = named.flatMap(({ binds }) => (binds === undefined ? [] : [binds]));
    const other = named.find((place) => meets(graph, read, place, { uses: uses ?? [], scopes, renamed }));
    if (other === undefined) continue;
    const why = `${fresh} means something else here already`;
    found.push({ is: 'shadowed', blocks: true, why, path: read.path, line: other.line });
  }
  return found;
}

/** Would a place of the new name and a use of the old one mean each other? */
function meets(
  graph: Graph,
  read: ReadFile,
  place: PlaceOfName,
  of: { uses: readonly PlaceOfName[]; scopes: readonly (readonly [number, number])[]; renamed: Renamed },
): boolean {
  const { uses, scopes, renamed } = of;
  if (place.in !== 'code' || place.member || place.label) return false;
  const isInside = ([start, end]: readonly [number, number]) =>
    uses.some((use) => start <= use.start && use.start < end);
  if (place.binds !== undefined) return isInside(place.binds);
  if (scopes.some(([start, end]) => start <= place.start && place.start < end)) return false;
  if (place.defines !== undefined) {
    // Members are named by what they belong to.
    const nodes = place.defines.map((index) => graph.fileNode(read.file) + 1 + index);
    return nodes.some((node) => graph.isFile(graph.container(node)) && !renamed.isMember && uses.length > 0);
  }
  if (!renamed.isMember) return true;
  const line = place.line;
  return [...renamed.owners].some(
    (owner) => graph.fileOf(owner) === read.file && graph.startLine(owner) <= line && line <= graph.endLine(owner),
  );
}

// Other branches.

/** Branches that are compared, the newest ones, and files of each that are read. */
const MAX_BRANCHES = 20;
const MAX_FILES = 200;
const MAX_AGE = 90;
const AT_ONCE = 4;

/** Lines of other branches that the patch changes, too, or that have the old name and are new there. */
export async function branchConflicts(
  at: Asker,
  { origin }: GraphAndHeader,
  changes: readonly Change[],
  name: string,
): Promise<Conflict[]> {
  const { commit } = origin.resolved;
  const { session, signal } = at;
  if (commit === null || changes.length === 0) return [];
  const { list } = await findOthers({ session }, commit, { maxAge: MAX_AGE });
  const others = list.slice(0, MAX_BRANCHES);
  const { git } = session.repository;
  const bases = await mergeBases(
    git,
    commit,
    others.map((other) => other.commit),
    signal,
  );
  const edited = new Map(changes.map((change) => [change.path, change]));
  const found = await mapConcurrently(others, AT_ONCE, async (other, i): Promise<Conflict[]> => {
    const base = bases[i];
    if (base === null) return [];
    const diff = await diffTrees(git, base, other.commit, { renames: true, signal });
    const conflicts: Conflict[] = [];
    for (const { path, oldPath = path, oldOid, newOid } of diff.slice(0, MAX_FILES)) {
      const [before, after] = await Promise.all([oldOid, newOid].map((oid) => textOf(at, oid)));
      const why = overlapOf({ before, after, name, change: edited.get(oldPath) });
      if (why !== null) conflicts.push({ is: 'branch', blocks: false, why: `${other.name} ${why}`, path });
    }
    return conflicts;
  });
  return found.flat();
}

async function textOf({ session }: Asker, oid: string | null): Promise<string> {
  const object = oid === null ? null : await session.objects.read(oid);
  return object?.type === 'blob' ? object.content.toString('utf8') : '';
}

function overlapOf(of: { before: string; after: string; name: string; change: Change | undefined }): string | null {
  const { before, after, name, change } = of;
  const lines = (text: string) => text.split('\n');
  const isNamed = (text: string) => occurrences(text, name).length > 0;
  if (change === undefined && !isNamed(after)) return null;
  const parts = lineChanges(lines(before), lines(after));
  const added = parts.filter(({ fresh }) => isNamed(fresh.join('\n')));
  if (change !== undefined) {
    const known = lines(change.text);
    const touched = new Set(linesEdited(change).map((line) => known[line - 1]));
    const same = parts.filter(({ old }) => old.some((line) => touched.has(line)));
    if (same.length > 0) return `changes ${formatCount(same.length, 'part')} of what the patch changes`;
  }
  return added.length > 0 ? `adds lines with ${name}` : null;
}
