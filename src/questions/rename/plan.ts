/**
 * Says of every place that has the old name whether the rename changes it: surely, only if asked to, or not. A place is sure if what its
 * file states there is an edge of the graph with proof, or the declaration itself.
 */
import { getOrMake } from '../../base/lists.js';
import { bareName, type NamePlaces, type PlaceOfName } from '../../extract/name-places.js';
import type { Graph } from '../../graph/graph.js';
import { isValue } from '../../graph/query/entry-patterns.js';
import { isFunction, isType } from '../../graph/query/uses.js';
import { type EvidenceTier, GUESSED } from '../../graph/tables.js';
import { conventionsOf, rulesOf, semanticsOf } from '../../languages/registry.js';
import { importsOf } from './import-edits.js';
import { folderOf, type Renamed } from './symbols.js';

/** A file with the old name, and what its parser says of the places. */
export interface ReadFile {
  file: number;
  path: string;
  text: string;
  /** Null for a file that has no parser, or could not be parsed. */
  found: NamePlaces | null;
  places: readonly PlaceOfName[];
}

/**
 * `sure`: it means the symbol. `likely`: names point to it, and no type proves it. `open`: nothing says what it means. `text`: words in a
 * comment, a string, a document or a file of another language. `other`: it means something else.
 */
export type Verdict = 'sure' | 'likely' | 'open' | 'text' | 'other';

export interface Judged {
  verdict: Verdict;
  /** Reason, or kind of the text. */
  why: string;
  /** New text of the place: a shorthand gets two names. */
  fresh: string;
}

const PROVEN = 'sure';
/** Kinds of types that state a shape. */
const SHAPES: ReadonlySet<string> = new Set(['interface', 'type']);
/** UTF-16 units around a name that are read. */
const MAX_AHEAD = 80;
/** Beginning of what follows a name inside of a path. */
const INSIDE = /^\s*(?:\.|::|\\)\s*[\w{*]/;

/** Judges places one by one. `learn` must have seen all files with the name before the first is judged. */
export class Judge {
  /** Files from which an import of the name brings the symbol. */
  private readonly offering = new Set<number>();
  /** Uses of the name by file. */
  private readonly edges = new Map<number, readonly number[]>();
  /** Files in which the symbol stands at the top level. */
  private readonly topLevel: ReadonlySet<number>;
  /** Is one of the renamed a type or a module? Only they can be parts of a path. */
  private readonly hasType: boolean;
  /** Definitions of which a proven use says nothing against the symbol (see `rivalsOf`). */
  private readonly rivals: ReadonlySet<number>;
  /** Do values fit a type by having its members? */
  private readonly hasShapes: boolean;
  /** Is it a `#total`, which only its class can use, and nothing without the mark means? */
  private readonly isHidden: boolean;

  constructor(
    private readonly graph: Graph,
    private readonly renamed: Renamed,
    private readonly fresh: string,
  ) {
    const nodes = [...renamed.nodes];
    this.topLevel = new Set(nodes.filter((node) => this.isAtTop(node)).map((node) => graph.fileOf(node)));
    for (const node of nodes) this.offering.add(graph.fileOf(node));
    this.rivals = rivalsOf(graph, renamed);
    const names = rulesOf(graph.tables.files[graph.fileOf(nodes[0])].language).relations?.names;
    const isKey = renamed.isMember || nodes.some((node) => isValue(graph, graph.container(node)));
    this.hasShapes = isKey && names?.keys === true;
    this.isHidden = nodes.every((node) => graph.name(node).startsWith('#'));
    this.hasType = nodes.some((node) => isType(graph, node) || graph.kind(node) === 'module');
  }

  private isAtTop(node: number): boolean {
    const container = this.graph.container(node);
    return this.graph.isFile(container) || !this.renamed.isMember;
  }

  /** Adds the files that hand the symbol on: whoever imports it from one of them imports it. */
  learn(files: readonly ReadFile[]): void {
    for (let grown = true; grown; ) {
      grown = false;
      for (const { file, places } of files) {
        if (this.offering.has(file)) continue;
        if (!places.some((place) => place.imports?.as === 'name' && this.reaches(file, place))) continue;
        this.offering.add(file);
        grown = true;
      }
    }
  }

  /** The verdict on a place of a name in a file. */
  judge(read: ReadFile, place: PlaceOfName): Judged {
    const fresh = this.fresh;
    if (place.in === 'text' && this.isListed(read, place)) return { verdict: PROVEN, why: 'export', fresh };
    if (place.in === 'text' && this.isQuotedKey(read, place)) return { verdict: 'open', why: 'a key in quotes', fresh };
    if (place.in !== 'code') return { verdict: 'text', why: place.in === 'comment' ? 'comment' : 'string', fresh };
    if (this.hasShapes && this.isHidden !== (read.text[place.start - 1] === '#'))
      return { verdict: 'other', why: 'a member with another mark', fresh };
    if (place.shorthand && place.imports === undefined) return this.shorthand(read, place);
    return { ...this.plain(read, place), fresh };
  }

  /** `cart['total']` of a value or a type may mean a member. */
  private isQuotedKey({ text }: ReadFile, { start, end }: PlaceOfName): boolean {
    return (
      this.renamed.isMember &&
      !this.isHidden &&
      /\[["'`]$/.test(text.slice(Math.max(0, start - 2), start)) &&
      text[end + 1] === ']'
    );
  }

  /** Does it stand in the list of what a file exports, which defines or imports the symbol? */
  private isListed({ file, text }: ReadFile, { start, line }: PlaceOfName): boolean {
    const { graph } = this;
    const { exportLists } = conventionsOf(graph.tables.files[file].language);
    if (exportLists === undefined || !this.offering.has(file) || this.topLevel.size === 0) return false;
    if (!/["']$/.test(text.slice(Math.max(0, start - 1), start))) return false;
    return [...exportLists].some((name) =>
      graph
        .nodesNamed(name)
        .some((node) => graph.fileOf(node) === file && graph.startLine(node) <= line && line <= graph.endLine(node)),
    );
  }

  /** Judges by what the file states of the place, in this order: declaration, import, export, use; else by what stands around it. */
  private plain(read: ReadFile, place: PlaceOfName): Omit<Judged, 'fresh'> {
    if (place.defines !== undefined) {
      const own = this.definition(read, place);
      if (own !== null) return own;
    }
    if (place.imports !== undefined) return this.imported(read, place);
    if (place.exports !== undefined && !place.member) {
      const found = this.exported(read, place);
      if (found !== null) return found;
    }
    const used = this.used(read, place);
    return used ?? this.unexplained(read, place);
  }

  private definition({ file }: ReadFile, { defines = [] }: PlaceOfName): Omit<Judged, 'fresh'> | null {
    const { graph, renamed } = this;
    const nodes = defines.map((index) => graph.fileNode(file) + 1 + index);
    if (nodes.some((node) => renamed.nodes.has(node))) return { verdict: PROVEN, why: 'declaration' };
    const [node] = nodes;
    if (graph.kind(node) === 'impl') return null;
    const holder = graph.container(node);
    // A constant of an enumeration, or a value made on the spot, can have members of its own for those of its type.
    if (renamed.isMember && isFunction(graph, node) && !graph.isFile(holder) && !isType(graph, holder)) {
      const isConstant = graph.kind(holder) === 'enum-member' && renamed.owners.has(graph.container(holder));
      return isConstant
        ? { verdict: PROVEN, why: 'declaration' }
        : { verdict: 'open', why: 'it may override the member in a value that is made here' };
    }
    if (this.hasShapes && SHAPES.has(graph.kind(graph.container(node))))
      return { verdict: 'open', why: 'member of a type that values may fit by their shape' };
    return { verdict: 'other', why: `declares ${graph.qualifiedName(node)}` };
  }

  // Imports and exports.

  private reaches(file: number, { imports }: PlaceOfName): boolean {
    return this.importTargets(file, imports).some((target) => this.offering.has(target));
  }

  /** Files that the imports of a file on these lines lead to. */
  importTargets(file: number, imports: Pick<NonNullable<PlaceOfName['imports']>, 'from' | 'to'> | undefined): number[] {
    const { graph } = this;
    const { nodeBase, edgeBase, edgeLine } = graph.tables;
    const found: number[] = [];
    if (imports === undefined) return found;
    for (let edge = edgeBase[nodeBase[file]]; edge < edgeBase[nodeBase[file + 1]]; edge++) {
      const isIn = edgeLine[edge] >= imports.from && edgeLine[edge] <= imports.to;
      if (isIn && graph.isFileEdge(edge) && graph.target(edge) >= 0) found.push(graph.fileOf(graph.target(edge)));
    }
    return found;
  }

  private imported(read: ReadFile, place: PlaceOfName): Omit<Judged, 'fresh'> {
    const { file, text } = read;
    const { as = 'path' } = place.imports ?? {};
    const targets = this.importTargets(file, place.imports);
    // `total as sum` gives the file no name that its uses could tell about.
    const usage = this.isAliased(read, place) ? 'unknown' : this.usageOf(file);
    // A part of a path, such as the class whose member is imported, is a type or a module.
    const isInside = INSIDE.test(text.slice(place.end, place.end + MAX_AHEAD));
    if (isInside && !this.hasType) return { verdict: 'other', why: 'part of a path' };
    if (!this.hasType && this.declaresModule(file, place)) return { verdict: 'other', why: 'name of a module' };
    if (usage === 'it') return { verdict: PROVEN, why: 'import' };
    if (as === 'alias') {
      const isOther = usage === 'other' || targets.length > 0;
      return { verdict: isOther ? 'other' : 'open', why: 'name that this file gives an import' };
    }
    if (usage === 'other') return { verdict: 'other', why: 'import of something else' };
    return this.byTargets(targets, isInside);
  }

  /** Judges an import whose file does not tell by its uses, by the files that it leads to. */
  private byTargets(targets: readonly number[], isInside: boolean): Omit<Judged, 'fresh'> {
    if (targets.length === 0) return { verdict: 'open', why: 'import that leads nowhere' };
    if (!targets.some((target) => this.offering.has(target))) {
      return targets.some((target) => this.mayHandOn(target))
        ? { verdict: 'open', why: 'import from a file that may hand it on' }
        : { verdict: 'other', why: 'import of something else' };
    }
    if (isInside || this.canBeImported(targets)) return { verdict: PROVEN, why: 'import' };
    return { verdict: 'open', why: 'import from a file that has the name several times' };
  }

  /** Does a file without anything of the name import one that offers the symbol, as `export *` does? */
  private mayHandOn(file: number): boolean {
    const { graph, renamed } = this;
    if (graph.nodesNamed(renamed.name).some((node) => graph.fileOf(node) === file)) return false;
    return importsOf(graph, file).some((other) => this.offering.has(other));
  }

  /** `mod total;` of Rust names a file, whatever the file declares. */
  private declaresModule(file: number, { imports }: PlaceOfName): boolean {
    const { nodeBase, edgeBase, edgeLine } = this.graph.tables;
    if (imports === undefined) return false;
    for (let edge = edgeBase[nodeBase[file]]; edge < edgeBase[nodeBase[file + 1]]; edge++)
      if (edgeLine[edge] === imports.from && this.graph.edgeKind(edge) === 'module') return true;
    return false;
  }

  private isAliased({ found }: ReadFile, { name, imports, start }: PlaceOfName): boolean {
    const stated = found?.imports.find(({ at, end }) => at <= start && start < end);
    const entries = stated?.names.filter((each) => each.name === name) ?? [];
    return imports?.as === 'name' && entries.length > 0 && entries.every(({ alias }) => alias !== name);
  }

  /** Meaning of the name alone in a file, by all of its uses there. */
  private usageOf(file: number): 'it' | 'other' | 'unknown' {
    const alone = this.edgesOf(file).filter((edge) => this.graph.edge(edge).receiver === '');
    if (alone.some((edge) => this.isOther(edge))) return 'other';
    return alone.some((edge) => this.isProven(edge)) ? 'it' : 'unknown';
  }

  /** Is the symbol one that other files can import by this name? */
  private canBeImported(targets: readonly number[]): boolean {
    const { graph, renamed } = this;
    const isIn = (node: number) => targets.includes(graph.fileOf(node)) && graph.isFile(graph.container(node));
    const same = [...renamed.nodes].flatMap((node) => graph.namesakes(node)).filter(isIn);
    if (same.some((node) => !renamed.nodes.has(node) && graph.kind(node) !== 'impl')) return false;
    return this.topLevel.size > 0 || this.hasType;
  }

  private exported(read: ReadFile, { exports = [] }: PlaceOfName): Omit<Judged, 'fresh'> | null {
    const { name, nodes } = this.renamed;
    if (!exports.includes(name)) return { verdict: 'other', why: 'name under which something else is exported' };
    const { graph } = this;
    const isOwn = [...nodes].some((node) => graph.fileOf(node) === read.file && graph.isFile(graph.container(node)));
    const isImported = read.places.some((each) => each.imports && this.imported(read, each).verdict === PROVEN);
    return isOwn || isImported ? { verdict: PROVEN, why: 'export' } : null;
  }

  // Uses.

  private edgesOf(file: number): readonly number[] {
    return getOrMake(this.edges, file, () => this.readEdges(file));
  }

  private readEdges(file: number): number[] {
    const { graph, renamed } = this;
    const { nodeBase, edgeBase, edgeName, strings } = graph.tables;
    const found: number[] = [];
    for (let edge = edgeBase[nodeBase[file]]; edge < edgeBase[nodeBase[file + 1]]; edge++)
      if (!graph.isFileEdge(edge) && bareName(strings[edgeName[edge]]) === renamed.name) found.push(edge);
    return found;
  }

  private isProven(edge: number): boolean {
    const target = this.graph.target(edge);
    return target >= 0 && this.renamed.nodes.has(target) && !GUESSED.has(this.graph.tier(edge));
  }

  private isOther(edge: number): boolean {
    const target = this.graph.target(edge);
    if (target < 0) return this.graph.tier(edge) === 'external';
    return !this.renamed.nodes.has(target) && !this.rivals.has(target) && !GUESSED.has(this.graph.tier(edge));
  }

  /** Judges by the uses of the name on the line; null if none of them is surely this one. */
  private used(read: ReadFile, place: PlaceOfName): Omit<Judged, 'fresh'> | null {
    const { edgeLine } = this.graph.tables;
    const onLine = this.edgesOf(read.file).filter((edge) => edgeLine[edge] === place.line);
    if (onLine.length === 0) return null;
    const receivers = place.uses?.map(([, receiver]) => shownReceiver(receiver));
    const own = receivers && onLine.filter((edge) => receivers.includes(this.graph.edge(edge).receiver));
    if (own !== undefined && own.length > 0) return this.byEdges(read, place, own);
    // The line has uses of the name, and this may be one of them.
    if (place.uses === undefined && this.scopeAround(read, place) !== null) return null;
    const isOnly = read.places.filter(({ line, in: where }) => line === place.line && where === 'code').length === 1;
    if (isOnly || own !== undefined) return this.byEdges(read, place, onLine);
    return null;
  }

  private byEdges(read: ReadFile, place: PlaceOfName, edges: readonly number[]): Omit<Judged, 'fresh'> {
    const { graph, renamed } = this;
    if (edges.some((edge) => this.isMisled(read, place, edge)))
      return { verdict: 'open', why: 'a function and a value have that name' };
    if (edges.every((edge) => this.isProven(edge))) {
      const scope = place.member ? null : this.scopeAround(read, place);
      if (scope === null) return { verdict: PROVEN, why: graph.edgeKind(edges[0]) };
      return { verdict: 'open', why: 'a local of that name is declared around it' };
    }
    if (edges.every((edge) => this.isOther(edge))) return { verdict: 'other', why: this.nameOf(edges[0]) };
    const toIt = edges.filter((edge) => renamed.nodes.has(graph.target(edge)));
    if (toIt.length === 0) {
      if (edges.every((edge) => graph.target(edge) >= 0))
        return { verdict: 'open', why: `it may mean ${this.nameOf(edges[0])}` };
      return { verdict: 'open', why: UNKNOWN[graph.tier(edges[0])] ?? 'nothing says what it means' };
    }
    if (toIt.length < edges.length) return { verdict: 'open', why: 'it may mean others of that name, too' };
    return { verdict: 'likely', why: 'names point to it, and no type proves it' };
  }

  /** Some languages keep names of functions and of values apart: a name that is called means no value there, and one that is read no function. */
  private isMisled({ file, text }: ReadFile, { end, start }: PlaceOfName, edge: number): boolean {
    const { graph } = this;
    const target = graph.target(edge);
    if (target < 0 || !semanticsOf(graph.tables.files[file].language).functionsAreApart) return false;
    const isCalled = /^\s*(?:<[^<>()]*>\s*)?\(/.test(text.slice(end, end + MAX_AHEAD));
    const isHanded = /::\s*$/.test(text.slice(Math.max(0, start - MAX_AHEAD), start));
    return isFunction(graph, target) !== (isCalled || isHanded) && !isType(graph, target);
  }

  private nameOf(edge: number): string {
    const target = this.graph.target(edge);
    return target < 0
      ? 'something outside of the repository'
      : `${this.graph.qualifiedName(target)} of ${this.graph.path(target)}`;
  }

  /** A range around a name without a receiver in which a local has it, if it is not the whole file; null for none. */
  private scopeAround({ places, text }: ReadFile, place: PlaceOfName): readonly [number, number] | null {
    if (place.member) return null;
    for (const { binds, defines, name } of places) {
      if (binds === undefined || defines !== undefined || name !== place.name) continue;
      const [start, end] = binds;
      if (start <= place.start && place.start < end && end - start < text.length) return binds;
    }
    return null;
  }

  private unexplained(read: ReadFile, place: PlaceOfName): Omit<Judged, 'fresh'> {
    if (place.binds !== undefined) return { verdict: 'other', why: 'declares a local' };
    if (this.scopeAround(read, place) !== null && !place.label) return { verdict: 'other', why: 'a local' };
    if (place.label) return { verdict: 'open', why: 'a key or the name of an argument' };
    if (!place.member && this.isImportedAs(read, place.name))
      return { verdict: PROVEN, why: 'use of the imported name' };
    return { verdict: 'open', why: place.member ? 'member of an unknown value' : 'nothing says what it means' };
  }

  /** Does an import of the symbol give the file this name? Then nothing else has it where no local does, as in `total.rate = 1`. */
  private isImportedAs(read: ReadFile, name: string): boolean {
    if (this.renamed.isMember || name !== this.renamed.name) return false;
    const stated = read.found?.imports.filter(({ names }) => names.some(({ alias }) => alias === name)) ?? [];
    return read.places.some(
      (each) =>
        each.imports?.as === 'name' &&
        stated.some(({ at, end }) => at <= each.start && each.start < end) &&
        this.imported(read, each).verdict === PROVEN,
    );
  }

  /** A word for a key and its value: only one of them may be renamed. */
  private shorthand(read: ReadFile, place: PlaceOfName): Judged {
    const { fresh } = this;
    const old = this.renamed.name;
    const { key, value } = this.sidesOf(read, place);
    const both = (one: string, other: string) => (one === other ? one : `${one}: ${other}`);
    const isKey = key?.verdict === PROVEN;
    const isValue = value?.verdict === PROVEN;
    if (isKey || isValue) {
      const why = (isValue ? value : key)?.why ?? '';
      return { verdict: PROVEN, why, fresh: both(isKey ? fresh : old, isValue ? fresh : old) };
    }
    const better = [key, value].find((each) => each?.verdict === 'likely') ?? key ?? value;
    if (better !== null) return { ...better, fresh: better === key ? both(fresh, old) : both(old, fresh) };
    const isLocal = place.binds !== undefined || this.scopeAround(read, place) !== null;
    return { verdict: 'open', why: 'a key', fresh: isLocal ? both(fresh, old) : fresh };
  }

  /** Verdicts on the key and on the value of a shorthand; null for a side that states nothing. */
  private sidesOf(read: ReadFile, place: PlaceOfName): Record<'key' | 'value', Omit<Judged, 'fresh'> | null> {
    const { implicitThis } = semanticsOf(this.graph.tables.files[read.file].language);
    const uses = place.uses ?? [];
    const keys = uses.filter(([, receiver]) => receiver !== '');
    // A field is the key, whatever the value is.
    const isField = this.renamed.isMember && !implicitThis && place.defines === undefined;
    const values = isField ? [] : uses.filter(([, receiver]) => receiver === '');
    const asKey = keys.length > 0 ? { ...place, uses: keys } : place;
    const key = keys.length === 0 && !isField ? null : this.used(read, { ...asKey, member: true });
    const isDeclared = place.defines !== undefined && this.definition(read, place)?.verdict === PROVEN;
    if (isDeclared) return { key, value: { verdict: PROVEN, why: 'declaration' } };
    return { key, value: values.length === 0 ? null : this.used(read, { ...place, uses: values }) };
  }
}

/**
 * Definitions that only a build tells apart from the renamed ones: of the same name in the same package. Where one file is a template of
 * another, proof for one of them is none against the other.
 */
function rivalsOf(graph: Graph, { nodes }: Renamed): Set<number> {
  const found = new Set<number>();
  for (const node of nodes) {
    const { parts } = semanticsOf(graph.tables.files[graph.fileOf(node)].language);
    if (parts !== 'package') continue;
    const [folder, qualified] = [folderOf(graph.path(node)), graph.qualifiedName(node)];
    for (const other of graph.namesakes(node))
      if (!nodes.has(other) && folderOf(graph.path(other)) === folder && graph.qualifiedName(other) === qualified)
        found.add(other);
  }
  return found;
}

const UNKNOWN: Partial<Record<EvidenceTier, string>> = {
  ambiguous: 'it may mean several definitions of that name',
  unresolved: 'the receiver is not known',
  external: 'it leads out of the repository',
};

const IMPLIED = '{=}';

/** A receiver of the facts as edges show it. */
function shownReceiver(receiver: string): string {
  // A block implies what stands before the mark, and the text has only what follows it and a dot: `items` of `cart.apply{=}.items`.
  const end = receiver.indexOf(IMPLIED);
  const plain = end === -1 ? receiver : receiver.slice(end + IMPLIED.length + 1);
  const written = plain.replace(/^new (<[^>]*>)\(\)/, (_, name: string) => (name === '<>' ? 'this' : name));
  return written.includes('#') ? written.replace(/^#\d+\.?|#\d+/g, '') : written;
}
