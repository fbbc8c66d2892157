/** A name after a dot: members of instances and of types, what modules export, what namespaces hold. */

import type { Context } from './context.js';
import { exportedBy } from './exports.js';
import { FUNCTIONS, SPACES, TYPES, type Wanted } from './kinds.js';
import { fromParents, memberOf } from './members.js';
import { instanceOf } from './types.js';
import { FOUND_OUTSIDE, type Found, type Value } from './values.js';

/** Null if nothing of that name is known. `wanted`: null for a link of a chain, which can be anything. */
export function lookup(ctx: Context, file: number, value: Value, name: string, wanted: Wanted | null): Found | null {
  if (!ctx.enter()) return null;
  try {
    switch (value.is) {
      case 'external':
        return FOUND_OUTSIDE;
      case 'list':
      case 'function':
        return FOUND_OUTSIDE;
      case 'several':
        return inSeveral(ctx, file, value.values, name, wanted);
      case 'files':
        return inFiles(ctx, value.files, name, wanted);
      case 'parents':
        return fromParents(ctx, value, name, wanted);
      case 'instance':
        return memberOf(ctx, value, name, wanted, value.args);
      default:
        return ofSymbol(ctx, file, value, name, wanted);
    }
  } finally {
    ctx.leave();
  }
}

function inSeveral(
  ctx: Context,
  file: number,
  values: readonly Value[],
  name: string,
  wanted: Wanted | null,
): Found | null {
  for (const value of values) {
    const found = lookup(ctx, file, value, name, wanted);
    if (found !== null && found.value !== null) return found;
  }
  return null;
}

function inFiles(ctx: Context, files: readonly number[], name: string, wanted: Wanted | null): Found | null {
  for (const file of files) {
    const found = exportedBy(ctx, file, name, wanted);
    if (found !== null) return found;
  }
  return null;
}

function ofSymbol(
  ctx: Context,
  file: number,
  value: Value & { is: 'symbol' },
  name: string,
  wanted: Wanted | null,
): Found | null {
  const { kind } = ctx.world.symbol(value.file, value.symbol);
  if (TYPES.has(kind) || SPACES.has(kind)) {
    if (kind === 'type') {
      const meant = instanceOf(ctx, value);
      if (meant !== null && !(meant.is === 'instance' && meant.symbol === value.symbol && meant.file === value.file)) {
        return lookup(ctx, file, meant, name, wanted);
      }
    }
    return name === 'prototype' ? { value, tier: 'receiver' } : memberOf(ctx, value, name, wanted, value.args);
  }
  const own = name === 'prototype' ? { value, tier: 'receiver' as const } : memberOf(ctx, value, name, wanted);
  if (own !== null) return own;
  const held = FUNCTIONS.has(kind) ? ctx.ask.resultOf(ctx, value) : ctx.ask.settled(ctx, value);
  return held === null || held === value ? null : lookup(ctx, file, held, name, wanted);
}
