/** Parents of types, with the arguments that they are written with. */
import { PARENT } from '../../languages/roles/relation-facts.js';
import type { Context } from './context.js';
import { EXPECTED_KINDS } from './kinds.js';
import { partsOf, wholeOf } from './parts.js';
import { bind, named } from './type-arguments.js';
import { boundOf, instanceOf, instanceOfAlias, typeValue } from './types.js';
import { type AbstractValue, keyOf, type SymbolRef, type TypeArguments, type TypeRef } from './values.js';

/** Parents of a type: the types that it extends or implements. */
export function parentsOf(ctx: Context, type: SymbolRef): readonly TypeRef[] {
  const key = keyOf(type.file, type.symbol);
  const known = ctx.parents.get(key);
  if (known !== undefined) return known;
  const parents: TypeRef[] = [];
  // The entry ends the recursion for a type that inherits from itself.
  ctx.parents.set(key, parents);
  for (const part of partsOf(ctx, wholeOf(ctx, type))) {
    const { container } = ctx.symbols.symbol(part.file, part.symbol);
    for (const { receiver, name } of ctx.symbols.heritage(part.file, part.symbol)) {
      const path = receiver === '' ? [name] : [...receiver.split('.'), name];
      const value = instanceOf(
        ctx,
        ctx.ask.findPath(ctx, part.file, container, path, EXPECTED_KINDS.extends)?.value ?? null,
      );
      addParent(ctx, parents, value);
    }
    for (const { type: written, scope } of ctx.symbols.bindingsNamed(part.file, PARENT)) {
      if (scope === part.symbol) addParent(ctx, parents, typeValue(ctx, part.file, part.symbol, written));
    }
    // `impl<R: Rule> Named for R`
    const { name, kind } = ctx.symbols.symbol(part.file, part.symbol);
    const bound = kind === 'impl' ? boundOf(ctx, part.file, part.symbol, name) : null;
    for (const value of bound?.is === 'several' ? bound.values : [bound])
      if (value?.is === 'instance') parents.push({ file: value.file, symbol: value.symbol });
  }
  addMixedIn(ctx, parents, ctx.symbols.semantics(type.file).mixedIn);
  if (ctx.exhausted) ctx.parents.delete(key);
  return parents;
}

/** A module of that name inside of a parent gives its members, too. */
function addMixedIn(ctx: Context, parents: TypeRef[], name: string): void {
  if (name === '') return;
  for (const { file, symbol } of [...parents]) {
    const inner = ctx.symbols.childNamed(file, symbol, name);
    if (inner >= 0) parents.push({ file, symbol: inner });
  }
}

/** Adds the types that a value is an instance of. A parent with arguments takes the place of the same one without. */
function addParent(ctx: Context, parents: TypeRef[], value: AbstractValue | null): void {
  if (value?.is === 'several') for (const one of value.values) addParent(ctx, parents, one);
  // A type that leaves members of its parent out has members of those names itself.
  if (value?.is === 'part') addParent(ctx, parents, value.of);
  const parent = value?.is === 'instance' ? value : value === null ? null : instanceOfAlias(ctx, value);
  if (parent === null) return;
  const { file, symbol, args } = parent;
  const at = parents.findIndex((known) => known.file === file && known.symbol === symbol);
  if (at === -1) parents.push({ file, symbol, args });
  else if (args !== undefined) parents[at] = { file, symbol, args };
}

/** Parents of a type that has these arguments: those of `Cart<Item>` are of `Item`, too, where `Cart<T>` extends `List<T>`. */
export function parentsWith(ctx: Context, type: SymbolRef, args: TypeArguments | undefined): TypeRef[] {
  const parents = parentsOf(ctx, type);
  const own = parents.some((parent) => parent.args !== undefined) ? named(ctx, type, args) : undefined;
  if (own === undefined) return [...parents];
  return parents.map((parent) => {
    if (parent.args === undefined) return parent;
    return { ...parent, args: { ...parent.args, list: parent.args.list.map((type) => bind(type, own)) } };
  });
}
