/**
 * Reasons why a definition may be used although no use of it is known: main functions, initializers, hooks of languages, tests that runners
 * find, decorators, relatives, members that are reached through their type. `verdictOf` judges one without callers, `usedUnseen` one of
 * which nothing inside has users either, `runUnseen` one without users but tests, and `readUnseen` any one, or a file.
 */
import { onePer } from '../../base/cache.js';
import { getOrMake } from '../../base/lists.js';
import { conventionsOf, semanticsOf } from '../../languages/registry.js';
import { FIELDS_IN_ORDER } from '../../languages/roles/relation-facts.js';
import type { Graph, NodeKind } from '../graph.js';
import type { EvidenceTier } from '../tables.js';
import { isRunnableTest, isTest, isTestCode, isToolFile } from './node-place.js';
import {
  directMembers,
  inheritEdges,
  isFunction,
  isType,
  mixedWith,
  outgoing,
  overriddenBy,
  overridersOf,
  RUN_KINDS,
  siblingsNamed,
} from './uses.js';

/** Does a program of its language start there? */
export function isMain(graph: Graph, node: number): boolean {
  const { mainNames, mainInTypes = false } = conventionsOf(graph.tables.files[graph.fileOf(node)].language);
  const kind = graph.kind(node);
  if (mainNames?.has(graph.name(node)) !== true) return false;
  if (kind === 'method') return mainInTypes;
  return kind === 'function' && graph.isFile(graph.container(node));
}

/** Decorators of click, typer and their like: `@app.command()`, `@app.command("add-user")`. */
const COMMAND_DECORATORS: ReadonlySet<string> = new Set(['command', 'group', 'callback']);

/** Name of the command that a decorator makes of a function, null for all other decorators. */
export function commandName(
  { name, receiver, literal }: { name: string; receiver: string; literal: string },
  functionName: string,
): string | null {
  if (!COMMAND_DECORATORS.has(name) || receiver === '') return null;
  return literal === '' ? functionName.replaceAll('_', '-') : literal;
}

/** Name of an operator, which code calls by its sign. */
const OPERATOR = /^(?:operator\b|[-+*/%&|^~!<>=]+$)/;

/** Does the language itself call members of that name, or its compiler look for it? */
export function isRuntimeHook(graph: Graph, node: number): boolean {
  const { runtimeNames, runtimeName, compilerNames } = conventionsOf(graph.tables.files[graph.fileOf(node)].language);
  const name = graph.name(node);
  if (compilerNames?.test(graph.qualifiedName(node)) === true) return true;
  if (graph.isFile(graph.container(node))) return false;
  if (isFunction(graph, node) && OPERATOR.test(name)) return true;
  return runtimeNames?.has(name) === true || runtimeName?.test(name) === true;
}

/** Top-level functions that run when their package or module is loaded. */
export function isInitializer(graph: Graph, node: number): boolean {
  const { initializers } = conventionsOf(graph.tables.files[graph.fileOf(node)].language);
  return initializers?.has(graph.name(node)) === true && graph.isFile(graph.container(node));
}

/** Does a test runner find it by its name? */
export function isFoundByRunner(graph: Graph, node: number): boolean {
  const file = graph.fileOf(node);
  const { testName } = conventionsOf(graph.tables.files[file].language);
  return testName?.test(graph.name(node)) === true && isRunnableTest(graph, file);
}

/** Decorators and annotations that describe a function and pass it to no other code. */
const INERT_DECORATORS: ReadonlySet<string> = new Set([
  ...['Override', 'Deprecated', 'SuppressWarnings', 'SafeVarargs', 'Nullable', 'NonNull', 'Nonnull', 'NotNull'],
  ...[
    'CanIgnoreReturnValue',
    'InlineMe',
    'VisibleForTesting',
    'CheckReturnValue',
    'JvmStatic',
    'JvmOverloads',
    'Throws',
  ],
  ...['staticmethod', 'classmethod', 'abstractmethod', 'override', 'final', 'overload', 'deprecated', 'wraps'],
  ...['derive', 'cfg', 'allow', 'expect', 'repr', 'doc', 'must_use', 'non_exhaustive', 'cold', 'track_caller'],
  ...['lru_cache', 'cache', 'contextmanager', 'asynccontextmanager', 'tailrec', 'inline', 'Suppress'],
]);

/** A decorator that may call the function it decorates, or pass it on; null if there is none. */
export function registrar(graph: Graph, node: number): string | null {
  for (const edge of outgoing(graph, node)) {
    if (graph.edgeKind(edge) !== 'decorator') continue;
    const { name, receiver } = graph.edge(edge);
    if (!INERT_DECORATORS.has(name)) return receiver === '' ? name : `${receiver}.${name}`;
  }
  return null;
}

// The verdict of what no caller of a definition means.

const NO_CALLER_VERDICTS = [
  /** Only its own file can name it, and nothing there uses it. */
  'certain',
  /** Uses of that name have no known target. */
  'unresolved-uses',
  /** Code outside of the repository starts it. */
  'entry-point',
  /** Code outside of this repository may use it. */
  'exported',
  /** A type outside of this repository declares it, the language calls it, or a decorator hands it to a framework. */
  'framework',
  /** It is a member of a value: code that holds the value can call it without naming this file. */
  'indirect',
  /** The facts of its language have no calls. */
  'no-call-facts',
  /** Its file could not be parsed completely. */
  'degraded',
] as const;
export type NoCallerVerdict = (typeof NO_CALLER_VERDICTS)[number];

/** Ends the reason that counts unresolved uses. */
export const MAY_MEAN_IT = 'could not be resolved and may mean it';

/** Says why a symbol without callers may be used all the same. `possible`: number of uses of its name that may mean it. */
export function verdictOf(graph: Graph, node: number, possible: number): [NoCallerVerdict, string] {
  const { state, language, isIncomplete } = graph.tables.files[graph.fileOf(node)];
  if (state === 'none') return ['no-call-facts', `calls are not known in ${language} files`];
  if (state !== 'linked')
    return ['degraded', 'its file could not be parsed as a whole, so that calls in it may be missing'];
  const started = startOf(graph, node);
  if (started !== null) return ['entry-point', started];
  const outside = frameworkOf(graph, node);
  if (outside !== null) return ['framework', outside];
  if (possible > 0) {
    const uses = possible === 1 ? 'one use' : `${possible} uses`;
    return ['unresolved-uses', `${uses} of the name ${graph.name(node)} ${MAY_MEAN_IT}`];
  }
  const kept = keptFor(graph, node);
  if (kept !== null) return ['indirect', kept];
  const parents = overriddenBy(graph, node);
  if (parents.length > 0)
    return ['framework', `it overrides ${graph.qualifiedName(parents[0])}, which nothing here calls`];
  if (hasCalledNamesake(graph, node))
    return [
      'unresolved-uses',
      'another function of this name in the same place, or a value of its name, is called, and calls may mean this one',
    ];
  if (graph.isExported(node)) return ['exported', 'it is exported, so code outside may use it'];
  if (isIncluded(graph, node)) return ['exported', 'it is in a file that others include, so code outside may use it'];
  const indirect = indirectly(graph, node);
  if (indirect !== null) return ['indirect', indirect];
  if (isIncomplete) return ['degraded', 'its file has parse errors, so that uses in it may be missing'];
  return ['certain', 'it is not exported, and nothing here uses it'];
}

function isIncluded(graph: Graph, node: number): boolean {
  const { language, path } = graph.tables.files[graph.fileOf(node)];
  return graph.isFile(graph.container(node)) && conventionsOf(language).includedPath?.test(path) === true;
}

function startOf(graph: Graph, node: number): string | null {
  if (isMain(graph, node)) return 'it is where a program starts';
  if (isInitializer(graph, node)) return 'it runs when its package is loaded';
  if (isFoundByRunner(graph, node)) return 'test runners find it by its name';
  return null;
}

/** Why it is there although nothing uses it. */
function keptFor(graph: Graph, node: number): string | null {
  const { constantsForMacros, keptName } = conventionsOf(graph.tables.files[graph.fileOf(node)].language);
  if (keptName?.test(graph.name(node))) return 'its name says that it is kept although nothing uses it';
  return constantsForMacros && graph.kind(node) === 'constant'
    ? 'nothing reads it, so macros that its module uses may'
    : null;
}

function frameworkOf(graph: Graph, node: number): string | null {
  if (isRuntimeHook(graph, node))
    return `${graph.name(node)} is a name that the language itself, or its library, calls`;
  const decorator = registrar(graph, node);
  if (decorator !== null) return `it is decorated with ${decorator}, which may call it`;
  const container = graph.container(node);
  if (container < 0 || graph.isFile(container)) return null;
  return callsAbove(graph, node)
    ? 'it calls what it overrides, which is not known here and may be used'
    : outsideParent(graph, container);
}

/**
 * Does an overload of it, or the same function for another platform, have callers? Where types are stated, a value of its name that is
 * called may be one as well: `cart.isOpen()` means a function that extends the type, though the type has a property `isOpen`.
 */
function hasCalledNamesake(graph: Graph, node: number): boolean {
  if (!isFunction(graph, node)) return false;
  const { language } = graph.tables.files[graph.fileOf(node)];
  const isCalledValue = (other: number) =>
    isValue(graph, other) &&
    graph.tables.files[graph.fileOf(other)].language === language &&
    graph.incoming(other).some((edge) => graph.edgeKind(edge) === 'call');
  if (!semanticsOf(language).unstatedTypes && graph.namesakes(node).some(isCalledValue)) return true;
  return siblingsNamed(graph, node).some(
    (other) => other !== node && [...graph.incoming(other)].some((edge) => RUN_KINDS.has(graph.edgeKind(edge))),
  );
}

/** Reason why the maker of a variable's value may keep it: a member of an object that is not known, or a type that code outside knows. */
function keptByMaker(graph: Graph, node: number): string | null {
  if (!isValue(graph, node)) return null;
  for (const edge of outgoing(graph, node)) {
    const kind = graph.edgeKind(edge);
    if (kind !== 'call' && kind !== 'new') continue;
    const to = graph.target(edge);
    const { name, receiver, tier } = graph.edge(edge);
    if (to < 0 ? tier === 'unresolved' && receiver !== '' : isType(graph, to) && outsideParent(graph, to) !== null)
      return `${receiver === '' ? '' : `${receiver}.`}${name} makes it, and may keep it`;
  }
  return null;
}

/** Does a member call one of its name above its type, which is not known here? Then there is one, and a use of that may run this one. */
function callsAbove(graph: Graph, node: number): boolean {
  if (!isFunction(graph, node) || graph.kind(node) === 'constructor') return false;
  const name = graph.name(node);
  return [...outgoing(graph, node)].some((edge) => {
    const { receiver, name: called, to } = graph.edge(edge);
    return to < 0 && receiver === 'super' && called === name;
  });
}

/**
 * Why code can reach it without naming it: it is a member of an object literal or an anonymous class, or a value that its maker may keep. In
 * JavaScript, members of all objects count.
 */
function indirectly(graph: Graph, node: number): string | null {
  const container = graph.container(node);
  if (graph.kind(node) === 'macro') return 'macros are used in other files without being imported by name';
  const { language } = graph.tables.files[graph.fileOf(node)];
  const { untypedMembers = false } = conventionsOf(language);
  if (container < 0 || graph.kind(node) === 'constructor') return null;
  if (graph.isFile(container))
    return untypedMembers && graph.kind(node) === 'method'
      ? 'it is a member of an object, and whatever holds that object can call it'
      : keptByMaker(graph, node);
  const owner = graph.qualifiedName(container);
  const isMember = graph.kind(node) !== 'function';
  if (!isType(graph, container))
    return isMember ? `it is a member of an object in ${owner}, and whatever holds that object can call it` : null;
  // Private members of an exported class are not exported.
  return isMember && untypedMembers && !graph.isExported(container) && !/^(?:#|_(?!.*_$))/.test(graph.name(node))
    ? `objects of ${owner} may be used where the type is not named`
    : null;
}

/** Reason why a definition without a known use may be used all the same; null if only its own file can use it, and nothing says that it does. */
export function usedUnseen(graph: Graph, node: number): string | null {
  const [verdict, reason] = verdictOf(graph, node, 0);
  return verdict === 'certain' ? (reachedThroughType(graph, node)?.reason ?? null) : reason;
}

// Members that are reached through their type, without a use of their name.

const VALUE_KINDS: ReadonlySet<NodeKind> = new Set(['constant', 'variable', 'field', 'property', 'enum-member']);

/** Is it a value, such as a constant or a field? Its first value runs even if nothing uses it. */
export function isValue(graph: Graph, node: number): boolean {
  return VALUE_KINDS.has(graph.kind(node));
}

/** Reason why a definition may be used although no use of its name leads to it; null for none. */
export function reachedThroughType(graph: Graph, node: number): Excuse | null {
  const container = graph.container(node);
  if (usedTwin(graph, node))
    return {
      verdict: 'unresolved-uses',
      reason: 'another definition of this name is used, and uses may mean this one',
    };
  if (graph.isFile(container) || !isType(graph, container)) return null;
  if (mayBeOpened(graph, container))
    return {
      verdict: 'framework',
      reason: `nothing here uses ${graph.qualifiedName(container)}${isOfPackage(graph, container) ? ' either' : ', which may be a type of a library that is opened here'}`,
    };
  return (
    familyUses(graph, node) ??
    accessorUses(graph, node) ??
    (isValue(graph, node) ? usedAsData(graph, node, container) : null)
  );
}

/** Reason why code runs a function, or makes a type, although no use leads to it: a language, a decorator, a trait or a relative; null for none. */
export function runUnseen(graph: Graph, node: number): string | null {
  if (isType(graph, node)) {
    const decorator = registrar(graph, node);
    return decorator === null ? null : `it is decorated with ${decorator}, which may make or call it`;
  }
  if (!isFunction(graph, node)) return null;
  const container = graph.container(node);
  if (isRuntimeHook(graph, node))
    return `${graph.name(node)} is a name that the language itself, or its library, calls`;
  const decorator = registrar(graph, node);
  if (decorator !== null) return `it is decorated with ${decorator}, which may call it`;
  const { structuralInterfaces } = conventionsOf(graph.tables.files[graph.fileOf(node)].language);
  if (structuralInterfaces && graph.kind(node) === 'method' && /^\p{Lu}/u.test(graph.name(node)))
    return (
      familyUses(graph, node)?.reason ?? 'an interface outside of this repository may ask for it, which no type says'
    );
  if (graph.isFile(container)) return runThroughModule(graph, container);
  if (graph.kind(container) === 'enum-member') {
    const holder = graph.container(container);
    const general = graph.namesakes(node).find((other) => graph.container(other) === holder);
    return general === undefined ? null : `it overrides ${graph.qualifiedName(general)}, which may be used`;
  }
  if (!isType(graph, container)) return null;
  if (graph.kind(container) === 'impl')
    for (const edge of inheritEdges(graph, container)) return `it implements a member of ${graph.edge(edge).name}`;
  return (
    familyUses(graph, node)?.reason ?? outsideParent(graph, container) ?? accessorUses(graph, node)?.reason ?? null
  );
}

/**
 * Reason why something that no text here names may use a definition or a file: code is made from it, it is a value of something that
 * nothing reads, or nothing imports its file, so that only its place can lead to it. Null for none.
 */
export function readUnseen(graph: Graph, node: number, isUsed: boolean): string | null {
  const { describes, targets } = conventionsOf(graph.tables.files[graph.fileOf(node)].language);
  if (graph.isFile(node)) return isUsed ? null : loadedUnseen(graph, node);
  const made = graph.namesakes(node).find((other) => isMadeFrom(graph, node, other));
  if (made !== undefined)
    return `${graph.path(made)} has code that a tool made of it, and uses of that are not counted`;
  if (targets === true && isFunction(graph, node)) return 'people, CI and tools run it by its name';
  if (!isUsed && graph.tables.files[graph.fileOf(node)].isGenerated)
    return 'a tool wrote its file, and libraries of that tool may use it';
  if (describes === 'services') return 'tools make code from it, and uses of that are not known';
  if (!isUsed)
    return reachedThroughType(graph, node)?.reason ?? (graph.isExported(node) ? loadedUnseen(graph, node) : null);
  const holder = unreadHolder(graph, node);
  return holder === null ? null : `it is the value of ${holder}, which nothing is known to read`;
}

/** Reason why something may load a file by its place, if nothing imports it; null for none. */
function loadedUnseen(graph: Graph, node: number): string | null {
  const file = graph.fileOf(node);
  const { language, path } = graph.tables.files[file];
  if (conventionsOf(language).imported !== true || isTest(graph, file) || isToolFile(language, path)) return null;
  const isImported = graph.incoming(graph.fileNode(file)).some((edge) => !isTestCode(graph, graph.source(edge)));
  return isImported ? null : 'nothing here imports its file, and what loads it by its place is not known';
}

/** Is one generated code in another language, of the same name as the other? */
function isMadeFrom(graph: Graph, node: number, other: number): boolean {
  const [own, its] = [node, other].map((each) => graph.tables.files[graph.fileOf(each)]);
  return (
    own.isGenerated !== true &&
    its.isGenerated === true &&
    own.language !== its.language &&
    isType(graph, other) === isType(graph, node)
  );
}

/** Name of a field or constant that holds it and that no code is known to read, if nothing else uses it; null for none. */
function unreadHolder(graph: Graph, node: number): string | null {
  let holder = -1;
  for (const edge of graph.incoming(node)) {
    const source = graph.source(edge);
    if (graph.isFileEdge(edge) || isTestCode(graph, source)) continue;
    if (graph.edgeKind(edge) !== 'value' || graph.isFile(source) || !isValue(graph, source)) return null;
    if (graph.incoming(source).length > 0) return null;
    holder = source;
  }
  return holder < 0 ? null : graph.qualifiedName(holder);
}

/** Reason why code outside of the repository may call a member of a type: an ancestor is there; null for none. */
export function outsideParent(graph: Graph, type: number): string | null {
  const types = new Set([type]);
  for (const each of types) {
    for (const edge of inheritEdges(graph, each)) {
      const parent = graph.target(edge);
      if (parent < 0)
        return `${graph.qualifiedName(type)} inherits from ${graph.edge(edge).name}, which is outside of this repository and may call it`;
      if (types.size < MAX_FAMILY) types.add(parent);
    }
  }
  return null;
}

/** Code that has a module as a value may call each of its functions: `{ tar, zip }`, then `formats[name].open()`. */
function runThroughModule(graph: Graph, file: number): string | null {
  const edge = graph
    .incoming(file)
    .find((one) => graph.edgeKind(one) === 'value' && !isTestCode(graph, graph.source(one)));
  if (edge === undefined) return null;
  return `${graph.tables.files[graph.fileOf(graph.source(edge))].path} hands its module on, so calls may be missing`;
}

/** Do all parts of a type stand in one package, so that none adds to a library? */
const isOfPackage = (graph: Graph, type: number): boolean =>
  semanticsOf(graph.tables.files[graph.fileOf(type)].language).parts === 'package';

/** May a declaration of the type add to one outside of the repository? Code there uses the type, and none here. */
function mayBeOpened(graph: Graph, type: number): boolean {
  const { reopens } = semanticsOf(graph.tables.files[graph.fileOf(type)].language);
  const kind = graph.kind(type);
  if (kind === 'file' || !reopens.has(kind)) return false;
  return graph.namesakes(type).every((other) => graph.incoming(other).length === 0);
}

interface Excuse {
  verdict: 'framework' | 'indirect' | 'unresolved-uses';
  reason: string;
}

/** Relatives that have the name, too: a use of theirs may run this one, or a language asks that both are there. */
function familyUses(graph: Graph, node: number): Excuse | null {
  const [overrider] = overridersOf(graph, node);
  if (overrider !== undefined)
    return { verdict: 'framework', reason: `${graph.qualifiedName(overrider)} overrides it` };
  const [parent] = overriddenBy(graph, node);
  if (parent !== undefined)
    return { verdict: 'framework', reason: `it overrides ${graph.qualifiedName(parent)}, which may be used` };
  const relative = likelyRelative(graph, node);
  if (relative !== null)
    return { verdict: 'framework', reason: `it may override ${graph.qualifiedName(relative)}, or be overridden by it` };
  const mixed = mixedWith(graph, node);
  if (mixed !== null) {
    const [heir, other] = [graph.qualifiedName(mixed.heir), graph.qualifiedName(mixed.other)];
    return { verdict: 'framework', reason: `${heir} has ${other} as well, and a call of that may run it` };
  }
  return null;
}

/**
 * Is another definition of the name used, by code that may mean this one: in a type of the same name, in a file beside
 * this one where a build chooses between files, or through a receiver or a package in this folder?
 */
function usedTwin(graph: Graph, node: number): boolean {
  const container = graph.container(node);
  const { language, path } = graph.tables.files[graph.fileOf(node)];
  const { variants, conditionalModules } = conventionsOf(language);
  const areFilesTwins = variants === 'file' || variants === 'package';
  const folder = folderOf(path);
  return graph.namesakes(node).some((other) => {
    const holder = graph.container(other);
    const there = graph.tables.files[graph.fileOf(other)];
    const uses = graph.incoming(other);
    if (other === node || there.language !== language || uses.length === 0) return false;
    if (conditionalModules && mayBeChosen(graph, node, other)) return true;
    const areTwins =
      graph.isFile(container) || graph.isFile(holder)
        ? areFilesTwins && graph.isFile(container) && graph.isFile(holder) && folderOf(there.path) === folder
        : graph.name(holder) === graph.name(container);
    return (
      areTwins || uses.some((edge) => mayMeanNear(graph, edge, { node, folder, areOverloads: variants !== undefined }))
    );
  });
}

const MODULE_KINDS: ReadonlySet<NodeKind> = new Set(['file', 'module', 'namespace']);

/** May a build take a definition instead of another one, which other files use: both are of modules, and of one kind? */
function mayBeChosen(graph: Graph, node: number, other: number): boolean {
  const isOfModule = (each: number) => MODULE_KINDS.has(graph.kind(graph.container(each)));
  const isSameKind = isType(graph, node) ? isType(graph, other) : graph.kind(node) === graph.kind(other);
  if (!graph.isExported(node) || !isSameKind || !isOfModule(node) || !isOfModule(other)) return false;
  return graph.incoming(other).some((edge) => graph.fileOf(graph.source(edge)) !== graph.fileOf(other));
}

/** Tiers of uses whose text names the file of their target. */
const NAMED_FILES: ReadonlySet<EvidenceTier> = new Set(['same-file', 'imported', 'reexported'] as const);

/** May a use of a namesake mean a definition in its own folder? */
function mayMeanNear(
  graph: Graph,
  edge: number,
  { node, folder, areOverloads }: { node: number; folder: string; areOverloads: boolean },
): boolean {
  const source = graph.source(edge);
  if (folderOf(graph.path(source)) !== folder) return false;
  if (areOverloads && graph.fileOf(source) === graph.fileOf(node)) return true;
  const { edgeReceiver, strings } = graph.tables;
  return strings[edgeReceiver[edge]] !== '' || !NAMED_FILES.has(graph.tier(edge));
}

/** With its slash; '' at the top. */
export const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

/**
 * Member of a type that is named like an ancestor of this one's type, or the other way round. A type can be opened in
 * several files, and a name can mean several types: then the graph knows only one of them as the parent.
 */
function likelyRelative(graph: Graph, node: number): number | null {
  const container = graph.container(node);
  const own = ancestorNames(graph, container);
  const name = graph.name(container);
  for (const other of graph.namesakes(node)) {
    const type = graph.container(other);
    if (other === node || type === container || graph.isFile(type) || !isType(graph, type)) continue;
    if (own.has(graph.name(type)) || ancestorNames(graph, type).has(name)) return other;
  }
  return null;
}

/** Maximum number of types whose parents are visited: a hostile family has no end. */
const MAX_FAMILY = 100;

const ancestors = onePer((_: Graph) => new Map<number, ReadonlySet<string>>());

/** Last names of all parents and their parents, by name alone. */
function ancestorNames(graph: Graph, type: number): ReadonlySet<string> {
  const known = ancestors(graph);
  return getOrMake(known, type, () => findAncestorNames(graph, type));
}

function findAncestorNames(graph: Graph, type: number): ReadonlySet<string> {
  const names = new Set<string>();
  const types = new Set([type]);
  for (const each of types) {
    for (const edge of inheritEdges(graph, each)) {
      const { name, to } = graph.edge(edge);
      const last = to < 0 ? (/[\p{L}\p{N}_$]+$/u.exec(name)?.[0] ?? name) : graph.name(to);
      if (names.has(last)) continue;
      names.add(last);
      for (const parent of graph.nodesNamed(last))
        if (types.size < MAX_FAMILY && isType(graph, parent)) types.add(parent);
    }
  }
  return names;
}

/** Beginnings of the names of accessors. */
const ACCESSOR = /^(?:get|set|is|has)_?(?=.)/;

/** Name of the value that an accessor gives or takes: `count` of `getCount`, `is_count` and `count`. */
const valueName = (name: string): string => name.toLowerCase().replace(ACCESSOR, '');

/** Languages and serialisers call accessors of values that they find by reflection. */
function accessorUses(graph: Graph, node: number): Excuse | null {
  const { closedTypes = false } = conventionsOf(graph.tables.files[graph.fileOf(node)].language);
  if (closedTypes || graph.kind(node) !== 'method') return null;
  const value = valueName(graph.name(node));
  for (const other of directMembers(graph, graph.container(node)))
    if (isValue(graph, other) && valueName(graph.name(other)) === value)
      return { verdict: 'framework', reason: `it is an accessor of ${graph.name(other)}, which a serialiser may call` };
  return null;
}

/** Values that are read as a whole with their type: by serialisers, comparisons, templates, or a cast from a number. */
function usedAsData(graph: Graph, node: number, container: number): Excuse | null {
  const { closedTypes = false, structuralInterfaces = false } = conventionsOf(
    graph.tables.files[graph.fileOf(node)].language,
  );
  const owner = graph.qualifiedName(container);
  const decorator = graph.kind(node) === 'constant' ? null : registrar(graph, container);
  if (decorator !== null)
    return { verdict: 'framework', reason: `${owner} is decorated with ${decorator}, which may read it` };
  if (graph.kind(node) === 'constant') return null;
  if (closedTypes && structuralInterfaces && /^\p{Lu}/u.test(graph.name(node)))
    return { verdict: 'indirect', reason: 'reflection reads fields with a capital letter' };
  if ([...graph.incoming(container)].some((edge) => graph.edge(edge).literal === FIELDS_IN_ORDER))
    return { verdict: 'indirect', reason: `a literal of ${owner} gives it a value by its place` };
  if (closedTypes) return null;
  if (graph.kind(node) === 'enum-member')
    return { verdict: 'indirect', reason: `values of ${owner} may be made from a text or a number` };
  if (!isData(graph, container)) return null;
  return { verdict: 'indirect', reason: `${owner} holds data, which code may read as a whole` };
}

/** The first parameter of a member that is called on another type: `static int Half(this Cart cart)`. */
const EXTENDED = /\(\s*(?:\[[^\]]*\]\s*)?this\s/;

/**
 * Has a type members that are called on values of other types, by names that are used? Such calls do not name the type. `text`: that
 * of the type.
 */
export function isExtended(graph: Graph, type: number, text: string): boolean {
  if (!semanticsOf(graph.tables.files[graph.fileOf(type)].language).extensionsInTypes) return false;
  if (!isType(graph, type) || !EXTENDED.test(text)) return false;
  return [...directMembers(graph, type)].some(
    (node) =>
      isFunction(graph, node) &&
      (graph.danglingNamesakes(node).length > 0 ||
        graph.namesakes(node).some((other) => other !== node && graph.incoming(other).length > 0)),
  );
}

/** Has a type no functions but constructors and accessors? */
function isData(graph: Graph, type: number): boolean {
  return [...directMembers(graph, type)].every(
    (node) =>
      !isFunction(graph, node) ||
      graph.kind(node) === 'constructor' ||
      isRuntimeHook(graph, node) ||
      accessorUses(graph, node) !== null,
  );
}
