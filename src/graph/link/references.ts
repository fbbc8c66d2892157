/** Makes edges between symbols from the references of a file. */
import { withoutNarrowing } from '../../languages/roles/access-path.js';
import { NO_HANDLER, type Reference } from '../../languages/roles/relation-facts.js';
import { groupedLiterals } from '../route-groups.js';
import type { EvidenceTier } from '../tables.js';
import { accessPathValue, assignedTo, ofRest, underImport } from './access-path.js';
import { descriptorOf, heldFunction, membersByPart } from './calls.js';
import { type CompiledTargets, compiledTargets } from './compiler-targets.js';
import { isOwnMember, likelyDelegate, likelyMember, likelyOfSeveral } from './evidence.js';
import type { LinkedEdge } from './link-snapshot.js';
import { byNames, lookup, ofOutsideType } from './lookup.js';
import { memberOf } from './members.js';
import { putOnExport } from './modules.js';
import { fallbackOf, findJoined, findName, fixtureNamed, isOfTemplates, macroNamed } from './names.js';
import {
  constructorOf,
  constructorsMeant,
  definedAs,
  definitionOf,
  inheritedConstructor,
  overloadsMeant,
} from './overloads.js';
import { extensionByName } from './scopes.js';
import { isHeritage } from './symbol-index.js';
import type { Context } from './symbol-table.js';
import { heritageScope, MAX_PARENTS, mainPart, parentsOf } from './type-parts.js';
import { typeParameterOf } from './types.js';
import {
  type AbstractValue,
  EXPECTED_KINDS,
  FIXTURE,
  FUNCTIONS,
  keyOf,
  type NameResolution,
  PATH_ROOTS,
  RESOLVED_OUTSIDE,
  ROOTS,
  type Scope,
  type Several,
  type SymbolRef,
  TYPES,
  UNKNOWN_NAME,
  VALUES,
} from './values.js';

/** Reference of the facts as they state it, and as the edge shows it. */
interface Use {
  stated: Reference;
  /** Receiver that the name leaves out, as `cart.apply{=}` of `cart.apply{=}.items`; '' for none. */
  implied: string;
  reference: Reference;
}

export function referenceEdges(ctx: Context): LinkedEdge[] {
  const { symbols, facts, references } = ctx.symbols.snapshot.index(ctx.file);
  const compiled = compiledTargets(ctx);
  const literals = groupedLiterals({ symbols, relations: { ...facts.relations, references } });
  const edges: LinkedEdge[] = [];
  for (const stated of references) {
    if (stated.kind === 'request' || (stated.kind === 'route' && stated.name === NO_HANDLER)) {
      // Routes are known once all files are linked.
      edges.push(edgeOf(ctx, stated, null, 'external'));
      continue;
    }
    ctx.begin();
    const use = useOf(stated, literals?.get(stated));
    const compiledEdges = compiled === null ? null : edgesByCompiler(ctx, compiled, use);
    if (compiledEdges !== null) edges.push(...compiledEdges);
    else for (const found of meanings(ctx, use)) edges.push(...edgesTo(ctx, compiled, use, found));
  }
  for (const { reference, target } of compiled?.others() ?? []) edges.push(edgeOf(ctx, reference, target, 'compiler'));
  return edges;
}

/** Splits off the receiver that a bare name may leave out, and adds the path of the group that a route is in. */
function useOf(stated: Reference, groupedLiteral: string | undefined): Use {
  const { receiver } = stated;
  const end = receiver.indexOf('{=}');
  const bare = end === -1 ? stated : { ...stated, receiver: receiver.slice(end + 4) };
  const reference = groupedLiteral === undefined ? bare : { ...bare, literal: groupedLiteral };
  return { stated, implied: end === -1 ? '' : receiver.slice(0, end + 3), reference };
}

/** Edges of a use whose target a compiler knows; null for other uses. */
function edgesByCompiler(ctx: Context, compiled: CompiledTargets, { stated, reference }: Use): LinkedEdge[] | null {
  const target = compiled.of(stated);
  if (target) return [edgeOf(ctx, reference, target, 'compiler')];
  if (!compiled.isLocal(stated)) return null;
  return isMention(reference) ? [] : [edgeOf(ctx, reference, null, 'external')];
}

/** Edges of a use to one definition that it means, unless a compiler denies it or it is no use of a symbol. */
function edgesTo(ctx: Context, compiled: CompiledTargets | null, use: Use, found: NameResolution): LinkedEdge[] {
  const { stated, reference } = use;
  const target = targetOf(ctx, found);
  const verdict = compiled?.judge(stated, target);
  if (verdict === 'confirmed') return [edgeOf(ctx, reference, target, 'compiler')];
  if (verdict === 'denied' && !isMention(reference)) return [edgeOf(ctx, reference, null, 'external')];
  if (verdict !== undefined || isHeldValue(ctx, reference, found, target)) return [];
  if (isMention(reference) && !isWorthKeeping(ctx, stated, found, target)) return [];
  if (target !== null) return edgesToTarget(ctx, reference, found, target);
  if (isOutsideTemplate(reference, found)) return [];
  const tier = reference.kind === 'route' ? 'external' : danglingTier(ctx, reference, found);
  return [edgeOf(ctx, reference, null, tier)];
}

/** Edges to a definition: to those of its overloads that are meant, to what a constant holds, and to what it inherits. */
function edgesToTarget(ctx: Context, reference: Reference, found: NameResolution, target: SymbolRef): LinkedEdge[] {
  const held = heldFunction(ctx, reference, target);
  if (held !== null)
    return [
      edgeOf(ctx, { ...reference, kind: 'read' }, target, found.tier),
      edgeOf(ctx, reference, definitionOf(ctx, held), found.tier === 'same-file' ? 'receiver' : found.tier),
    ];
  const declared = found.value?.is === 'symbol' ? found.value : null;
  const overloads = overloadsMeant(ctx, reference, target, declared);
  if (overloads.length > 1 || overloads[0] !== target)
    return overloads.map((each) => edgeOf(ctx, reference, definedAs(ctx, each), found.tier));
  const meant = isHeritage(reference) ? mainPart(ctx, target) : target;
  const edge = edgeOf(ctx, reference, meant, isSelector(ctx, reference) ? 'likely' : found.tier);
  if (edge.kind === 'new') edge.literal ||= constructorsMeant(ctx, reference, target);
  const above = declaredAbove(ctx, target) ?? (reference.kind === 'new' ? inheritedConstructor(ctx, target) : null);
  const run = descriptorOf(ctx, reference, target);
  const further = [above && edgeOf(ctx, reference, above, 'inherited'), run && edgeOf(ctx, run.use, run, 'receiver')];
  return [edge, ...further.filter((one) => one !== null)];
}

/** Does a selector of labels choose what has them? The cluster has the last word. */
function isSelector(ctx: Context, { receiver }: Reference): boolean {
  return /^labels(?:\.|$)/.test(receiver) && ctx.symbols.semantics(ctx.file).family === 'data';
}

/** Does a template use what the repository does not define: an element of a library, or an attribute of the page's own? */
function isOutsideTemplate({ name, receiver }: Reference, { value }: NameResolution): boolean {
  if (name.startsWith('|#') || receiver.startsWith('|#')) return true;
  if (receiver === '') return isOfTemplates(name);
  const root = receiver.startsWith('new <') || receiver.startsWith('new |') ? /^new ([^()]*)/.exec(receiver)?.[1] : '';
  return root !== undefined && isOfTemplates(root) && (root !== '<>' || value?.is === 'external');
}

/** Resolves a name as a member of the receiver that it leaves out; null if that has no such member, or is unknown. */
function onImplied(ctx: Context, { stated: { kind, name, receiver, symbol, startLine }, implied }: Use) {
  const scope = { file: ctx.file, symbol, line: startLine, expected: ROOTS };
  const owner = accessPathValue(ctx, scope, implied);
  if (owner === null || owner.is === 'external') return null;
  const value = receiver === implied ? owner : accessPathValue(ctx, scope, receiver);
  const found = value === null ? null : lookup(ctx, ctx.file, value, name, EXPECTED_KINDS[kind]);
  return found?.value?.is === 'symbol' ? found : null;
}

const OPEN: ReadonlySet<EvidenceTier> = new Set(['unresolved', 'ambiguous']);

/** Definitions that a use means: one, unless its receiver can be of several types, as in `kind` of a union. */
function meanings(ctx: Context, use: Use): NameResolution[] {
  const onOwner = use.implied === '' ? null : onImplied(ctx, use);
  if (onOwner !== null) return [onOwner];
  const { reference } = use;
  const byPart = membersByPart(ctx, reference);
  if (byPart !== null) return byPart;
  const isCall = reference.kind === 'call';
  const byDefault = (): NameResolution[] => {
    const found = isCall ? called(ctx, reference) : extensionAsValue(ctx, reference, resolve(ctx, reference));
    const several = found.value === null && OPEN.has(found.tier) ? likelyOfSeveral(ctx, reference) : [];
    if (several.length > 0) return several;
    if (reference.receiver !== '') return [found];
    const fallback = fallbackOf(ctx, scopeOf(ctx, reference), reference.name, found);
    return fallback === null ? eachOf(found) : [...eachOf(found), fallback];
  };
  if ((!isMention(reference) && !isCall) || reference.receiver === '') return byDefault();
  const { receiver, kind } = reference;
  // A write counts for all parts that have the property, whatever a condition says of the value.
  const bareReceiver = kind === 'write' ? withoutNarrowing(receiver) : receiver;
  if (bareReceiver !== receiver) {
    const found = ofParts(ctx, reference, bareReceiver);
    if (found !== null && found !== 'some') return found;
  }
  const found = ofParts(ctx, reference, receiver);
  // Some parts have the property and others do not: a condition that the facts lack must have chosen one.
  return found === 'some' ? [AMBIGUOUS] : (found ?? byDefault());
}

/** The meanings of a name that conditions choose from, as `if fast: from a import load`, `else: from b import load`. */
function eachOf(found: NameResolution): NameResolution[] {
  const { value, tier } = found;
  return value?.is === 'several' && !value.together ? value.values.map((one) => ({ value: one, tier })) : [found];
}

/**
 * Definitions that a name means in the parts of a union, if all parts have it or only one. `some` if several parts have
 * it and others do not. Null if the receiver is no union, or no part has it.
 */
function ofParts(ctx: Context, reference: Reference, receiver: string): NameResolution[] | 'some' | null {
  const { name, symbol, startLine, kind } = reference;
  const scope = { file: ctx.file, symbol, line: startLine, expected: ROOTS };
  const value = accessPathValue(ctx, scope, receiver);
  if (value?.is !== 'several' || value.together) return null;
  const found = new Map<string, NameResolution>();
  let isInAll = true;
  for (const one of value.values) {
    const meaning = lookup(ctx, ctx.file, one, name, EXPECTED_KINDS[kind]);
    const target = meaning === null ? null : targetOf(ctx, meaning);
    if (meaning !== null && target !== null) found.set(`${target.file} ${target.symbol}`, meaning);
    else if (one.is !== 'list' && one.is !== 'shape') isInAll = false;
  }
  if (found.size === 0) return null;
  const isUnclear = found.size > 1 && (ctx.exhausted || !(isInAll || areVariants(ctx, receiver, value)));
  return isUnclear ? 'some' : [...found.values()];
}

/** Does a use mean the member of each part? A template is shared by components, and each build has one of several files. */
function areVariants(ctx: Context, receiver: string, { values }: Several): boolean {
  return (
    receiver.startsWith('new <>') ||
    ctx.symbols.semantics(ctx.file).alternatives ||
    values.every((one) => one.is === 'files')
  );
}

const AMBIGUOUS: NameResolution = { value: null, tier: 'ambiguous' };

function edgeOf(ctx: Context, reference: Reference, target: SymbolRef | null, tier: EvidenceTier): LinkedEdge {
  const { kind, name, receiver, literal, symbol, startLine, endLine } = reference;
  const made = kind === 'call' && target !== null && target.symbol >= 0 && isMade(ctx, target);
  return {
    from: symbol,
    toFile: target?.file ?? -1,
    toSymbol: target?.symbol ?? -1,
    kind: made ? 'new' : isMention(reference) && isRun(ctx, target) ? 'value' : kind,
    tier,
    startLine,
    endLine,
    name: name.startsWith('|#') ? name.slice(2) : name,
    receiver: target === null ? receiver : asWritten(receiver),
    literal,
  };
}

/** A receiver of a template in the words of its text: `this` for its component, `<app-cart>` for an element. */
function asWritten(receiver: string): string {
  return receiver.replace(/^new (<[^>]*>)\(\)/, (_, name: string) => (name === '<>' ? 'this' : name));
}

/** Does a call make an instance? In languages without `new`, only the kind of the definition shows it. */
function isMade(ctx: Context, { file, symbol }: SymbolRef): boolean {
  const { kind } = ctx.symbols.symbol(file, symbol);
  return kind === 'class' || kind === 'struct';
}

function danglingTier(ctx: Context, { kind, name }: Reference, { value, tier }: NameResolution): EvidenceTier {
  if (tier === 'ambiguous') return tier;
  if (value?.is !== 'external') return 'unresolved';
  return value.guessed && kind === 'call' && isOwnMember(ctx, name) ? 'unresolved' : 'external';
}

/** Target of an edge, null if there is none. */
function targetOf(ctx: Context, { value, tier }: NameResolution): SymbolRef | null {
  if (value === null || tier === 'ambiguous') return null;
  if (value.is === 'files') {
    const whole = lookup(ctx, ctx.file, value, '=', null)?.value;
    if (whole?.is === 'symbol') return definitionOf(ctx, whole);
    return value.files.length === 1 && value.files[0] !== ctx.file ? { file: value.files[0], symbol: -1 } : null;
  }
  return value.is === 'symbol' ? definitionOf(ctx, value) : null;
}

function called(ctx: Context, reference: Reference): NameResolution {
  const resolved = resolve(ctx, reference);
  if (isUncallable(ctx, resolved)) return RESOLVED_OUTSIDE;
  const found = applied(ctx, macroOr(ctx, reference, resolved));
  const isKnown = found.value !== null && found.value.is !== 'external';
  // A parameter or local of unknown value still hides outer definitions, so extensions are not tried.
  if (isKnown || (found.tier !== 'unresolved' && found.tier !== 'external')) return found;
  // A value that only seems to be outside can be of a type here that has such a method.
  const seems = found.value?.is === 'external' && found.value.guessed === true;
  const fromOutside = found.value !== null && !(seems && ctx.symbols.semantics(ctx.file).traitMethods);
  return extensionByName(ctx, reference, fromOutside) ?? found;
}

/** `String::trimmed` hands an extension of a type from outside on; the extension states that type. */
function extensionAsValue(ctx: Context, reference: Reference, found: NameResolution): NameResolution {
  const { kind, receiver } = reference;
  const isOutside = found.value === null || found.value.is === 'external';
  if (kind !== 'read' || !isOutside || !CONSTANTS.test(receiver)) return found;
  if (!ctx.symbols.semantics(ctx.file).importedExtensions) return found;
  const extension = extensionByName(ctx, reference, true);
  if (extension?.value?.is !== 'symbol') return found;
  const stated = ctx.symbols.instance(extension.value.file, extension.value.symbol)?.type ?? '';
  return /^[\w.]*/.exec(stated)?.[0] === receiver ? extension : found;
}

/** `Err(e)` does not mean an enumeration `Err`: names of types and of functions are apart there. */
function isUncallable(ctx: Context, { value }: NameResolution): boolean {
  if (value?.is !== 'symbol' || ctx.symbols.semantics(ctx.file).paths !== '::') return false;
  return ctx.symbols.symbol(value.file, value.symbol).kind === 'enum';
}

/** A macro of another file, unless something else with that name can be called. Modules often share it, and cannot. */
function macroOr(ctx: Context, { name, receiver }: Reference, found: NameResolution): NameResolution {
  const isOther = found.value === null || found.value.is === 'external' || found.value.is === 'files';
  if (receiver !== '' || !isOther || !ctx.symbols.semantics(ctx.file).globalMacros) return found;
  return macroNamed(ctx, name) ?? found;
}

/** Redirects a call of an object or instance, as in Scala and Kotlin, to its `apply` or `invoke` method. */
function applied(ctx: Context, found: NameResolution): NameResolution {
  const { value } = found;
  if (value === null || (value.is !== 'symbol' && value.is !== 'instance')) return found;
  const { kind } = ctx.symbols.symbol(value.file, value.symbol);
  if (value.is === 'symbol' && kind !== 'class' && kind !== 'object') return found;
  for (const name of ctx.symbols.semantics(value.file).appliers) {
    const method = memberOf(ctx, value, name, EXPECTED_KINDS.call);
    if (method?.value?.is !== 'symbol') continue;
    if (value.is === 'instance') return method;
    if (method.tier === 'receiver' && isOfObject(ctx, method.value)) return { value: method.value, tier: found.tier };
  }
  return found;
}

/** Is the method in an object? One in the class is for instances only. */
function isOfObject(ctx: Context, { file, symbol }: SymbolRef): boolean {
  const { container } = ctx.symbols.symbol(file, symbol);
  return container >= 0 && ctx.symbols.symbol(file, container).kind === 'object';
}

/** Names of types and modules, where no other names begin with a capital. */
const CONSTANT = /^\p{Lu}/u;
const CONSTANTS = /^\p{Lu}\w*(?:\.\p{Lu}\w*)*$/u;

/** `open(0)`: keys of an object that is an argument. */
const GIVEN = /\(\d+\)$/;

/** A way to resolve a name; null where it says nothing. */
type Way = (ctx: Context, scope: Scope, reference: Reference) => NameResolution | null;

/** Resolves a name behind a receiver, or a bare one, by the first way that says what it means. */
function resolve(ctx: Context, reference: Reference): NameResolution {
  const scope = scopeOf(ctx, reference);
  for (const way of reference.receiver === '' ? BARE_WAYS : WAYS) {
    const found = way(ctx, scope, reference);
    if (found !== null) return found;
  }
  return UNKNOWN_NAME;
}

/** A value of a test by its name. Any other such parameter is given by a plugin, or by a decorator. */
const ofFixture: Way = (ctx, _, { name, receiver }) =>
  receiver === FIXTURE ? (fixtureNamed(ctx, name) ?? RESOLVED_OUTSIDE) : null;

/** The receiver of a use, where it can be a path of modules; else null. */
function pathOf(ctx: Context, { receiver }: Reference): string | null {
  return ctx.symbols.semantics(ctx.file).paths === '::' && /^[\w.]+$/.test(receiver) ? receiver : null;
}

/** A member with a capital is behind a path: in `ast::Flags` no variable is meant. */
const behindPath: Way = (ctx, scope, reference) => {
  const path = CONSTANT.test(reference.name) ? pathOf(ctx, reference) : null;
  return path === null ? null : inPath(ctx, scope, path, reference.name);
};

/** The member itself is assigned: `req.open = open`. */
const byAssignment: Way = (ctx, scope, { kind, name, receiver }) => {
  if (kind === 'write') return null;
  const assigned = assignedTo(ctx, scope, receiver, name) ?? putOnExport(ctx, ctx.file, receiver, name);
  return assigned?.is === 'symbol' ? { value: assigned, tier: 'receiver' } : null;
};

const byReceiver: Way = (ctx, scope, reference) => {
  const { kind, name, receiver } = reference;
  const path = pathOf(ctx, reference);
  const given = accessPathValue(ctx, { ...scope, expected: ROOTS }, receiver);
  const value = kind === 'write' && GIVEN.test(receiver) ? ofRest(ctx, given) : given;
  if (value !== null) return ofValue(ctx, scope, reference, { value, path });
  return inModule(ctx, scope, path, name) ?? belowImport(ctx, reference) ?? byNameAlone(ctx, reference, null);
};

/** A type whose namespace is imported. `known`: that of a name which no file declares is taken for one from outside. */
function belowImport(ctx: Context, { receiver, name }: Reference, known: NameResolution | null = null) {
  if (known !== null && known.value?.is !== 'external') return null;
  return underImport(ctx, ctx.file, [...receiver.split('.'), name]);
}

/** The only member of that name which the receiver, whose type is unknown or has none, can mean. */
function byNameAlone(ctx: Context, reference: Reference, value: AbstractValue | null): NameResolution | null {
  const delegate = () => (value === null ? null : likelyDelegate(ctx, reference, value));
  return byNames(ctx, reference) ?? delegate() ?? likelyMember(ctx, reference);
}

/** A definition whose name has dots, or a part of what the receiver imports. */
const byWholeName: Way = (ctx, scope, reference) => {
  const { name, receiver } = reference;
  const { dottedNames } = ctx.symbols.semantics(ctx.file);
  const isOne = dottedNames === '.' || (dottedNames !== '' && CONSTANT.test(name) && CONSTANTS.test(receiver));
  if (!isOne) return null;
  const whole = findJoined(ctx, scope, [...receiver.split('.'), name]);
  return whole?.value?.is === 'symbol' ? whole : ofImportInside(ctx, scope, reference);
};

const WAYS: readonly Way[] = [ofFixture, byWholeName, behindPath, byAssignment, byReceiver];

/** A member of a value. `path`: the receiver, where it can be a path of modules. */
function ofValue(
  ctx: Context,
  scope: Scope,
  reference: Reference,
  { value, path }: { value: AbstractValue; path: string | null },
): NameResolution {
  const { name } = reference;
  const member =
    lookup(ctx, ctx.file, value, name, scope.expected) ?? (path === null ? null : inPath(ctx, scope, path, name));
  const found = belowImport(ctx, reference, member) ?? member ?? UNKNOWN_NAME;
  if (found.value === null) return byNameAlone(ctx, reference, value) ?? found;
  if (found.value.is !== 'external') return found;
  // `encoder::write()` beside a local `encoder` from outside.
  const isModule = path !== null && !path.includes('.') && !ctx.symbols.isLibraryName(name);
  const guessed = () => (isFromCall(ctx, reference, found.value) ? likelyMember(ctx, reference) : null);
  return inModule(ctx, scope, isModule ? path : null, name) ?? ofOutsideType(ctx, name) ?? guessed() ?? found;
}

/**
 * A part of what a definition imports, such as an output of a folder that a block of Terraform names as its module. A write gives a value
 * to one of its variables. Null if the receiver imports nothing.
 */
function ofImportInside(ctx: Context, scope: Scope, { kind, name, receiver }: Reference): NameResolution | null {
  const { importedParts } = ctx.symbols.semantics(ctx.file);
  if (importedParts === undefined) return null;
  const holder = findName(ctx, { ...scope, expected: ROOTS }, receiver)?.value ?? null;
  if (holder?.is !== 'symbol') return null;
  const { file, symbol } = holder;
  const part = `${kind === 'write' ? importedParts.write : importedParts.read}.${name}`;
  let found: NameResolution | null = null;
  for (const [at, item] of ctx.symbols.snapshot.index(file).imports.entries()) {
    if (item.symbol !== symbol) continue;
    const resolved = ctx.symbols.resolution(file, at);
    found ??= RESOLVED_OUTSIDE;
    for (const other of resolved.kind === 'files' ? resolved.files : []) {
      const [own] = ctx.symbols.symbolsNamed(other, part);
      if (own !== undefined) return { value: { is: 'symbol', file: other, symbol: own }, tier: 'imported' };
    }
  }
  return found;
}

/** Is the receiver what a call to outside gives? In Ruby names tell too little of such values: none of 21 was right in traces. */
function isFromCall(ctx: Context, { kind, receiver }: Reference, value: AbstractValue | null): boolean {
  if (value?.is !== 'external' || !value.guessed || kind !== 'call' || CONSTANTS.test(receiver)) return false;
  return !ctx.symbols.semantics(ctx.file).implicitThis;
}

/** Scope of a use. The names of a type's parents are resolved outside of the type. */
function scopeOf(ctx: Context, reference: Reference): Scope {
  const { kind, symbol, startLine } = reference;
  const from =
    isHeritage(reference) && symbol >= 0 ? heritageScope(ctx, { file: ctx.file, symbol }, reference) : symbol;
  return { file: ctx.file, symbol: from, line: startLine, expected: EXPECTED_KINDS[kind] };
}

/** The module around a symbol, -1 for the file: in `format::total()` no parameter `format` is meant. */
function moduleAround(ctx: Context, symbol: number): number {
  let at = symbol;
  while (at >= 0 && ctx.symbols.symbol(ctx.file, at).kind !== 'module') at = ctx.symbols.symbol(ctx.file, at).container;
  return at;
}

/** A name behind a path that begins in the module around a use. */
function inModule(ctx: Context, scope: Scope, path: string | null, name: string): NameResolution | null {
  return path === null ? null : inPath(ctx, { ...scope, symbol: moduleAround(ctx, scope.symbol) }, path, name);
}

/** A name behind a path whose first name can't be a variable; null if there is none. */
function inPath(ctx: Context, scope: Scope, path: string, name: string): NameResolution | null {
  const value = accessPathValue(ctx, { ...scope, expected: PATH_ROOTS }, path);
  const found = value === null || value.is === 'external' ? null : lookup(ctx, ctx.file, value, name, scope.expected);
  return found?.value?.is === 'symbol' ? found : null;
}

// A name without a receiver.

const ofTypeParameter: Way = (ctx, scope, { kind, name }) =>
  kind === 'type' && typeParameterOf(ctx, ctx.file, scope.symbol, name) !== null ? RESOLVED_OUTSIDE : null;

const ofConstructor: Way = (ctx, scope, { kind, name }) =>
  kind === 'call' && (name === 'super' || name === 'this') ? constructorOf(ctx, scope.symbol, name) : null;

const byOwnName: Way = (ctx, scope, reference) => {
  const found = findName(ctx, scope, reference.name) ?? withSuffix(ctx, scope, reference);
  return found !== null && isTypeAlone(ctx, reference, found) ? RESOLVED_OUTSIDE : found;
};

const byUndefinedName: Way = (ctx, _, reference) => {
  // The step budget ran out, so absence proves nothing.
  if (ctx.exhausted) return null;
  const { globalFunctions, implicitThis, openNames } = ctx.symbols.semantics(ctx.file);
  // In languages where every name must be defined or imported, any other name belongs to the language itself.
  if (!globalFunctions && !implicitThis && !openNames) return RESOLVED_OUTSIDE;
  // A hook names its method without calling it.
  const { kind } = reference;
  return kind === 'call' || (kind === 'read' && implicitThis) ? likelyMember(ctx, reference) : null;
};

const BARE_WAYS: readonly Way[] = [ofTypeParameter, ofConstructor, byOwnName, byUndefinedName];

/** Does a use need a value, and is the definition only a type? `new Response()` means no interface `Response`. */
function isTypeAlone(ctx: Context, { kind, symbol }: Reference, { value }: NameResolution): boolean {
  if (kind === 'type' || kind === 'implements' || value?.is !== 'symbol') return false;
  const target = ctx.symbols.symbol(value.file, value.symbol).kind;
  if ((target !== 'interface' && target !== 'type') || !ctx.symbols.semantics(ctx.file).typesAlone) return false;
  return kind !== 'extends' || (symbol >= 0 && ctx.symbols.symbol(ctx.file, symbol).kind === 'class');
}

/** Resolves a decorator whose name leaves out its end. */
function withSuffix(ctx: Context, scope: Scope, { kind, name }: Reference): NameResolution | null {
  const { decoratorSuffix } = ctx.symbols.semantics(ctx.file);
  if (kind !== 'decorator' || decoratorSuffix === '') return null;
  return findName(ctx, scope, `${name}${decoratorSuffix}`);
}

/**
 * Is a local used that holds a value of the repository, such as a constant? That is no use of the value: in `run()` after
 * `const { run } = options`, the property is used where it is taken. A function that a local holds is used, though.
 */
function isHeldValue(
  ctx: Context,
  { kind, receiver }: Reference,
  { tier }: NameResolution,
  target: SymbolRef | null,
): boolean {
  if ((kind !== 'call' && kind !== 'value') || receiver !== '' || tier !== 'receiver') return false;
  return target !== null && target.symbol >= 0 && VALUES.has(ctx.symbols.symbol(target.file, target.symbol).kind);
}

const isMention = ({ kind }: Reference): boolean => kind === 'read' || kind === 'write';

/**
 * May a read or write be a use of a symbol? Locals, whole modules, members that are no symbols and names from outside are
 * not. Those outnumber all other uses together, and no question can be about them.
 */
function isWorthKeeping(
  ctx: Context,
  { kind, receiver }: Reference,
  { value, tier }: NameResolution,
  target: SymbolRef | null,
): boolean {
  // A named argument writes a field only if the constructor is generated from the fields.
  if (receiver.startsWith('new ') && receiver[4] !== '<' && kind === 'write')
    return target !== null && isMadeOfFields(ctx, target);
  // A local that holds a symbol is not that symbol.
  if (receiver === '' && tier === 'receiver') return false;
  if (target !== null) return target.symbol >= 0 && !isOtherNamespace(ctx, receiver, target);
  return tier === 'ambiguous' || (value === null && tier === 'unresolved');
}

function isMadeOfFields(ctx: Context, { file, symbol }: SymbolRef): boolean {
  if (symbol < 0) return false;
  const { kind, container } = ctx.symbols.symbol(file, symbol);
  const made = ctx.symbols.symbolsNamed(file, '__init__');
  return (
    VALUES.has(kind) && container >= 0 && !made.some((one) => ctx.symbols.symbol(file, one).container === container)
  );
}

/** Is the name in another namespace than the function? `@total` is a variable of the instance, not the method `total`. */
function isOtherNamespace(ctx: Context, receiver: string, target: SymbolRef): boolean {
  return receiver === 'this' && ctx.symbols.semantics(ctx.file).namesTell && isRun(ctx, target);
}

/** May the mention of a target run it? A function is handed on to code that may call it; an accessor runs. */
function isRun(ctx: Context, target: SymbolRef | null): boolean {
  return target !== null && target.symbol >= 0 && FUNCTIONS.has(ctx.symbols.symbol(target.file, target.symbol).kind);
}

/**
 * The declaration in a parent type of an attribute that a type only assigns: `limit = 3` gives a value to `limit: int`.
 * Type checkers count a use of it for that declaration too. Null if no parent declares it, or the attribute has a type.
 */
function declaredAbove(ctx: Context, { file, symbol }: SymbolRef): SymbolRef | null {
  if (symbol < 0 || !ctx.symbols.semantics(file).assignedOverDeclared) return null;
  const { name, kind, container } = ctx.symbols.symbol(file, symbol);
  if (!VALUES.has(kind) || container < 0 || !TYPES.has(ctx.symbols.symbol(file, container).kind)) return null;
  if (hasType(ctx, { file, symbol: container }, name)) return null;
  const queue: SymbolRef[] = [...parentsOf(ctx, { file, symbol: container })];
  const seen = new Set<number>();
  for (let i = 0; i < queue.length && i < MAX_PARENTS; i++) {
    const parent = queue[i];
    const key = keyOf(parent.file, parent.symbol);
    if (seen.has(key)) continue;
    seen.add(key);
    const member = ctx.symbols.childNamed(parent.file, parent.symbol, name);
    const isValue = member >= 0 && VALUES.has(ctx.symbols.symbol(parent.file, member).kind);
    if (member >= 0 && (!isValue || hasType(ctx, parent, name))) return { file: parent.file, symbol: member };
    queue.push(...parentsOf(ctx, parent));
  }
  return null;
}

function hasType(ctx: Context, { file, symbol }: SymbolRef, name: string): boolean {
  return ctx.symbols.bindingsNamed(file, name).some(({ scope, type }) => scope === symbol && type !== '');
}
