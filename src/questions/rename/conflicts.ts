/**
 * Conflicts of a rename or a deletion: reasons why the patch may change what the code does, or break it, in this snapshot and in other
 * branches.
 */
import { mapConcurrently } from '../../base/async.js';
import { lineChanges } from '../../base/line-diff.js';
import { addTo } from '../../base/lists.js';
import { bareName, occurrences, type PlaceOfName } from '../../extract/name-places.js';
import { mergeBases } from '../../git/branches.js';
import { diffTrees } from '../../git/diff.js';
import type { Graph } from '../../graph/graph.js';
import { isValue } from '../../graph/query/entry-patterns.js';
import { inheritEdges, inheritedMembers, isType, overriddenBy } from '../../graph/query/uses.js';
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
import { folderOf, MAX_SYMBOLS, type Renamed } from './symbols.js';

interface Renaming {
  renamed: Renamed;
  /** The new name; '' where the symbol is deleted instead. */
  fresh: string;
  /** Places that the patch changes because they are sure. */
  sure: readonly { read: ReadFile; place: PlaceOfName }[];
  files: readonly ReadFile[];
  /** Types outside of the repository above each owner. */
  parents: ReadonlyMap<number, readonly string[]>;
}

/** Reasons why the patch may change what the code does, or break it. */
export function conflictsOf(graph: Graph, renaming: Renaming): Conflict[] {
  const { renamed, fresh, sure } = renaming;
  const files = new Set(sure.map(({ read }) => read.file));
  const generated = [...files].filter((file) => graph.tables.files[file].isGenerated);
  const namesakes = fresh === '' ? [] : takenBy(graph, renamed, fresh);
  const taken = namesakes.map((node) => atNode(graph, node, 'taken', `${graph.qualifiedName(node)} is there already`));
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

/** A conflict that blocks the rename, at a declaration. */
function atNode(graph: Graph, node: number, is: Conflict['is'], why: string): Conflict {
  return { is, blocks: true, why, path: graph.path(node), line: Math.max(1, graph.startLine(node)) };
}

// The new name is there already, or means something else where the patch writes it.

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
    const other = named.find((place) => isConfused(graph, read, place, { uses: uses ?? [], scopes, renamed }));
    if (other === undefined) continue;
    const why = `${fresh} means something else here already`;
    found.push({ is: 'shadowed', blocks: true, why, path: read.path, line: other.line });
  }
  return found;
}

interface UsesAndScopes {
  renamed: Renamed;
  /** Places of the file that mean the symbol by its bare name. */
  uses: readonly PlaceOfName[];
  /** Offsets at which a local binding of the new name begins and ends to be in scope. */
  scopes: readonly (readonly [number, number])[];
}

/** Would a place of the new name and a use of the old one mean each other? */
function isConfused(
  graph: Graph,
  read: ReadFile,
  place: PlaceOfName,
  { uses, scopes, renamed }: UsesAndScopes,
): boolean {
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

// Code outside of the repository may know the old name.

/** Marks by which a declaration says that it has the name of another one. */
const OVERRIDES = /@Override\b|\boverride\b/;
/** Conflicts with code outside that are told of one rename. */
const MAX_OUTSIDE = 5;
/** Types that one of them names. */
const MAX_PARENTS = 3;
/** In UTF-16 units. */
const MAX_HEAD_LENGTH = 200;
const MAY_FIT = 'by this name and form, its type may fit an interface of the library';

/** Members that code outside of the repository may call by their names: those of its types, and those that a language knows. */
function outside(graph: Graph, renaming: Renaming): Conflict[] {
  const { renamed, sure } = renaming;
  const { nodes, name, isMember } = renamed;
  const found: Conflict[] = [];
  const [first] = nodes;
  const conventions = conventionsOf(graph.tables.files[graph.fileOf(first)].language);
  const { runtimeNames, runtimeName, libraryHead } = conventions;
  if (runtimeNames?.has(name) || runtimeName?.test(name))
    found.push(atNode(graph, first, 'outside', 'the language or its library calls it by this name'));
  const attribute = sure.find(({ place }) => place.quoted && place.defines !== undefined);
  if (attribute !== undefined)
    found.push(atNode(graph, first, 'outside', `what declares ${name} by a symbol may read or write @${name}`));
  const fitting = libraryHead && sure.find(({ read, place }) => place.defines && libraryHead.test(headAt(read, place)));
  if (isMember && fitting !== undefined)
    found.push({ ...atNode(graph, first, 'outside', MAY_FIT), path: fitting.read.path, line: fitting.place.line });
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

/** Text from a name on, in one line: the head of a declaration. */
const headAt = ({ text }: ReadFile, { start }: PlaceOfName): string =>
  text.slice(start, start + MAX_HEAD_LENGTH).replace(/\s+/g, ' ');

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
  return { ...atNode(graph, node, 'outside', why), blocks: isSure };
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

const TYPE_WORDS: ReadonlySet<string> = new Set(['class', 'interface', 'struct', 'record']);
const HEAD_ENDS: ReadonlySet<string> = new Set(['{', ';', 'where']);
/** Characters of a type that are searched for its head. */
const MAX_TYPE = 2_000;

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

// Other code of the repository wants the old name, or another one than the new.

/** Kinds of types whose members must be there in what implements them. */
const ABSTRACT: ReadonlySet<string> = new Set(['interface', 'type', 'trait', 'protocol']);

/** Members of other types of the repository that a member must have the name of, since they keep theirs. */
function demanded(graph: Graph, { renamed, fresh, files }: Renaming): Conflict[] {
  const found: Conflict[] = [];
  for (const node of renamed.nodes) {
    const text = files.find(({ file }) => file === graph.fileOf(node))?.text ?? '';
    const above = [...ofDeclaredType(graph, node, text), ...(fresh === '' ? overriddenBy(graph, node) : [])];
    for (const other of above) {
      if (renamed.nodes.has(other) || found.length > MAX_OUTSIDE) continue;
      const isShape = ABSTRACT.has(graph.kind(graph.container(other)));
      found.push({ ...atNode(graph, node, 'used', `it implements ${graph.qualifiedName(other)}`), blocks: isShape });
    }
  }
  return found;
}

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

/** A name can say who may use it, by its first letter. */
function visibility(graph: Graph, { renamed, fresh, sure }: Renaming): Conflict[] {
  const { nodes, name } = renamed;
  const [first] = nodes;
  const form = rulesOf(graph.tables.files[graph.fileOf(first)].language).definitions?.exported.name;
  if (form === undefined || form.test(name) === form.test(fresh)) return [];
  if (form.test(fresh))
    return [{ ...atNode(graph, first, 'visibility', 'the new name makes it visible to others'), blocks: false }];
  const home = folderOf(graph.path(first));
  const far = sure.find(({ read }) => folderOf(read.path) !== home);
  if (far === undefined)
    return [{ ...atNode(graph, first, 'visibility', 'the new name hides it from others'), blocks: false }];
  const why = 'the new name hides it from this use';
  return [{ is: 'visibility', blocks: true, why, path: far.read.path, line: far.place.line }];
}

// Other branches.

/** The newest branches are compared, and this many files of each. */
const MAX_BRANCHES = 20;
const MAX_FILES = 200;
const MAX_AGE_DAYS = 90;
/** Branches that are read at once. */
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
  const { list } = await findOthers({ session }, commit, { maxAge: MAX_AGE_DAYS });
  const others = list.slice(0, MAX_BRANCHES);
  const { git } = session.repository;
  const heads = others.map((other) => other.commit);
  const bases = await mergeBases(git, commit, heads, signal);
  const edited = new Map(changes.map((change) => [change.path, change]));
  const found = await mapConcurrently(others, AT_ONCE, async (other, i): Promise<Conflict[]> => {
    const base = bases[i];
    if (base === null) return [];
    const diff = await diffTrees(git, base, other.commit, { renames: true, signal });
    const conflicts: Conflict[] = [];
    for (const { path, oldPath = path, oldOid, newOid } of diff.slice(0, MAX_FILES)) {
      const [before, after] = await Promise.all([oldOid, newOid].map((oid) => textOf(at, oid)));
      const why = overlapOf({ before, after, change: edited.get(oldPath) }, name);
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

interface BranchFile {
  /** Text where the branch began, and in the branch; '' for no file. */
  before: string;
  after: string;
  /** The patch's change of the file; undefined for none. */
  change: Change | undefined;
}

/** Says as the end of a sentence how the branch changes what the patch changes, or where it adds the old name; null if it does neither. */
function overlapOf({ before, after, change }: BranchFile, name: string): string | null {
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
