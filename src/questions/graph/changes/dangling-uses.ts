/**
 * Finds uses that lead nowhere since a change, with their former target and its fate. Precision comes first, since
 * people stop at an error.
 */
import {
  type Comparison,
  inheritsFrom,
  isStillReceiver,
  type LostUse,
  lostUses,
} from '../../../graph/compare/correspondence.js';
import type { Graph } from '../../../graph/graph.js';
import { classOf, reachOf, writtenText } from '../../../graph/query/node-place.js';
import { inheritEdges, isType, lastNodeOf, ownerOf } from '../../../graph/query/uses.js';
import { GUESSED } from '../../../graph/tables.js';
import { wordSet } from '../../../languages/language.js';
import { conventionsOf, sameFamily, semanticsOf } from '../../../languages/registry.js';
import type { Import } from '../../../languages/roles/relation-facts.js';
import type { FileText, FileTexts } from './both-graphs.js';
import type { DanglingUse } from './output.js';

/** Maximum number of uses whose text is read. */
const MAX_PROVED = 3_000;
/** Maximum number of files that are read for names that they import from removed definitions without using them. */
const MAX_IMPORTERS = 400;

/** Dangling uses, certain ones first, then by place. `touched`: nodes after the change whose text differs. */
export async function findDangling(
  comparison: Comparison,
  texts: FileTexts,
  touched: ReadonlySet<number>,
): Promise<DanglingUse[]> {
  const uses = withoutFollowers(comparison, lostUses(comparison)).slice(0, MAX_PROVED);
  const imports = importersOfGone(comparison);
  await loadFor(comparison, texts, uses, imports);
  const proof = new Proof(comparison, texts, touched);
  const found = uses.flatMap((use): DanglingUse[] => {
    const certainty = proof.of(use);
    return certainty === 'none' ? [] : [{ ...describe(comparison, use), certainty }];
  });
  const reported = new Set(found.map(({ path, was }) => `${path} ${was.path} ${was.symbol}`));
  for (const use of namesLost(comparison, texts, imports))
    if (!reported.has(`${use.path} ${use.was.path} ${use.was.symbol}`)) found.push(use);
  const places = new Set(found.map(({ path, line }) => `${path}:${line}`));
  for (const use of mentionsLost(comparison, texts)) if (!places.has(`${use.path}:${use.line}`)) found.push(use);
  const own = found.filter((use) => !isWithinTools(comparison, use));
  return own.sort((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line));
}

const rank = ({ certainty }: DanglingUse): number => (certainty === 'certain' ? 0 : 1);

/** Is it a use by a file that a tool wrote, of what a tool wrote, as in bundles? The tool writes both anew. */
function isWithinTools({ old, now }: Comparison, { path, was }: DanglingUse): boolean {
  const isMade = (graph: Graph, file: number) => file >= 0 && classOf(graph, file) === 'generated';
  return isMade(now, now.findFile(path)) && isMade(old, old.findFile(was.path));
}

/** Leaves out uses of a file's definitions if the import of the file is lost too: then the import is the mistake. */
function withoutFollowers({ old, now }: Comparison, uses: readonly LostUse[]): LostUse[] {
  const lost = new Set<string>();
  const key = ({ edge, was }: LostUse) => `${now.fileOf(now.source(edge))} ${old.fileOf(was)}`;
  for (const use of uses) if (old.isFileEdge(use.oldEdge)) lost.add(key(use));
  return uses.filter((use) => old.isFileEdge(use.oldEdge) || !lost.has(key(use)));
}

/** A file after the change that imports the file of a removed symbol which others could use. */
interface Importer {
  file: number;
  was: number;
}

function importersOfGone(comparison: Comparison): Importer[] {
  const { old, now } = comparison;
  const found: Importer[] = [];
  for (const was of comparison.displaced()) {
    const file = comparison.file(old.fileOf(was));
    if (file < 0 || old.isFile(was) || !old.isFile(old.container(was)) || !old.isExported(was)) continue;
    for (const edge of now.incoming(now.fileNode(file)))
      if (now.isFileEdge(edge)) found.push({ file: now.fileOf(now.source(edge)), was });
    if (found.length > MAX_IMPORTERS) return found.slice(0, MAX_IMPORTERS);
  }
  return found;
}

/** Loads every file that the checks below read: of one that is not loaded they only say `likely`. */
async function loadFor(
  comparison: Comparison,
  texts: FileTexts,
  uses: readonly LostUse[],
  importers: readonly Importer[],
): Promise<void> {
  const { old, now } = comparison;
  const users = uses.map(({ edge }) => ({ file: now.fileOf(now.source(edge)), alias: rootOf(now, edge) }));
  const homes = [...uses, ...importers].flatMap(({ was }) => {
    const owner = old.isFile(was) ? -1 : ownerOf(old, was);
    const around = [comparison.file(old.fileOf(was)), owner < 0 ? -1 : fileOf(now, comparison.node(owner))];
    return around.filter((file) => file >= 0);
  });
  const changed = comparison.displaced().map((node) => comparison.file(old.fileOf(node)));
  const definers = changed.filter((file) => file >= 0).slice(0, MAX_IMPORTERS);
  await texts.load([...users.map(({ file }) => file), ...importers.map(({ file }) => file), ...homes, ...definers]);
  const targets = users.flatMap(({ file, alias }) => {
    const text = texts.get(file);
    if (text === undefined) return [];
    const items = [...importsOf(text, alias).map(({ item }) => item), ...wildcardsIn(text)];
    return items.flatMap((item) => targetsOf(now, file, item) ?? []);
  });
  await texts.load(barrelsOf(now, [...targets, ...homes]));
}

const fileOf = (graph: Graph, node: number): number => (node < 0 ? -1 : graph.fileOf(node));

function rootOf(graph: Graph, edge: number): string {
  const { receiver, name } = graph.edge(edge);
  return receiver === '' ? name : receiver.split('.', 1)[0];
}

/** Names that files import or re-export from a file that no longer has them. */
function* namesLost(comparison: Comparison, texts: FileTexts, importers: readonly Importer[]): Generator<DanglingUse> {
  const { old, now } = comparison;
  for (const { file, was } of importers) {
    const name = old.name(was);
    const home = comparison.file(old.fileOf(was));
    const text = texts.get(file);
    if (text === undefined) continue;
    for (const item of text.facts.relations.imports) {
      if (!item.names.some((each) => each.name === name)) continue;
      const targets = targetsOf(now, file, item);
      if (!targets?.includes(home) || !targets.every((target) => isAbsent(now, texts, target, name))) continue;
      const { path } = now.tables.files[file];
      const kind = item.kind.endsWith('reexport') ? 'reexport' : 'import';
      yield {
        path,
        line: item.startLine,
        symbol: null,
        kind,
        text: name,
        certainty: 'certain',
        ...fate(comparison, was),
      };
    }
  }
}

/** Mentions of a name in the file that defined it: the facts have no use for an export of an undefined name. */
function* mentionsLost(comparison: Comparison, texts: FileTexts): Generator<DanglingUse> {
  const { old, now } = comparison;
  for (const was of comparison.displaced()) {
    const file = comparison.file(old.fileOf(was));
    const name = old.name(was);
    const text = file < 0 ? undefined : texts.get(file);
    const newer = comparison.node(was);
    const isHere = newer >= 0 && now.fileOf(newer) === file && now.name(newer) === name;
    if (text === undefined || isHere || old.isFile(was) || !isFree(text, name, 'mentioned')) continue;
    const handedOn = [...old.incoming(was)].some((edge) => {
      const { from, kind, receiver } = old.edge(edge);
      return receiver === '' && (kind === 'value' || kind === 'read') && old.fileOf(from) === old.fileOf(was);
    });
    if (!handedOn || importsOf(text, name).length > 0) continue;
    const { path } = now.tables.files[file];
    const linked = linkedLines(now, file, name);
    for (const { line, isMember } of text.mentions(name))
      if (!isMember && !linked.has(line))
        yield { path, line, symbol: null, kind: 'value', text: name, certainty: 'likely', ...fate(comparison, was) };
  }
}

/** Lines of a file on which a use of the plain name leads somewhere: to another file of the package, for instance. */
function linkedLines(now: Graph, file: number, name: string): ReadonlySet<number> {
  const lines = new Set<number>();
  const first = now.fileNode(file);
  for (let edge = now.edgeRange(first)[0]; edge < now.edgeRange(lastNodeOf(now, first) - 1)[1]; edge++) {
    const use = now.edge(edge);
    if (now.target(edge) >= 0 && (use.receiver === '' ? use.name : use.receiver.split('.', 1)[0]) === name)
      lines.add(use.startLine);
  }
  return lines;
}

function describe(comparison: Comparison, { edge, was }: LostUse): Omit<DanglingUse, 'certainty'> {
  const { now } = comparison;
  const { from, kind, startLine } = now.edge(edge);
  const symbol = now.isFile(from) ? null : now.qualifiedName(from);
  const text = writtenText(now.edge(edge));
  return { path: now.path(from), line: startLine, symbol, kind, text, ...fate(comparison, was) };
}

/** The former target, and where it is now. */
function fate(comparison: Comparison, was: number): Pick<DanglingUse, 'was' | 'how' | 'now'> {
  const { old, now } = comparison;
  const newer = comparison.node(was);
  const former = {
    path: old.path(was),
    symbol: old.isFile(was) ? null : old.qualifiedName(was),
    kind: old.kind(was),
  };
  if (newer < 0) return { was: former, how: 'removed' };
  const isHere = now.path(newer) === former.path && (old.isFile(was) || now.qualifiedName(newer) === former.symbol);
  const place = {
    path: now.path(newer),
    symbol: now.isFile(newer) ? null : now.qualifiedName(newer),
    line: Math.max(1, now.startLine(newer)),
  };
  const how = isHere ? 'hidden' : now.path(newer) === former.path ? 'renamed' : 'moved';
  return { was: former, how, now: place };
}

// Certainty of a dangling use.

/** `none`: it is not dangling. */
type Certainty = 'certain' | 'likely' | 'none';

class Proof {
  private readonly now: Graph;

  /** `touched`: nodes after the change whose text differs. `texts`: all files that may be read. */
  constructor(
    private readonly comparison: Comparison,
    private readonly texts: FileTexts,
    private readonly touched: ReadonlySet<number>,
  ) {
    this.now = comparison.now;
  }

  of(use: LostUse): Certainty {
    const { old } = this.comparison;
    const isImport = old.isFileEdge(use.oldEdge);
    const isGuessed = GUESSED.has(old.tier(use.oldEdge));
    if (isGuessed && !reachOf(old, use.was)(this.now.path(this.now.source(use.edge)))) return 'none';
    if (isImport) return this.importIsLost(use) ? 'certain' : 'likely';
    if (old.isFile(use.was)) return 'none';
    // A request is not bound to a name: its route led to the definition before, and leads nowhere now.
    if (old.edgeKind(use.oldEdge) === 'request') return 'likely';
    const found = this.ofSymbol(use);
    if (found !== 'certain') return found;
    return isGuessed || this.now.target(use.edge) >= 0 ? 'likely' : 'certain';
  }

  private ofSymbol({ edge, was }: LostUse): Certainty {
    const { old } = this.comparison;
    const { receiver, name } = this.now.edge(edge);
    if (receiver === '') return this.ofName(edge, was, name);
    const container = ownerOf(old, was);
    if (container < 0) return this.ofName(edge, was, receiver.split('.', 1)[0], old.name(was));
    const type = this.comparison.node(container);
    if (type >= 0 && (this.now.kind(type) === 'type' || this.isAssigned(type, old.name(was)))) return 'none';
    if (type >= 0) return this.memberIsLost(edge, was) ? 'certain' : 'likely';
    // A member goes with its type. If a use does not name the type, only the uses of the type are reported.
    const last = receiver.slice(receiver.lastIndexOf('.') + 1);
    return last === old.name(container) ? this.ofName(edge, container, last) : 'none';
  }

  /** Certainty of a use through the plain name `alias`. `member` is the used member of it. */
  private ofName(edge: number, was: number, alias: string, member?: string): Certainty {
    const file = this.now.fileOf(this.now.source(edge));
    const text = this.texts.get(file);
    if (text === undefined) return 'likely';
    const { language } = this.now.tables.files[file];
    const symbol = this.now.source(edge) - this.now.fileNode(file) - 1;
    const imports = importsOf(text, alias);
    if (imports.length > 0) {
      const targets = imports.map(({ item, name }) => ({
        name: member ?? name,
        files: targetsOf(this.now, file, item),
      }));
      return this.ofImports(targets, was, isFree(text, alias));
    }
    // Now a local of that name is meant.
    if (isBoundAround(text, alias, symbol)) return 'none';
    const { globalFunctions, globalTypes, headers, runtimeType } = semanticsOf(language);
    if (runtimeType?.(alias) || conventionsOf(language).builtins?.has(alias)) return 'none';
    if (globalFunctions || globalTypes || headers) return 'likely';
    if (!isFree(text, alias) || !this.areNearAbsent(was, member ?? alias)) return 'likely';
    const areKnown = wildcardsIn(text).every((item) =>
      targetsOf(this.now, file, item)?.every((target) => isAbsent(this.now, this.texts, target, alias)),
    );
    const isInherited = !typesAround(this.now, this.now.source(edge)).every((type) => this.ancestorsOf(type) !== null);
    return areKnown && !(semanticsOf(language).implicitThis && isInherited) ? 'certain' : 'likely';
  }

  /** Certainty of a use of a name by the files from which the imports bring it. `isFree`: nothing else in the file has the name. */
  private ofImports(
    targets: readonly { name: string; files: readonly number[] | null }[],
    was: number,
    isFree: boolean,
  ): Certainty {
    // Now the name comes from elsewhere.
    if (targets.some(({ files }) => files === null)) return 'none';
    if (targets.every(({ name, files }) => files?.every((file) => this.isAbsentFrom(file, name, was))))
      return isFree ? 'certain' : 'likely';
    return targets.some(({ name, files }) => files?.some((file) => mayGive(this.texts.get(file), name)))
      ? 'none'
      : 'likely';
  }

  /** Does neither its former file nor a file beside it define the name? */
  private areNearAbsent(was: number, name: string): boolean {
    const { old } = this.comparison;
    const folder = folderOf(old.path(was));
    const isAdjacent = (node: number) =>
      folderOf(this.now.path(node)) === folder && this.now.isFile(this.now.container(node));
    if (this.now.nodesNamed(name).some((node) => isAdjacent(node) && !this.isHidden(was, node))) return false;
    const file = this.comparison.file(old.fileOf(was));
    const text = file < 0 ? undefined : this.texts.get(file);
    return file < 0 || (text !== undefined && isFree(text, name));
  }

  private isHidden(was: number, node: number): boolean {
    return this.comparison.node(was) === node && !this.now.isExported(node);
  }

  /** Is the name absent from a file? For a package with many files the graph suffices. */
  private isAbsentFrom(target: number, name: string, was: number): boolean {
    if (isAbsent(this.now, this.texts, target, name)) return true;
    if (semanticsOf(this.now.tables.files[target].language).parts !== 'package') return false;
    return this.areNearAbsent(was, name);
  }

  private memberIsLost(edge: number, was: number): boolean {
    const { old } = this.comparison;
    const type = this.comparison.node(ownerOf(old, was));
    const name = old.name(was);
    if (!isType(this.now, type)) return false;
    const ancestors = this.ancestorsOf(type);
    if (ancestors === null) return false;
    const { language } = this.now.tables.files[this.now.fileOf(type)];
    const isDynamic = (node: number) =>
      [...(conventionsOf(language).dynamicNames ?? [])].some((hook) =>
        this.now.nodesNamed(hook).some((other) => this.now.container(other) === node),
      );
    if (ancestors.some((node) => isDynamic(node) || !this.isMemberAbsent(node, name))) return false;
    const { receiver, from } = this.now.edge(edge);
    const owners = this.now
      .nodesNamed(name)
      .filter((node) => sameFamily(language, this.now.tables.files[this.now.fileOf(node)].language))
      .map((node) => ownerOf(this.now, node))
      .filter((owner) => owner >= 0);
    // Another type has a member of that name: no code around may show that the receiver is of that type now.
    if (owners.length > 0 && !isStillReceiver(this.now, edge, ancestors)) return false;
    if (owners.some((owner) => inheritsFrom(this.now, owner, type))) return false;
    return /^(?:this|super)$/.test(receiver) || !this.touched.has(from);
  }

  /** Does code of the type make the member by assigning to it? */
  private isAssigned(type: number, name: string): boolean {
    const file = this.now.fileOf(type);
    if (conventionsOf(this.now.tables.files[file].language).assignedMembers !== true) return false;
    const references = this.texts.get(file)?.facts.relations.references ?? [];
    return references.some((use) => use.kind === 'write' && use.name === name && use.receiver === 'this');
  }

  private isMemberAbsent(type: number, name: string): boolean {
    const text = this.texts.get(this.now.fileOf(type));
    return text !== undefined && isOnlyUsed(text, name);
  }

  /** The type and everything that it inherits from; null if one of these is outside of the repository, or unknown. */
  private ancestorsOf(type: number): number[] | null {
    const found = new Set([type]);
    for (const node of found) {
      for (const edge of inheritEdges(this.now, node)) {
        if (this.now.target(edge) < 0 || found.size > MAX_ANCESTORS) return null;
        found.add(this.now.target(edge));
      }
    }
    return [...found];
  }

  /** Did the import lead, by its specifier, to a file for which nothing else can stand? */
  private importIsLost({ edge, oldEdge, was }: LostUse): boolean {
    const { old } = this.comparison;
    const text = this.texts.get(this.now.fileOf(this.now.source(edge)));
    const { name, startLine } = this.now.edge(edge);
    if (text === undefined || old.tier(oldEdge) !== 'path' || isGuarded(text.text, startLine)) return false;
    if (name.startsWith('.')) return true;
    const folder = folderOf(old.path(was));
    const { language } = old.tables.files[old.fileOf(was)];
    return this.now.tables.files.some((file) => folderOf(file.path) === folder && sameFamily(file.language, language));
  }
}

const MAX_ANCESTORS = 100;

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

/** Maximum number of lines above an import in which a `try` may begin that catches its failure. */
const GUARD_LINES = 8;

/** Is the import in a block that may catch its failure? */
function isGuarded(text: string, line: number): boolean {
  const lines = text.split('\n');
  const indent = (one: string) => one.length - one.trimStart().length;
  const own = indent(lines[line - 1] ?? '');
  return lines
    .slice(Math.max(0, line - 1 - GUARD_LINES), line - 1)
    .some((one) => /^\s*(?:\}\s*)?(?:try|except|catch|if|else)\b/.test(one) && indent(one) < own);
}

// Bindings: a use of a name is not dangling if something binds it in the file, or another file gives it.

/** Files that an import leads to; null if it leads out of the repository, or nowhere. */
export function targetsOf(graph: Graph, file: number, { specifier, startLine }: Import): number[] | null {
  const first = graph.fileNode(file);
  const targets: number[] = [];
  for (let node = first; node < lastNodeOf(graph, first); node++) {
    const [start, end] = graph.edgeRange(node);
    for (let edge = start; edge < end; edge++) {
      if (!graph.isFileEdge(edge) || graph.tables.edgeLine[edge] !== startLine || graph.edge(edge).name !== specifier)
        continue;
      if (graph.target(edge) < 0) return null;
      targets.push(graph.fileOf(graph.target(edge)));
    }
  }
  return targets.length === 0 ? null : targets;
}

const isWildcard = ({ names, kind }: Import): boolean =>
  names.length === 0
    ? kind === 'reexport' || kind === 'include'
    : names.some(({ name, alias }) => name === '*' && alias === '');

function wildcardsIn({ facts }: FileText): Import[] {
  return facts.relations.imports.filter(isWildcard);
}

/** Imports that bring a name into a file, with the name in the other file. */
function importsOf({ facts }: FileText, alias: string): { item: Import; name: string }[] {
  return facts.relations.imports.flatMap((item) =>
    item.names.filter((each) => each.alias === alias).map(({ name }) => ({ item, name })),
  );
}

/** Does something bind the name around a symbol (-1: the top level) of the file? */
function isBoundAround({ facts }: FileText, name: string, symbol: number): boolean {
  const scopes = new Set([-1]);
  for (let at = symbol; at >= 0; at = facts.symbols[at]?.container ?? -1) scopes.add(at);
  const { bindings } = facts.relations;
  return (
    bindings.some((binding) => binding.name === name && scopes.has(binding.scope)) ||
    facts.symbols.some((one) => one.name === name && scopes.has(one.container))
  );
}

/**
 * Does nothing in the file bind the name, so that each use without a receiver means an import? `mentioned`: uses that
 * the facts lack count too.
 */
export function isFree(text: FileText, name: string, uses: 'known' | 'mentioned' = 'known'): boolean {
  const { symbols, relations } = text.facts;
  const isBound = symbols.some((symbol) => symbol.name === name && !isMember(text, symbol.container));
  if (isBound || relations.bindings.some((binding) => binding.name === name)) return false;
  // The facts lack some uses: then no mention may look like a binding.
  return uses === 'known' ? isOnlyUsed(text, name) : text.mentions(name).every(({ isBound: given }) => !given);
}

const TYPE_KINDS = wordSet('class interface struct trait enum impl object type');

const isMember = ({ facts }: FileText, container: number): boolean =>
  container >= 0 && TYPE_KINDS.has(facts.symbols[container].kind);

/** Are all mentions of the name uses, judged by the text? */
function isOnlyUsed(text: FileText, name: string): boolean {
  const { references, imports } = text.facts.relations;
  const used = new Set<number>();
  for (const { name: last, receiver, startLine, endLine } of references) {
    if (last !== name && receiver.split(/[.([]/, 1)[0] !== name) continue;
    for (let line = startLine; line <= endLine; line++) used.add(line);
  }
  const imported = new Set<number>();
  for (const { names, startLine, endLine } of imports) {
    if (!names.some((each) => each.alias === name)) continue;
    for (let line = startLine; line <= endLine; line++) imported.add(line);
  }
  return text.mentions(name).every(({ line, isMember: afterDot, isBound }) => {
    if (imported.has(line)) return true;
    return afterDot ? !isBound : used.has(line) && !isBound;
  });
}

/** Is it certain that a file exports nothing of that name? A symbol that is not exported does not count. */
function isAbsent(graph: Graph, texts: FileTexts, file: number, name: string, seen = new Set<number>()): boolean {
  if (seen.has(file)) return true;
  seen.add(file);
  const text = texts.get(file);
  if (text === undefined || seen.size > MAX_BARRELS) return false;
  const { language } = graph.tables.files[file];
  const { symbols, relations } = text.facts;
  const { dynamicNames } = conventionsOf(language);
  if (symbols.some((symbol) => dynamicNames?.has(symbol.name))) return false;
  // A value that is exported as a whole has unknown members, unless the file defines it.
  const isWhole = (local: string) => !symbols.some((symbol) => symbol.name === local);
  if (relations.exports.some(({ name: out, local }) => out === name || (out === '=' && isWhole(local)))) return false;
  const own = symbols.filter((symbol) => symbol.name === name && !isMember(text, symbol.container));
  const isHidden =
    own.length > 0 && semanticsOf(language).exports === 'marked' && !own.some(({ exported }) => exported);
  if (!isHidden && (own.length > 0 || importsOf(text, name).length > 0 || !isOnlyUsed(text, name))) return false;
  return wildcardsIn(text).every((item) => {
    const targets = targetsOf(graph, file, item);
    return targets?.every((target) => isAbsent(graph, texts, target, name, seen)) ?? false;
  });
}

/** May the text of the file bind the name at its top level, though no symbol shows it? */
function mayGive(text: FileText | undefined, name: string): boolean {
  if (text === undefined) return false;
  const { bindings } = text.facts.relations;
  const isBound = bindings.some((binding) => binding.name === name && binding.scope < 0);
  const mentions = text.mentions(name);
  return isBound || importsOf(text, name).length > 0 || mentions.some((one) => !one.isMember && one.isBound);
}

/** Maximum number of re-exporting files. */
const MAX_BARRELS = 60;

/** Files that `files` re-export, through all wildcards. */
function* barrelsOf(graph: Graph, files: Iterable<number>): Generator<number> {
  const seen = new Set(files);
  for (const file of seen) {
    yield file;
    if (seen.size > MAX_BARRELS) continue;
    const [start, end] = graph.edgeRange(graph.fileNode(file));
    for (let edge = start; edge < end; edge++)
      if (PASSES_ON.has(graph.edgeKind(edge)) && graph.target(edge) >= 0) seen.add(graph.fileOf(graph.target(edge)));
  }
}

const PASSES_ON: ReadonlySet<string> = new Set(['reexport', 'type-reexport', 'include', 'import']);

/** Types around a node, innermost first. */
function typesAround(graph: Graph, node: number): number[] {
  const found: number[] = [];
  for (let at = node; at >= 0 && !graph.isFile(at); at = graph.container(at)) if (isType(graph, at)) found.push(at);
  return found;
}
