/**
 * Finds the files that need linking again. The lookups that linking one file makes in other files are recorded, as a build system
 * records the inputs of a step: names in a file (`total` in cart.ts, with all its definitions, exports and bindings), and names in
 * the whole repository. The file needs linking again only if the signature of one of those names has changed. Answers
 * that files share carry the lookups by which they were found. The resolver of imports is here as well, since resolutions are compared too.
 */
import { semanticsOf } from '../../languages/registry.js';
import { createResolver, frameworkOf, type ResolveInput, type Resolver } from '../../languages/resolver.js';
import { getOrMake } from '../../languages/roles/project.js';
import { IMPORT_KINDS, type Import, type ImportKind, MADE, PARENT } from '../../languages/roles/relation-facts.js';
import type { LinkInput, SourceFile } from '../tables.js';
import type { Before, LinkMemory, SnapshotFiles } from './link-memory.js';
import { isOwned } from './scopes.js';
import { type FileIndex, INSTANCE, isParameter, isTypeParameter, type Nodes, RESULT } from './symbol-index.js';
import type { Context } from './symbol-table.js';
import { SPACES } from './values.js';

/** Names of a file; `true` for all. */
type Names = Set<string> | true;

/** Names whose signatures changed since the previous snapshot. */
interface Changes {
  /** By the number that a file had in the previous snapshot. */
  changed: Map<number, Names>;
  /** Names that changed in any file. */
  touched: Set<string>;
}

/** Returns 1 for each file that has to be linked. */
export function filesToLink(files: SnapshotFiles, texts: ResolutionTexts, sameResolutions: boolean): Uint8Array {
  const dirty = new Uint8Array(files.files.length);
  if (files.before === null) return dirty.fill(1);
  const { tables, memory } = files.before;
  const changes: Changes = { changed: new Map(), touched: new Set() };
  const { changed, touched } = changes;
  for (let file = 0; file < dirty.length; file++) {
    if (files.unchanged[file] === 1) continue;
    dirty[file] = 1;
    if (files.older[file] < 0) {
      touchAll(files.index(file), touched);
      touchPaths(files.files[file].path, declaredIn(files.index(file)), touched);
    } else compare(files, files.before, file, texts, changes);
  }
  for (let older = 0; older < tables.files.length; older++) {
    if (files.newer[older] >= 0) continue;
    changed.set(older, true);
    touchAll(files.olderIndex(older), touched);
    touchPaths(tables.files[older].path, declaredBefore(memory, older), touched);
  }
  for (const name of [...touched]) touched.add(pathName(name));
  if (!sameResolutions) touched.add(PATHS);
  touchFrameworks(files.files, tables.files, touched);
  if (!sameResolutions) compareResolutions(files, files.before, texts, changes, dirty);
  if (changed.size > 0 || touched.size > 0) touched.add(ANYTHING);
  markAskers(files, memory, changes, dirty);
  return dirty;
}

/** Notes languages whose framework gives other names: the repository begins or ceases to use it, or has another schema. */
function touchFrameworks(now: readonly SourceFile[], then: readonly SourceFile[], touched: Set<string>): void {
  for (const language of new Set(now.map((file) => file.language))) {
    const framework = frameworkOf(language);
    if (framework === undefined) continue;
    const given = (files: readonly SourceFile[]) =>
      files.some(({ path }) => framework.path.test(path)) &&
      files.flatMap(({ path, oid }) => (framework.schema.test(path) ? [`${path} ${oid}`] : [])).join('\n');
    if (given(now) !== given(then)) touched.add(frameworkName(language));
  }
}

function touchAll(index: FileIndex, touched: Set<string>): void {
  for (const name of signaturesOf(index, () => '').keys()) if (isOffered(index, name)) touched.add(name);
}

/**
 * May a lookup in the whole repository find the name in this file? Names that only imports, exports, parameters and variables have are
 * found by lookups in the file, each of which is recorded.
 */
function isOffered(index: FileIndex, name: string): boolean {
  return name === WILDCARDS || isSpecial(name) || index.symbolsNamed(name).length > 0;
}

/** Is it no name of a symbol, but one that is recorded for something else, such as `globalThis.Cart`? */
const isSpecial = (name: string): boolean => name.startsWith(PATHS) || name.includes('.');

function declaredIn(index: FileIndex): string[] {
  return index.imports.filter(({ kind }) => DECLARING.has(kind)).map(({ specifier }) => specifier);
}

/** Notes names by which paths can mean a file that comes or goes: its own, and those of its packages. */
function touchPaths(path: string, declared: readonly string[], touched: Set<string>): void {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const end = name.lastIndexOf('.');
  for (const each of namesOfPath(end > 0 ? name.slice(0, end) : name)) touched.add(pathName(each));
  for (const each of declared) touched.add(packagesOfPath(each).at(-1) ?? PATHS);
}

/** Collects the changed names of a file that the previous snapshot had too. */
function compare(
  files: SnapshotFiles,
  before: Before,
  file: number,
  texts: ResolutionTexts,
  { changed, touched }: Changes,
): void {
  const older = files.older[file];
  const [index, olderIndex] = [files.index(file), files.olderIndex(older)];
  const { language, state, compiled } = before.tables.files[older];
  const [declared, declaredThen] = [declaredIn(index), declaredBefore(before.memory, older)];
  const same =
    files.files[file].language === language &&
    files.files[file].state === state &&
    (files.files[file].compiled === undefined) === (compiled === undefined) &&
    declared.join('\n') === declaredThen.join('\n');
  if (!same) {
    touchPaths(files.files[file].path, [...declared, ...declaredThen], touched);
    changed.set(older, true);
    touchAll(index, touched);
    touchAll(olderIndex, touched);
    return;
  }
  const names = changedNames(files, before, file, texts);
  changed.set(older, names);
  for (const name of names) if (isOffered(index, name) || isOffered(olderIndex, name)) touched.add(name);
}

function changedNames(files: SnapshotFiles, { memory }: Before, file: number, texts: ResolutionTexts): Set<string> {
  const older = files.older[file];
  const { importBase, importResolution, strings } = memory;
  const was = signaturesOf(files.olderIndex(older), (at) => strings[importResolution[importBase[older] + at]]);
  const index = files.index(file);
  const is = signaturesOf(index, (at) => texts.of(file, index.imports[at]));
  const names = new Set<string>();
  for (const [name, text] of is) if (was.get(name) !== text) names.add(name);
  for (const name of was.keys()) if (!is.has(name)) names.add(name);
  return names;
}

/** Finds imports of unchanged files that now resolve to other files. */
function compareResolutions(
  files: SnapshotFiles,
  { memory }: Before,
  texts: ResolutionTexts,
  { changed, touched }: Changes,
  dirty: Uint8Array,
): void {
  for (let file = 0; file < dirty.length; file++) {
    if (files.unchanged[file] === 0) continue;
    const older = files.older[file];
    importsBefore(memory, older).forEach((item, i) => {
      const was = memory.strings[memory.importResolution[memory.importBase[older] + i]];
      if (texts.of(file, item) === was) return;
      dirty[file] = 1;
      const known = changed.get(older);
      const names = known instanceof Set ? known : new Set<string>();
      if (item.names.length === 0) names.add(WILDCARDS);
      for (const { alias } of item.names) names.add(alias === '' ? WILDCARDS : alias);
      changed.set(older, names);
      for (const name of names) if (isOffered(files.index(file), name)) touched.add(name);
    });
  }
}

/** Marks the files that looked up a changed name. */
function markAskers(files: SnapshotFiles, memory: LinkMemory, { changed, touched }: Changes, dirty: Uint8Array): void {
  if (changed.size === 0 && touched.size === 0) return;
  const { strings, useBase, useFile, useName, lookupBase, lookupName } = memory;
  const isTouched = new Uint8Array(strings.length);
  strings.forEach((name, i) => {
    if (touched.has(name) || (name.startsWith(PART) && hasPart(touched, name))) isTouched[i] = 1;
  });
  for (let file = 0; file < dirty.length; file++) {
    const older = files.older[file];
    if (dirty[file] === 1 || older < 0) continue;
    for (let i = useBase[older]; i < useBase[older + 1] && dirty[file] === 0; i++) {
      const names = changed.get(useFile[i]);
      if (names === true || names?.has(strings[useName[i]])) dirty[file] = 1;
    }
    for (let i = lookupBase[older]; i < lookupBase[older + 1] && dirty[file] === 0; i++) {
      if (isTouched[lookupName[i]] === 1) dirty[file] = 1;
    }
  }
}

// Recording the lookups of one file.

/** Recorded name for all imports and exports without names (`export *`, `#include`). */
export const WILDCARDS = '*';

/** Recorded name for paths resolved at their use. Their resolution can change whenever a file is added or removed. */
export const PATHS = '::';

/** Recorded name for paths with a name in them, in languages where only files, packages and symbols of that name matter. */
export function pathName(name: string): string {
  return `${PATHS}${name}`;
}

/** Names in a path or package: `com.shop`. */
export function namesOfPath(path: string): readonly string[] {
  return path.match(/[\p{L}\p{N}_$]+/gu) ?? [];
}

/**
 * Recorded names for the packages that a path can lead into: it has the last two parts of the package's name, one behind the other, or
 * begins with the only one. The last part alone says too little: `util` is in the paths of half a repository.
 */
export function packagesOfPath(path: string): string[] {
  return namesOfPath(path).map((name, i, names) => pathName(`${names[i - 1] ?? ''}.${name}`));
}

/** Recorded name for definitions of a compiler's symbol. */
export function monikerName(moniker: number): string {
  return `::${moniker.toString(36)}`;
}

/** Recorded name for the names that the framework of a language gives here. */
export function frameworkName(language: string): string {
  return `::framework ${language}`;
}

const PART = '::~';

/** Recorded name for all names that begin or end with a part. */
export function partName(part: string, isEnd: boolean): string {
  return `${PART}${isEnd ? '*' : ''}${part}`;
}

function hasPart(names: ReadonlySet<string>, recorded: string): boolean {
  const isEnd = recorded[PART.length] === '*';
  const part = recorded.slice(PART.length + (isEnd ? 1 : 0));
  for (const name of names) if (isEnd ? name.endsWith(part) : name.startsWith(part)) return true;
  return false;
}

/** Recorded name for everything, used when a file made more lookups than are worth keeping. */
const ANYTHING = '::*';

/**
 * Maximum number of lookups recorded for one file. Real files stay far below. Files that include thousands of headers
 * would need gigabytes together, so such a file is linked again after any change instead.
 */
const MAX_NOTES = 4_000;

/** Recorded lookups of one file: lookup `i` is of `names[i]` in `files[i]`; `lookups` are those in the whole repository. */
export interface Recorded {
  files: Uint32Array;
  names: readonly string[];
  lookups: readonly string[];
}

export class Recorder {
  /** Names looked up in the whole repository. */
  private readonly lookups = new Set<string>();
  /** Names looked up by file number, each with whether it has to be kept: a lookup in the whole repository may cover it. */
  private readonly uses = new Map<number, Map<string, boolean>>();
  private count = 0;
  private isFull = false;
  private lastFile = -1;
  private lastNames = new Map<string, boolean>();
  /** Lookups of answers that files share. */
  private readonly shared = new Set<Recorder>();
  private sealed: Pick<Recorded, 'files' | 'names'> = { files: new Uint32Array(0), names: [] };

  /** `isShared`: the lookups are those of an answer that other files take, so lookups in the file itself count. */
  constructor(
    readonly file: number,
    private readonly nodes: Pick<Nodes, 'hasNamed'>,
    private readonly isShared = false,
  ) {}

  note(file: number, name: string): void {
    if ((file === this.file && !this.isShared) || this.isFull) return;
    if (file !== this.lastFile) {
      this.lastFile = file;
      this.lastNames = getOrMake(this.uses, file, () => new Map());
    }
    if (this.lastNames.has(name)) return;
    // A lookup in the whole repository covers every change to the name in files that have a symbol of it.
    const isCovered = this.lookups.has(name) && (isSpecial(name) || this.nodes.hasNamed(file, name));
    this.lastNames.set(name, !isCovered);
    if (!isCovered && ++this.count > MAX_NOTES) this.isFull = true;
  }

  noteEverywhere(name: string): void {
    this.lookups.add(name);
  }

  /** Adds the lookups by which an answer was found. */
  take(shared: Recorder): void {
    if (this.shared.has(shared)) return;
    this.shared.add(shared);
    // These cover lookups of the same names that are noted later.
    if (this.isShared) for (const name of shared.lookups) this.lookups.add(name);
  }

  /** Keeps the lookups in a tenth of the room, since those of all types are kept until the end. No more may come. */
  seal(): void {
    this.sealed = this.inColumns();
    this.uses.clear();
  }

  /** Returns the recorded lookups in compact form, since they are kept for thousands of files at once. */
  finish(): Recorded {
    this.takeAll();
    return { ...this.inColumns(), lookups: this.isFull ? [ANYTHING] : [...this.lookups] };
  }

  private inColumns(): Pick<Recorded, 'files' | 'names'> {
    const files: number[] = [];
    const names: string[] = [];
    for (const [file, noted] of this.isFull ? [] : this.uses) {
      for (const [name, isKept] of noted) {
        if (!isKept) continue;
        files.push(file);
        names.push(name);
      }
    }
    return { files: Uint32Array.from(files), names };
  }

  private takeAll(): void {
    const taken = this.shared;
    // A set is walked with what is added on the way, so answers that shared ones took are reached as well.
    for (const one of taken) {
      for (const further of one.shared) taken.add(further);
      for (const name of one.lookups) this.lookups.add(name);
      if (one.isFull) this.isFull = true;
    }
    for (const one of taken) one.giveTo(this);
  }

  private giveTo(taker: Recorder): void {
    const { files, names } = this.sealed;
    for (let i = 0; i < names.length; i++) taker.note(files[i], names[i]);
  }
}

// Answers that files share.

/** Maximum number of scanned items of equal name, about a second. Real files stay below a tenth of it. */
export const MAX_FILE_SCANNED = 10_000_000;

/** Answers about types, or about files, that are the same for all files, each with the lookups by which it was found. */
export class SharedAnswers<Answer> {
  /** By `keyOf`, or by file; null for a type whose answer depends on itself, which each file finds alone. */
  private readonly known = new Map<number, { answer: Answer; recorder: Recorder } | null>();
  private readonly running: number[] = [];
  private readonly cyclic = new Set<number>();
  /** Items scanned for the types of a file. */
  private readonly scanned = new Map<number, number>();

  constructor(private readonly nothing: Answer) {}

  /** The answer about a type of a file; null if the asking file has to find its own. */
  of(ctx: Context, key: number, file: number, find: (ctx: Context) => Answer): Answer | null {
    const known = this.known.get(key);
    if (known === null) return null;
    if (known !== undefined) {
      ctx.recorder.take(known.recorder);
      return known.answer;
    }
    const at = this.running.indexOf(key);
    if (at >= 0) {
      for (const one of this.running.slice(at)) this.cyclic.add(one);
      return this.nothing;
    }
    return this.find(ctx, key, file, find);
  }

  private find(ctx: Context, key: number, file: number, find: (ctx: Context) => Answer): Answer | null {
    const before = this.scanned.get(file) ?? 0;
    if (before >= MAX_FILE_SCANNED) return null;
    const inner = ctx.forShared(file);
    this.running.push(key);
    const answer = find(inner);
    this.running.pop();
    this.scanned.set(file, before + inner.symbols.scanned);
    if (this.cyclic.delete(key)) this.known.set(key, null);
    else if (!inner.isCut) {
      inner.recorder.seal();
      this.known.set(key, { answer, recorder: inner.recorder });
      ctx.recorder.take(inner.recorder);
      return answer;
    }
    return null;
  }
}

// Signatures of a file's names: everything that other files can learn about each name, as text. If a signature is the same after a
// change, files that looked up the name need no linking. It contains neither lines nor an order of different names.

/** Adds a part to the signature of a name. */
type AddPart = (name: string, ...parts: (string | number)[]) => void;

/** Computes the signature of each name. `resolution` describes the resolution of an import as text. */
function signaturesOf(index: FileIndex, resolution: (at: number) => string): Map<string, string> {
  const found = new Map<string, string[]>();
  const add: AddPart = (name, ...parts) => {
    const list = found.get(name);
    const text = JSON.stringify(parts);
    if (list === undefined) found.set(name, [text]);
    else list.push(text);
  };
  const places = placesOf(index);
  const place = (symbol: number): string => (symbol < 0 ? '' : places[symbol]);
  addSymbols(index, places, add);
  addBindings(index, place, add);
  for (const { name, local } of index.facts.relations.exports) add(name, 'e', local);
  index.facts.relations.imports.forEach(({ kind, specifier, names, symbol }, at) => {
    if (kind === 'declare') return;
    const common = [kind, specifier, place(symbol), resolution(at)];
    if (names.length === 0) add(WILDCARDS, 'i', ...common);
    for (const { name, alias } of names) add(alias === '' ? WILDCARDS : alias, 'i', name, ...common);
  });
  return new Map(Array.from(found, ([name, parts]) => [name, parts.join('\n')]));
}

function addSymbols(index: FileIndex, places: readonly string[], add: AddPart): void {
  const { symbols } = index;
  symbols.forEach(({ name, kind, container, exported }, i) => {
    add(name, 's', places[i], kind, exported ? 1 : 0, container < 0 ? '' : symbols[container].kind);
  });
  index.monikers?.forEach((moniker, i) => {
    if (moniker !== 0) add(monikerName(moniker), 'm', places[i]);
  });
  for (const [symbol, references] of index.inheriting()) {
    for (const { kind, receiver, name } of references)
      add(symbols[symbol].name, 'h', places[symbol], kind, receiver, name);
  }
  for (const [symbol, names] of index.decorated()) {
    if (symbol >= 0) add(symbols[symbol].name, '@', places[symbol], ...names);
  }
  for (const [module, names] of index.naming()) add(symbols[module].name, '=', places[module], ...names);
}

function addBindings({ symbols, facts }: FileIndex, place: (symbol: number) => string, add: AddPart): void {
  for (const { scope, name, type, value } of facts.relations.bindings) {
    const isGiven = name.startsWith('{');
    const special = scope >= 0 && (isGiven || isOfSymbol(name));
    // A field is asked for by its own name.
    const own = name.startsWith(`${MADE}.`) ? name.slice(MADE.length + 1) : name;
    add(special ? symbols[scope].name : own, 'b', place(scope), name, type, value);
    const holder = scope < 0 ? -1 : symbols[scope].container;
    if (isGiven && holder >= 0) add(symbols[holder].name, 'g', place(scope), name, type, value);
  }
}

/** Does a binding describe its symbol, and not a name in it? */
function isOfSymbol(name: string): boolean {
  return name === RESULT || name === INSTANCE || name === PARENT || isParameter(name) || isTypeParameter(name);
}

/** Identifies each symbol by its containers, its name and its number among symbols of that name, independent of lines. */
function placesOf({ symbols }: FileIndex): string[] {
  const seen = new Map<string, number>();
  const places: string[] = [];
  symbols.forEach((symbol, i) => {
    const { name, container } = symbol;
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    const owned = container >= 0 && isOwned(symbols[container], symbol);
    const outer = container < 0 ? '' : digest(`${places[container]} ${symbols[container].kind}`);
    places[i] = `${outer}${owned ? '!' : '/'}${name}#${count}`;
  });
  return places;
}

/** Digests text to 53 bits, so that the places of deeply nested symbols in hostile input stay short. */
export function digest(text: string): string {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return ((b >>> 0) * 0x200000 + ((a >>> 0) & 0x1fffff)).toString(36);
}

// Resolver of imports, and resolutions as text to compare them.

/** Kinds of imports that say which module a file, or a child of it, belongs to. */
const DECLARING: ReadonlySet<ImportKind> = new Set(['declare', 'module']);
/** Maximum length of a resolution's text; a longer list of files is replaced by a digest. */
const MAX_TEXT_LENGTH = 200;

export function resolverOver(input: LinkInput, files: SnapshotFiles, nodes: Nodes): Resolver {
  return createResolver(resolveInputOf(input, files, nodes));
}

export function resolveInputOf(input: LinkInput, files: SnapshotFiles, nodes: Nodes): ResolveInput {
  return {
    files: input.files,
    others: input.others,
    manifests: input.manifests,
    declared: (file) => declaredBy(files, file),
    topLevelNames: (file) => topLevelNames(input, nodes, file),
    enclosingModules: (file, symbol) => enclosingModules(nodes, file, symbol),
  };
}

/** Packages or modules that a file declares to belong to, and those that it declares as its children. */
function declaredBy(files: SnapshotFiles, file: number): string[] {
  if (files.unchanged[file] === 1 && files.before !== null)
    return declaredBefore(files.before.memory, files.older[file]);
  return declaredIn(files.index(file));
}

function declaredBefore(memory: LinkMemory, file: number): string[] {
  const found: string[] = [];
  for (let at = memory.importBase[file]; at < memory.importBase[file + 1]; at++) {
    if (DECLARING.has(IMPORT_KINDS[memory.importKind[at]])) found.push(memory.strings[memory.importSpecifier[at]]);
  }
  return found;
}

/** A module within another one has its whole name in files that name modules so: `Shop.Cart` of `defmodule Cart` in `Shop`. */
function topLevelNames(input: LinkInput, nodes: Nodes, file: number): string[] {
  const names: string[] = [];
  const isWhole = semanticsOf(input.files[file].language).dottedNames === '.';
  for (let node = nodes.base[file] + 1; node < nodes.base[file + 1]; node++) {
    if (!nodes.isOuter(node, true)) continue;
    const isInner = isWhole && SPACES.has(nodes.kind(node)) && nodes.container[node] > nodes.base[file];
    names.push(isInner ? enclosingModules(nodes, file, node - nodes.base[file] - 1).join('.') : nodes.nameOf(node));
  }
  return names;
}

function enclosingModules(nodes: Nodes, file: number, symbol: number): string[] {
  const names: string[] = [];
  let node = nodes.base[file] + 1 + symbol;
  while (node > nodes.base[file]) {
    if (SPACES.has(nodes.kind(node))) names.unshift(nodes.nameOf(node));
    node = nodes.container[node];
  }
  return names;
}

/** Imports of a file of the previous snapshot, with the fields that resolving needs. */
function importsBefore(memory: LinkMemory, file: number): Import[] {
  const found: Import[] = [];
  for (let at = memory.importBase[file]; at < memory.importBase[file + 1]; at++) {
    const names = [];
    for (let i = memory.nameBase[at]; i < memory.nameBase[at + 1]; i++) {
      names.push({ name: memory.strings[memory.importedName[i]], alias: memory.strings[memory.importedAlias[i]] });
    }
    found.push({
      kind: IMPORT_KINDS[memory.importKind[at]],
      specifier: memory.strings[memory.importSpecifier[at]],
      names,
      symbol: memory.importSymbol[at],
      startLine: 0,
      endLine: 0,
    });
  }
  return found;
}

/** Describes resolutions of imports as text. */
export class ResolutionTexts {
  private readonly lists = new WeakMap<readonly string[], string>();

  constructor(private readonly resolver: Resolver) {}

  of(file: number, item: Import): string {
    if (item.kind === 'declare') return '';
    const found = this.resolver.resolve(file, item);
    if (found.kind === 'external') return 'external';
    if (found.kind !== 'files') return 'unresolved';
    let text = this.lists.get(found.paths);
    if (text === undefined) {
      text = `${found.tier} ${found.paths.join('\n')}`;
      if (text.length > MAX_TEXT_LENGTH) text = `${found.tier} ${found.paths.length} ${digest(text)}`;
      this.lists.set(found.paths, text);
    }
    return text;
  }
}
