/**
 * Searches the text of a snapshot for names: strings, templates and configuration use code without an edge. The index
 * of words finds the files whose text may contain a name, and only those are read.
 */
import { identifierTerms, MAX_IDENTIFIER } from '../../extract/terms.js';
import type { Graph } from '../../graph/graph.js';
import {
  excuseOfAccess,
  excuseOfDeclaration,
  isFileOwn,
  isGiven,
  isUnnamedMember,
  placeExcuse,
  UNNAMED_MEMBER,
} from '../../graph/query/declaration-signs.js';
import { isExtended, isValue, registrar } from '../../graph/query/entry-patterns.js';
import {
  bareReach,
  callsByValue,
  computedParts,
  FOREIGN,
  foreignNames,
  fragmentsOf,
  hasFragment,
  isItsPath,
  isLostInCode,
  isPasted,
  macroWords,
  makesScripts,
  memberPlaces,
  type NamePlace,
  pastedParts,
  plainName,
  readNames,
  unexplainedPlaces,
  wordsIn,
} from '../../graph/query/name-occurrences.js';
import { PAGE, packageReach } from '../../graph/query/node-place.js';
import { overloadsOf } from '../../graph/query/overloads.js';
import type { Excuse } from '../../graph/query/unused.js';
import { filesOfParts, isFunction } from '../../graph/query/uses.js';
import { conventionsOf, languageOf, sameFamily, semanticsOf } from '../../languages/registry.js';
import type { LiveSet } from '../../shard/live-set.js';
import type { Session } from '../session.js';
import { corporaOf } from '../snapshot/corpora.js';
import type { PreparedGraph } from './graphs.js';

/** Maximum number of files with a name among many names: one in more files is a common word, which is not looked up. */
const MAX_FILES = 60;
/** Files from which on one of the few names of an answer is a common word: so many are read in some tenths of a second. */
const MAX_FILES_OF_FEW = 1_000;
/** Maximum number of files with a part of a name: one in more files is a common word. */
const MAX_FRAGMENT_FILES = 20;
/** Maximum number of files without an index that are read for any name. */
const MAX_UNINDEXED = 100;
/** Maximum number of files read for one answer. */
const MAX_READ = 5_000;
/** Verdicts of what only runners of tests, or code outside of the repository, use: that is known. */
const KNOWN_USE: ReadonlySet<Excuse['verdict']> = new Set(['entry-point', 'exported'] as const);
/** Letters that stand behind the sign of an escape in strings and patterns. */
const ESCAPES = 'ntrbswdfv0';

/** Text that names definitions. `read` comes first: everything else answers about nodes that were read, and reads nothing. */
export class TextUses {
  /** Places of each name that was looked up. */
  private readonly places = new Map<string, NamePlace[]>();
  /** Names that are common words and were not looked up. */
  private readonly common = new Set<string>();
  /** Places by the name that templates have for a method: `cart.total` for `getTotal`. */
  private readonly members = new Map<string, NamePlace[]>();
  /** By node: why its declaration or its file may have it used; null for no reason. */
  private readonly declared = new Map<number, Excuse | null>();
  /** Texts by file, as long as a part of `read` needs them: each part empties the map. */
  private readonly texts = new Map<number, string>();
  /** By file: words that its macros may paste into names. */
  private readonly pasted = new Map<number, ReadonlySet<string>>();
  /** Parts that macros paste to names in the files that all others may include; null before they are read. */
  private shared: ReadonlySet<string> | null = null;
  /** Are there more such files than are read? Then a macro may make any name. */
  private hasUnreadMacros = false;
  /** By file: functions that it declares for code of another language. */
  private readonly foreign = new Map<number, ReadonlySet<string>>();
  /** Nodes that only their file can name. */
  private readonly fileOwn = new Set<number>();
  /** By name: a file that may make it of parts; null for none. */
  private readonly made = new Map<string, { path: string; fragment: string } | null>();
  /** By file: beginnings and ends of names that it makes while it runs. */
  private readonly computed = new Map<number, ReturnType<typeof computedParts>>();
  private readonly graph: Graph;
  private readonly unindexed: readonly number[];

  constructor(
    private readonly prepared: PreparedGraph,
    private readonly index: NameIndex,
  ) {
    this.graph = prepared.graph;
    this.unindexed = index.unindexed;
  }

  /** Reads the files that contain the names of `nodes`, unless already read. `most`: files from which on a name is a common word. */
  async read(nodes: readonly number[], most = MAX_FILES): Promise<void> {
    const { graph } = this;
    const isNew = (name: string): boolean => !this.places.has(name) && !this.common.has(name);
    const names = new Set(nodes.map((node) => plainName(graph.name(node))).filter(isNew));
    const wanted = new Map<number, Set<string>>();
    for (const name of names) {
      const files = this.index.filesWith(name);
      if (files === null || files.length > most || wanted.size > MAX_READ) {
        this.common.add(name);
        continue;
      }
      this.places.set(name, []);
      for (const file of files) wanted.set(file, (wanted.get(file) ?? new Set()).add(name));
    }
    for (const file of this.unindexed) {
      const own = [...names].filter((name) => this.places.has(name));
      if (own.length > 0) wanted.set(file, new Set(own));
    }
    // These three empty the texts, so that the texts for places and for `declaredExcuse` are read after them.
    await this.readMacros(nodes);
    await this.readFragments(nodes);
    await this.readMembers(nodes, most);
    await this.readTexts([...wanted.keys(), ...nodes.map((node) => graph.fileOf(node))]);
    for (const [file, own] of wanted) {
      const text = this.texts.get(file) ?? '';
      for (const place of unexplainedPlaces(graph, file, { text, names: own }))
        this.places.get(place.name)?.push(place);
    }
    for (const node of nodes) if (!this.declared.has(node)) this.readDeclaration(node);
    this.texts.clear();
  }

  /** Reason why a definition may be used nevertheless; null for none. `isDead`: is a line in unused code? */
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
    const places = this.placesOf(node) ?? [];
    // Configuration is used by libraries, which no code here shows.
    const byPath = places.find((place) => isItsPath(graph, node, place));
    const place = byPath ?? places.find(({ file, line }) => !isDead(file, line));
    if (place === undefined) return null;
    const where = `${graph.tables.files[place.file].path}:${place.line}`;
    if (byPath !== undefined) return { verdict: 'entry-point', reason: `${where} names it by its path` };
    return { verdict: 'mentioned', reason: `its name stands in ${where}${place.isText ? ', in quotes' : ''}` };
  }

  /** Reason why its declaration, or a name that code makes, may have a definition used that nothing names; null for none, and for a test. */
  markOf(node: number): string | null {
    const declared = this.declared.get(node) ?? null;
    return declared === null || KNOWN_USE.has(declared.verdict) ? null : declared.reason;
  }

  /** Reason why text that is no code, such as a template, uses a definition that a library was given; null for none. */
  excuseOfTemplate(node: number): Excuse | null {
    const { graph } = this;
    const place = this.placesOf(node)?.find((one) => isInTemplate(graph, node, one));
    if (place === undefined) return null;
    const where = `${graph.tables.files[place.file].path}:${place.line}`;
    return { verdict: 'entry-point', reason: `a library got it, and ${where} names it` };
  }

  /** Places of `placesOf` that can mean the definition. */
  tellingPlaces(node: number): NamePlace[] | null {
    return this.placesOf(node)?.filter(this.canMean(node)) ?? null;
  }

  /** Places outside of a definition that have its name without a resolved use; null for a common word, which is not looked up. */
  placesOf(node: number): NamePlace[] | null {
    const { graph } = this;
    const name = plainName(graph.name(node));
    if (this.common.has(name)) return null;
    const own = overloadsOf(graph, node);
    const members = readNames(graph, node).flatMap((read) => this.members.get(read) ?? []);
    return [...(this.places.get(name) ?? []), ...members].filter(({ file, line, isImport }) => {
      const isOwn = own.some((each) => graph.fileOf(each) === file && contains(graph, each, line));
      return !isOwn && !(isImport && this.isUsedIn(file, node));
    });
  }

  /** Can a place mean a node, by who can name it and by how the place names it? Documentation uses nothing. */
  private canMean(node: number): (place: NamePlace) => boolean {
    const { graph } = this;
    const isInReach = packageReach(graph, node);
    const isMeantBare = bareReach(graph, node);
    const own = this.fileOwn.has(node) ? filesOfParts(graph, node) : null;
    const isLost = isLostInCode(graph, node);
    return ({ file, isBare, isProse, isText }) => {
      if (isText && isLost(file)) return false;
      if (isProse || !isInReach(graph.tables.files[file].path) || (isBare && !isMeantBare(file))) return false;
      const isCode = graph.tables.files[file].state === 'linked' && !isText;
      return own === null || own.has(file) || !(isCode || isFunction(graph, node));
    };
  }

  /** Finds the first reason that applies. Called while `read` has the texts. */
  private declaredExcuse(node: number): Excuse | null {
    const { graph } = this;
    const lines = (this.texts.get(graph.fileOf(node)) ?? '').split('\n', graph.endLine(node));
    const container = graph.container(node);
    const isTopLevel = graph.isFile(container);
    const head = isTopLevel ? '' : headOf(lines.slice(graph.startLine(container) - 1), graph.name(container));
    const name = plainName(graph.name(node));
    if (this.isComputed(node, name))
      return { verdict: 'mentioned', reason: 'its file makes names while it runs, and may make this one' };
    const made = this.made.get(name);
    if (made != null)
      return {
        verdict: 'mentioned',
        reason: `${made.path} has ${made.fragment} in quotes, and may make its name of it`,
      };
    if (this.isPasted(node, name))
      return { verdict: 'mentioned', reason: 'a macro of its file or of a header may make its name' };
    const first = graph.startLine(node) - 1;
    if (!isTopLevel && isUnnamedMember(lines, first)) return UNNAMED_MEMBER;
    if (isGiven(lines, first) || this.isForeign(node, name)) return FOREIGN;
    const { libraryTypes } = conventionsOf(graph.tables.files[graph.fileOf(node)].language);
    if (!isTopLevel && libraryTypes?.test(graph.qualifiedName(node)))
      return { verdict: 'framework', reason: 'its type belongs to a library, which may call it' };
    if (
      isTopLevel &&
      PAGE.test(graph.path(node)) &&
      (isValue(graph, node) || makesScripts(this.texts.get(graph.fileOf(node))))
    )
      return { verdict: 'exported', reason: 'other scripts of its page may use it' };
    const placed = isValue(graph, node) ? this.placeExcuse(node, lines, first) : null;
    if (placed !== null) return placed;
    const own = lines.slice(first);
    if (isExtended(graph, node, own.join('\n')))
      return {
        verdict: 'unresolved-uses',
        reason: 'it extends other types, and calls of its names may mean its members',
      };
    const said = excuseOfDeclaration(own, name, { isTopLevel, container: head, isValue: isValue(graph, node) });
    return said ?? excuseOfAccess(graph, node, lines);
  }

  /** Reads in the declaration of a node who may use it, and whether only its file can name it. Called while `read` has the texts. */
  private readDeclaration(node: number): void {
    this.declared.set(node, this.declaredExcuse(node));
    const lines = (this.texts.get(this.graph.fileOf(node)) ?? '').split('\n', this.graph.endLine(node));
    if (isFileOwn(this.graph, node, lines)) this.fileOwn.add(node);
  }

  /** Finds files that have a part of a function's name in quotes, where programs call by such names. */
  private async readFragments(nodes: readonly number[]): Promise<void> {
    const { graph } = this;
    const { files } = graph.tables;
    for (const node of nodes) {
      const name = plainName(graph.name(node));
      const mayBeMade = isFunction(graph, node) && !graph.isExported(node) && !this.made.has(name);
      if (!mayBeMade || !semanticsOf(files[graph.fileOf(node)].language).unstatedTypes) continue;
      this.made.set(name, null);
      for (const fragment of fragmentsOf(name)) {
        const linked = (this.index.filesWith(fragment) ?? []).filter((file) => files[file].state === 'linked');
        if (linked.length > MAX_FRAGMENT_FILES || this.texts.size > MAX_READ) continue;
        await this.readTexts(linked.filter((file) => !this.texts.has(file)));
        const file = linked.find((each) => hasFragment(this.texts.get(each) ?? '', fragment));
        if (file === undefined) continue;
        this.made.set(name, { path: files[file].path, fragment });
        break;
      }
    }
    this.texts.clear();
  }

  /** Finds where text of other languages calls methods by what is behind `get`. */
  private async readMembers(nodes: readonly number[], most: number): Promise<void> {
    const { files } = this.graph.tables;
    const wanted = new Map<number, Set<string>>();
    for (const node of nodes)
      for (const name of readNames(this.graph, node)) {
        const { readAs } = conventionsOf(files[this.graph.fileOf(node)].language);
        if (this.members.has(name)) continue;
        this.members.set(name, []);
        const having = (this.index.filesWith(name) ?? []).filter((file) => readAs?.path.test(files[file].path));
        for (const file of having.slice(0, most)) wanted.set(file, (wanted.get(file) ?? new Set()).add(name));
      }
    await this.readTexts([...wanted.keys()]);
    for (const [file, names] of wanted)
      for (const place of memberPlaces(file, this.texts.get(file) ?? '', names))
        this.members.get(place.name)?.push(place);
    this.texts.clear();
  }

  private placeExcuse(node: number, lines: readonly string[], first: number): Excuse | null {
    const { graph } = this;
    const isField = !graph.isFile(graph.container(node)) && graph.kind(node) !== 'constant';
    return placeExcuse(this.texts.get(graph.fileOf(node)) ?? '', lines, first, isField);
  }

  private isComputed(node: number, name: string): boolean {
    const file = this.graph.fileOf(node);
    const text = this.texts.get(file) ?? '';
    const parts = this.computed.get(file) ?? computedParts(text);
    this.computed.set(file, parts);
    const isMember = isFunction(this.graph, node) && !this.graph.isFile(this.graph.container(node));
    if (isMember && callsByValue(text)) return true;
    return parts.some(
      ([start, end]) => name.length > start.length + end.length && name.startsWith(start) && name.endsWith(end),
    );
  }

  private isForeign(node: number, name: string): boolean {
    const file = this.graph.fileOf(node);
    const names = this.foreign.get(file) ?? foreignNames(this.texts.get(file) ?? '');
    this.foreign.set(file, names);
    return names.has(name);
  }

  private isPasted(node: number, name: string): boolean {
    const file = this.graph.fileOf(node);
    if (conventionsOf(this.graph.tables.files[file].language).pastedNames !== true) return false;
    let words = this.pasted.get(file);
    if (words === undefined) {
      words = macroWords(this.texts.get(file) ?? '');
      this.pasted.set(file, words);
    }
    return this.hasUnreadMacros || isPasted(name, words) || isPasted(name, this.shared ?? new Set());
  }

  /** Reads the macros of headers once, if a language of the nodes has such. */
  private async readMacros(nodes: readonly number[]): Promise<void> {
    const { files } = this.graph.tables;
    const of = (file: number) => conventionsOf(files[file].language);
    if (this.shared !== null || !nodes.some((node) => of(this.graph.fileOf(node)).pastedNames)) return;
    const headers = [...files.keys()].filter(
      (file) => of(file).pastedNames && of(file).includedPath?.test(files[file].path),
    );
    const shared = new Set<string>();
    this.hasUnreadMacros = headers.length > MAX_READ;
    await this.readTexts(headers.slice(0, MAX_READ));
    for (const text of this.texts.values()) for (const part of pastedParts(text)) shared.add(part);
    this.texts.clear();
    this.shared = shared;
  }

  /** Does the file use the node? Then an import is for that use, and means nothing more. */
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

/** Is it a place in text of another kind, such as a template or configuration? */
function isInTemplate(graph: Graph, node: number, { file }: NamePlace): boolean {
  const { files } = graph.tables;
  return !sameFamily(files[file].language, files[graph.fileOf(node)].language);
}

/** Finds the nodes that only their own file can name, as their declarations say. */
export async function fileOwnAmong({ graph, objects }: PreparedGraph, nodes: readonly number[]): Promise<Set<number>> {
  const found = new Set<number>();
  for (const node of nodes.slice(0, MAX_LOOKED_UP)) {
    if (graph.isFile(node) || conventionsOf(graph.tables.files[graph.fileOf(node)].language).fileHead === undefined)
      continue;
    const object = await objects.read(graph.tables.files[graph.fileOf(node)].oid);
    const lines = object?.type === 'blob' ? object.content.toString('utf8').split('\n', graph.endLine(node)) : [];
    if (isFileOwn(graph, node, lines)) found.add(node);
  }
  return found;
}

/** Does a name in text mean the node: by the path before it, or as what a decorator gave to a library that templates ask? */
export function isUseOf(graph: Graph, node: number, place: NamePlace): boolean {
  return isItsPath(graph, node, place) || (registrar(graph, node) !== null && isInTemplate(graph, node, place));
}

/** Maximum number of lines from the beginning of a type, with its attributes, to its name. */
const MAX_HEAD = 10;

/** First lines of a type, up to the one with its name. */
function headOf(lines: readonly string[], name: string): string {
  const first = lines.slice(0, MAX_HEAD);
  const last = first.findIndex((line) => line.includes(name));
  return first.slice(0, Math.max(0, last) + 1).join('\n');
}

export function contains(graph: Graph, node: number, line: number): boolean {
  return line >= graph.startLine(node) && line <= graph.endLine(node);
}

/** Maximum number of definitions of one answer whose names are looked up. */
const MAX_LOOKED_UP = 40;

interface Named {
  /** Places outside of each node that have its name without a resolved use; null for a name in too many files, no entry without a place. */
  places: ReadonlyMap<number, readonly NamePlace[] | null>;
  /** By node, the reason why an attribute, or a name that code makes, may have it used. */
  marks: ReadonlyMap<number, string>;
}

/** Finds in text what may use the first of the nodes without an edge of the graph. */
export async function placesNaming(
  session: Session,
  prepared: PreparedGraph,
  { nodes, signal }: { nodes: readonly number[]; signal?: AbortSignal },
): Promise<Named> {
  const { graph } = prepared;
  const wanted = nodes.filter((node) => !graph.isFile(node)).slice(0, MAX_LOOKED_UP);
  if (wanted.length === 0) return { places: new Map(), marks: new Map() };
  const texts = await openTextUses(session, prepared, signal);
  await texts.read(wanted, Math.max(MAX_FILES, Math.floor(MAX_FILES_OF_FEW / wanted.length)));
  const isTelling = (node: number, place: NamePlace) =>
    place.isImport ? bringsIt(graph, node, place) : !isExportList(graph, place);
  // Answers count lines, and a line can have a name twice: that of a file, too, in an import.
  const placesOf = (node: number) =>
    texts
      .tellingPlaces(node)
      ?.filter((place) => isTelling(node, place))
      .filter(({ file, line }, i, all) => i === 0 || all[i - 1].file !== file || all[i - 1].line !== line) ?? null;
  const found = wanted.map((node) => [node, placesOf(node)] as const);
  const marked = wanted.map((node) => [node, texts.markOf(node)] as const);
  return {
    places: new Map(found.filter(([, places]) => places === null || places.length > 0)),
    marks: new Map(marked.filter((each): each is [number, string] => each[1] !== null)),
  };
}

/** Does an import bring a definition into a file that is not known to use it? It ends with the definition, or with its name. */
function bringsIt(graph: Graph, node: number, { file, line }: NamePlace): boolean {
  const { edgeLine, edgeSpan } = graph.tables;
  const own = graph.fileNode(graph.fileOf(node));
  return graph
    .incoming(own)
    .some((edge) => graph.fileOf(graph.source(edge)) === file && isWithin(line, edgeLine[edge], edgeSpan[edge]));
}

const isWithin = (line: number, first: number, span: number): boolean => line >= first && line <= first + span;

/** Does a name stand in a list of what its file exports? */
function isExportList(graph: Graph, { file, line, isText }: NamePlace): boolean {
  const { exportLists } = conventionsOf(graph.tables.files[file].language);
  if (!isText || exportLists === undefined) return false;
  for (let node = graph.fileNode(file) + 1; node < graph.tables.nodeBase[file + 1]; node++)
    if (exportLists.has(graph.name(node)) && contains(graph, node, line)) return true;
  return false;
}

/** Opens the texts of a snapshot. Uncommitted files may contain any name. */
export async function openTextUses(session: Session, prepared: PreparedGraph, signal?: AbortSignal): Promise<TextUses> {
  return new TextUses(prepared, await NameIndex.open(session, prepared, signal));
}

type Indexed = Pick<PreparedGraph, 'graph' | 'origin' | 'uncommitted'>;

/** Finds the files of a graph that may contain a name. Kept with the graph: looking up all files takes longer than an answer. */
export class NameIndex {
  private static readonly ofGraphs = new WeakMap<Graph, NameIndex>();
  /** The graph's number of each path of the live set, -1 for a file that it does not have. */
  private readonly files: Int32Array;
  private readonly uncommitted: readonly number[];
  /** Code that is too large for the index, or holds a secret, and may have any name. */
  readonly unindexed: readonly number[];

  private constructor(
    graph: Graph,
    private readonly live: LiveSet,
    uncommitted: ReadonlySet<string>,
  ) {
    const { table, length, pathStart } = live.files;
    this.files = Int32Array.from({ length: pathStart[length] }, (_, at) => graph.findFile(table.at(at)));
    this.uncommitted = [...uncommitted].map((path) => graph.findFile(path)).filter((file) => file >= 0);
    const { files } = graph.tables;
    const indexed = new Set([...this.files, ...this.uncommitted]);
    const isLeftOut = ({ state, language }: (typeof files)[number], file: number) =>
      state === 'unreadable' ||
      (state !== 'linked' && !indexed.has(file) && languageOf(language)?.grammar !== undefined);
    this.unindexed = [...files.keys()].filter((file) => isLeftOut(files[file], file)).slice(0, MAX_UNINDEXED);
  }

  /** Uncommitted files may contain any name. */
  static async open(
    session: Session,
    { graph, origin, uncommitted }: Indexed,
    signal?: AbortSignal,
  ): Promise<NameIndex> {
    const { live } = (await corporaOf(session).of(origin, signal)).corpus;
    const known = NameIndex.ofGraphs.get(graph);
    if (known?.live === live) return known;
    const index = new NameIndex(graph, live, uncommitted);
    NameIndex.ofGraphs.set(graph, index);
    return index;
  }

  /** Files that may contain a name, in any case and with any joiners; null for a name too short or too long to be indexed. */
  filesWith(name: string): number[] | null {
    const words = wordsIn(name);
    const sets = (words.length > 1 ? words : [name]).flatMap((word) => this.filesWithWord(word) ?? []);
    return sets.length === 0 ? null : [...sets[0]].filter((file) => sets.every((files) => files.has(file)));
  }

  private filesWithWord(word: string): Set<number> | null {
    // Among several terms the last one is the whole name, which is the rarest.
    const term = word.length > MAX_IDENTIFIER ? undefined : identifierTerms(word).at(-1);
    if (term === undefined) return null;
    const found = new Set(this.uncommitted);
    this.addFilesOf(term, found);
    // The index takes the letter of an escape for the first one of the word: `"\ntotal"`.
    for (const letter of ESCAPES) this.addFilesOf(identifierTerms(letter + word).at(-1) ?? term, found);
    return found;
  }

  private addFilesOf(term: string, found: Set<number>): void {
    const { shards, bases, fileOf, files } = this.live;
    for (const [i, shard] of shards.entries()) {
      const index = shard.findTerm(term);
      if (index < 0) continue;
      const { documents, count } = shard.postings(index);
      let last = -1;
      for (const document of documents.subarray(0, count)) {
        const file = fileOf[bases[i] + document];
        if (file < 0 || file === last) continue;
        last = file;
        for (let at = files.pathStart[file]; at < files.pathStart[file + 1]; at++)
          if (this.files[at] >= 0) found.add(this.files[at]);
      }
    }
  }
}
