/** Makes edges between symbols from references. */
import type { Reference } from '../../languages/roles/relation-facts.js';
import type { EvidenceTier } from '../types.js';
import { accessPathValue, ofRest } from './access-path.js';
import { withoutTold } from './access-path-text.js';
import { compiledTargets } from './compiled.js';
import type { Context } from './context.js';
import { declaredAbove } from './declared.js';
import { macroNamed } from './definitions.js';
import type { LinkedEdge } from './edges.js';
import { enclosingType } from './enclosing.js';
import { extensionByName } from './extensions.js';
import { isHeritage } from './file-index.js';
import { groupedLiterals } from './groups.js';
import { definitionOf, otherOverload } from './headers.js';
import { EXPECTED_KINDS, type ExpectedKinds } from './kinds.js';
import { byNames, ofOutsideType } from './likely.js';
import { lookup } from './lookup.js';
import { memberOf } from './members.js';
import { isHeldConstant, isLocalValue, isMention, isRun, isWorthKeeping } from './mentions.js';
import { findName } from './names.js';
import { parentsOf } from './parents.js';
import { typeParameterOf } from './types.js';
import { type NameResolution, RESOLVED_OUTSIDE, type SymbolRef, UNKNOWN_NAME } from './values.js';

export function referenceEdges(ctx: Context): LinkedEdge[] {
  const { references } = ctx.symbols.snapshot.index(ctx.file).facts.relations;
  const edges: LinkedEdge[] = [];
  const compiled = compiledTargets(ctx);
  const grouped = groupedLiterals(ctx.symbols.snapshot.index(ctx.file).facts);
  for (const stated of references) {
    ctx.begin();
    const [implied, bare] = withoutImplied(stated);
    const literal = grouped?.get(stated);
    const reference = literal === undefined ? bare : { ...bare, literal };
    const told = compiled?.of(stated);
    if (told || compiled?.isLocal(stated)) {
      if (told) edges.push(edgeOf(ctx, reference, told, 'compiler'));
      else if (!isMention(reference)) edges.push(edgeOf(ctx, reference, null, 'external'));
      continue;
    }
    const onOwner = implied === '' ? null : onImplied(ctx, stated, implied);
    for (const found of onOwner === null ? meanings(ctx, reference) : [onOwner]) {
      const target = targetOf(ctx, found);
      const verdict = compiled?.judge(stated, target);
      if (verdict === 'confirmed') edges.push(edgeOf(ctx, reference, target, 'compiler'));
      else if (verdict === 'denied' && !isMention(reference)) edges.push(edgeOf(ctx, reference, null, 'external'));
      if (verdict !== undefined || (isMention(reference) && !isWorthKeeping(ctx, stated, found, target))) continue;
      if (reference.kind === 'value' && isHeldConstant(ctx, reference, found, target)) continue;
      if (isLocalValue(ctx, reference, found, target)) continue;
      const other = target === null || found.value?.is !== 'symbol' ? null : otherOverload(ctx, found.value, target);
      const tier = target === null ? danglingTier(found) : other === null ? found.tier : 'unique';
      edges.push(edgeOf(ctx, reference, other ?? target, tier));
      const above = target === null ? null : declaredAbove(ctx, target);
      if (above !== null) edges.push(edgeOf(ctx, reference, above, 'inherited'));
    }
  }
  for (const { reference, target } of compiled?.others() ?? []) edges.push(edgeOf(ctx, reference, target, 'compiler'));
  return edges;
}

/** Splits off the receiver that a bare name may leave out: `cart.apply{=}` of `cart.apply{=}.items`. */
function withoutImplied(reference: Reference): [implied: string, reference: Reference] {
  const end = reference.receiver.indexOf('{=}');
  if (end === -1) return ['', reference];
  const { receiver } = reference;
  return [receiver.slice(0, end + 3), { ...reference, receiver: receiver.slice(end + 4) }];
}

/** Resolves a name as a member of the receiver that it leaves out; null if that has no such member, or is unknown. */
function onImplied(ctx: Context, { kind, name, receiver, symbol, startLine }: Reference, implied: string) {
  const owner = accessPathValue(ctx, ctx.file, symbol, implied, startLine);
  if (owner === null || owner.is === 'external') return null;
  const value = receiver === implied ? owner : accessPathValue(ctx, ctx.file, symbol, receiver, startLine);
  const found = value === null ? null : lookup(ctx, ctx.file, value, name, EXPECTED_KINDS[kind]);
  return found?.value?.is === 'symbol' ? found : null;
}

/** Definitions that a use means: one, unless its receiver can be of several types, as in `kind` of a union. */
function meanings(ctx: Context, reference: Reference): NameResolution[] {
  const isCall = reference.kind === 'call';
  const usual = (): NameResolution[] => [isCall ? called(ctx, reference) : resolve(ctx, reference)];
  if ((!isMention(reference) && !isCall) || reference.receiver === '') return usual();
  const { receiver, kind } = reference;
  // A property that all parts have is one property, whatever another one tells of the value.
  const told = kind === 'write' ? withoutTold(receiver) : receiver;
  if (told !== receiver) {
    const found = ofParts(ctx, reference, told);
    if (found !== null && found !== 'some') return found;
  }
  const found = ofParts(ctx, reference, receiver);
  // Another property told which of the types it is.
  return found === 'some' ? [AMBIGUOUS] : (found ?? usual());
}

/**
 * Definitions that a name means in the parts of a union: where all parts have it, or one. `some` if several do and others do not; null
 * where the receiver is no union, or no part has it.
 */
function ofParts(ctx: Context, reference: Reference, receiver: string): NameResolution[] | 'some' | null {
  const { name, symbol, startLine, kind } = reference;
  const value = accessPathValue(ctx, ctx.file, symbol, receiver, startLine);
  if (value?.is !== 'several' || value.together) return null;
  const found = new Map<string, NameResolution>();
  let isInAll = true;
  for (const one of value.values) {
    const meaning = lookup(ctx, ctx.file, one, name, EXPECTED_KINDS[kind]);
    const target = meaning === null ? null : targetOf(ctx, meaning);
    if (meaning !== null && target !== null) found.set(`${target.file} ${target.symbol}`, meaning);
    else if (one.is !== 'list' && one.is !== 'shape') isInAll = false;
  }
  if (found.size > 1 && (!isInAll || ctx.exhausted)) return 'some';
  return found.size === 0 ? null : [...found.values()];
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
    name,
    receiver,
    literal,
  };
}

/** Does a call make an instance? In languages without `new`, only the kind of the definition tells. */
function isMade(ctx: Context, { file, symbol }: SymbolRef): boolean {
  const { kind } = ctx.symbols.symbol(file, symbol);
  return kind === 'class' || kind === 'struct';
}

function danglingTier({ value, tier }: NameResolution): EvidenceTier {
  return tier === 'ambiguous' ? tier : value?.is === 'external' ? 'external' : 'unresolved';
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
  const found = applied(ctx, macroOr(ctx, reference, resolve(ctx, reference)));
  const isKnown = found.value !== null && found.value.is !== 'external';
  // A parameter or local of unknown value still hides outer definitions, so extensions are not tried.
  if (isKnown || (found.tier !== 'unresolved' && found.tier !== 'external')) return found;
  return extensionByName(ctx, reference, found.value !== null) ?? found;
}

/** A macro of another file, where nothing else that can be called has the name: modules often have it too. */
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

/** `open(0)`: keys of an object that is an argument. */
const GIVEN = /\(\d+\)$/;

function resolve(ctx: Context, reference: Reference): NameResolution {
  const { kind, name, receiver, symbol, startLine } = reference;
  const expected = EXPECTED_KINDS[kind];
  // The names of a type's parents are resolved outside of the type.
  const scope = isHeritage(reference) && symbol >= 0 ? ctx.symbols.symbol(ctx.file, symbol).container : symbol;
  if (receiver === '') {
    if (kind === 'type' && typeParameterOf(ctx, ctx.file, scope, name) !== null) return RESOLVED_OUTSIDE;
    if (kind === 'call' && (name === 'super' || name === 'this')) return constructorOf(ctx, scope, name);
    const found =
      findName(ctx, ctx.file, scope, name, expected, startLine) ?? withSuffix(ctx, scope, reference, expected);
    if (found !== null) return isTypeAlone(ctx, reference, found) ? RESOLVED_OUTSIDE : found;
    // The step budget ran out, so absence proves nothing.
    if (ctx.exhausted) return UNKNOWN_NAME;
    const { globalFunctions, implicitThis } = ctx.symbols.semantics(ctx.file);
    // In languages where every name must be defined or imported, any other name belongs to the language itself.
    return globalFunctions || implicitThis ? UNKNOWN_NAME : { value: { is: 'external' }, tier: 'external' };
  }
  if (ctx.symbols.semantics(ctx.file).dottedNames) {
    const whole = findName(ctx, ctx.file, scope, `${receiver}.${name}`, expected, startLine);
    if (whole?.value?.is === 'symbol') return whole;
  }
  const given = accessPathValue(ctx, ctx.file, scope, receiver, startLine);
  const value = kind === 'write' && GIVEN.test(receiver) ? ofRest(ctx, given) : given;
  if (value === null) return byNames(ctx, reference) ?? UNKNOWN_NAME;
  const found = lookup(ctx, ctx.file, value, name, expected) ?? UNKNOWN_NAME;
  if (found.value === null) return byNames(ctx, reference) ?? found;
  return (found.value.is === 'external' && ofOutsideType(ctx, name)) || found;
}

/** A use that only a value can have, of a type that is none: `new Response()` beside an interface of that name. */
function isTypeAlone(ctx: Context, { kind, symbol }: Reference, { value }: NameResolution): boolean {
  if (kind === 'type' || kind === 'implements' || value?.is !== 'symbol') return false;
  const target = ctx.symbols.symbol(value.file, value.symbol).kind;
  if ((target !== 'interface' && target !== 'type') || !ctx.symbols.semantics(ctx.file).typesAlone) return false;
  return kind !== 'extends' || (symbol >= 0 && ctx.symbols.symbol(ctx.file, symbol).kind === 'class');
}

/** Resolves a decorator whose name leaves out its end. */
function withSuffix(ctx: Context, scope: number, { kind, name, startLine }: Reference, expected: ExpectedKinds) {
  const { decoratorSuffix } = ctx.symbols.semantics(ctx.file);
  if (kind !== 'decorator' || decoratorSuffix === '') return null;
  return findName(ctx, ctx.file, scope, `${name}${decoratorSuffix}`, expected, startLine);
}

/** Resolves `super(…)` and `this(…)` to a constructor of the parent type or of the type itself, or to the type where none is written. */
function constructorOf(ctx: Context, scope: number, name: string): NameResolution {
  const type = enclosingType(ctx, ctx.file, scope);
  if (type === null) return UNKNOWN_NAME;
  const owner = name === 'this' ? type : parentsOf(ctx, type)[0];
  if (owner === undefined) return UNKNOWN_NAME;
  const target = { file: owner.file, symbol: writtenConstructor(ctx, owner) };
  return { value: { is: 'symbol', ...target }, tier: name === 'this' ? 'receiver' : 'inherited' };
}

/** Constructor that has the name of its type; the type itself without one. */
function writtenConstructor(ctx: Context, { file, symbol }: SymbolRef): number {
  const same = ctx.symbols.symbolsNamed(file, ctx.symbols.symbol(file, symbol).name);
  const found = same.find((other) => {
    const { kind, container } = ctx.symbols.symbol(file, other);
    return kind === 'constructor' && container === symbol;
  });
  return found ?? symbol;
}
