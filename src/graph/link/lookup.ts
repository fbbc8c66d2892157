/** Resolves a name after a dot: members of instances and types, exports of modules, and symbols in namespaces. */

import type { Context } from './context.js';
import { exportedBy } from './exports.js';
import { type ExpectedKinds, FUNCTIONS, SPACES, TYPES } from './kinds.js';
import { fromParents, memberOf, ownValue } from './members.js';
import { bind } from './type-arguments.js';
import { boundValue, instanceOf, instanceOfAlias } from './types.js';
import { type AbstractValue, type NameResolution, RESOLVED_OUTSIDE } from './values.js';

/**
 * Looks up a member of a value; null if none is known. `expected` is null inside an access path, where any kind is
 * possible.
 */
export function lookup(
  ctx: Context,
  file: number,
  value: AbstractValue,
  name: string,
  expected: ExpectedKinds | null,
): NameResolution | null {
  if (!ctx.enter()) return null;
  try {
    switch (value.is) {
      case 'external':
        return RESOLVED_OUTSIDE;
      case 'list':
      case 'tuple':
      case 'parameters':
      case 'function':
        return RESOLVED_OUTSIDE;
      case 'shape':
        return inShape(ctx, value, name);
      case 'mapped':
        return inMapped(ctx, file, value, name, expected);
      case 'part':
        return value.names.has(name) === value.only ? lookup(ctx, file, value.of, name, expected) : null;
      case 'several':
        return inSeveral(ctx, file, value.values, name, expected);
      case 'files':
        return inFiles(ctx, value.files, name, expected);
      case 'parents':
        return fromParents(ctx, value, name, expected);
      case 'instance':
        return value.own ? ownValue(ctx, value, name) : memberOf(ctx, value, name, expected, value.args);
      default:
        return ofSymbol(ctx, file, value, name, expected);
    }
  } finally {
    ctx.leave();
  }
}

function inSeveral(
  ctx: Context,
  file: number,
  values: readonly AbstractValue[],
  name: string,
  expected: ExpectedKinds | null,
): NameResolution | null {
  let outside: NameResolution | null = null;
  let indexed: NameResolution | null = null;
  for (const value of values) {
    const found = lookup(ctx, file, value, name, expected);
    if (found === null || found.value === null) continue;
    // Any name is an index: a member of that name tells more.
    if (value.is === 'shape' && value.index !== undefined && found.value.is !== 'symbol') indexed ??= found;
    else if (found.value.is !== 'external') return found;
    // A record has any member, which tells nothing of the others.
    else if (value.is !== 'list') outside ??= found;
  }
  return indexed ?? outside;
}

/** Member of an object type: a symbol where the type stands in an alias. */
function inShape(ctx: Context, value: AbstractValue & { is: 'shape' }, name: string): NameResolution | null {
  const { file, scope, members, index } = value;
  const isInAlias = instanceOfAlias(ctx, value) !== null;
  // The facts leave the members of long types out.
  if (members.length === 0 && index === undefined && isInAlias)
    return memberOf(ctx, { file, symbol: scope }, name, null);
  const type = members.find(([member]) => member === name)?.[1] ?? index;
  if (type === undefined) return null;
  const symbol = isInAlias ? ctx.symbols.childNamed(file, scope, name) : -1;
  if (symbol >= 0) return { value: { is: 'symbol', file, symbol, held: { file, scope, type } }, tier: 'receiver' };
  return { value: boundValue(ctx, file, scope, type), tier: 'receiver' };
}

/** Member of a mapped type: it is a member of the type that is mapped, with a value of its own. */
function inMapped(
  ctx: Context,
  file: number,
  value: AbstractValue & { is: 'mapped' },
  name: string,
  expected: ExpectedKinds | null,
): NameResolution | null {
  const found = lookup(ctx, file, value.of, name, expected);
  if (found === null || found.value?.is !== 'symbol') return found;
  const { key, value: type, file: from, scope } = value;
  const isSame = type.is === 'member' && type.index.is === 'named' && type.index.head === key;
  if (isSame) return found;
  const args = { file: from, scope, list: [{ is: 'literal' as const, text: name }], names: [key] };
  const held = { file: from, scope, type: bind(type, args) };
  if (value.hasOwnMembers) return { value: boundValue(ctx, from, scope, held.type), tier: found.tier };
  return { ...found, value: { ...found.value, held } };
}

function inFiles(
  ctx: Context,
  files: readonly number[],
  name: string,
  expected: ExpectedKinds | null,
): NameResolution | null {
  for (const file of files) {
    const found = exportedBy(ctx, file, name, expected);
    if (found !== null) return found;
  }
  for (const file of files) {
    const modules = ctx.symbols.submodule(file, name);
    if (modules.length > 0) return { value: { is: 'files', files: modules }, tier: 'imported' };
  }
  return null;
}

function ofSymbol(
  ctx: Context,
  file: number,
  value: AbstractValue & { is: 'symbol' },
  name: string,
  expected: ExpectedKinds | null,
): NameResolution | null {
  const { kind } = ctx.symbols.symbol(value.file, value.symbol);
  if (TYPES.has(kind) || SPACES.has(kind)) {
    if (kind === 'type') {
      const meant = instanceOf(ctx, value);
      if (meant !== null && !(meant.is === 'instance' && meant.symbol === value.symbol && meant.file === value.file)) {
        return lookup(ctx, file, meant, name, expected);
      }
    }
    return name === 'prototype' ? { value, tier: 'receiver' } : memberOf(ctx, value, name, expected, value.args);
  }
  const own = name === 'prototype' ? { value, tier: 'receiver' as const } : memberOf(ctx, value, name, expected);
  if (own !== null) return own;
  const held = FUNCTIONS.has(kind) ? ctx.ask.resultOf(ctx, value) : ctx.ask.settled(ctx, value);
  return held === null || held === value ? null : lookup(ctx, file, held, name, expected);
}
