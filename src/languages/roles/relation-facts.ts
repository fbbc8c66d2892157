/**
 * Facts of a file about other code: imports, exports, calls, types and inheritance, as written. Nothing is resolved
 * here: whether `total` is this `total` or that one depends on other files, and is the link step's question.
 *
 * Access paths. Receivers and values are expressions cut down to what can be followed: names joined by `.`, whatever the
 * language writes between them (`->`, `::`, `?.`, `:`), a call as `()`, an index as `[]`, arguments and type arguments
 * left out: `this.connection.driver`, `new Cart().items[]`, `open()`. The current instance is `this` and its parent type
 * `super` in every language (`self`, `$this`, `@x` is `this.x`, `parent::`). An expression that cannot be cut down
 * like this is `?`: unknown. Nothing is followed through it.
 *
 * `{}` after a name is what a function gets that is given to the call: `items.map{}` is an element of `items`. `{=}` is
 * what the body of such a function can leave out: in `cart.apply { add(x) }`, `add` is used on `cart.apply{=}`. `{:}` holds
 * the named arguments of a call as members: `Cart(size = 1)` writes `Cart{:}.size`.
 */

/** How a file gets at another one, a closed list that only grows at its end. */
export const IMPORT_KINDS = [
  'import',
  'type',
  'dynamic',
  'require',
  'reexport',
  'type-reexport',
  /** The text or the scope of another file becomes part of this one: `#include "x.h"`, `source x.sh`, `require_relative`, `part`. */
  'include',
  /** `#include <x.h>`, `require 'x'` of Ruby: looked for on a search path first. */
  'include-system',
  /** A child module in a file of its own: `mod x;`. */
  'module',
  /** Not an import: what this file declares itself to be part of (package, namespace, module, library). */
  'declare',
] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

/**
 * `name` as the other file calls it, `alias` as this file does.
 * `*`: the other file (package, module) as a whole; with the alias '' all its names become usable as they are.
 * `default` and `=` (all that `module.exports =` and `export =` stand for) as in ECMAScript.
 */
export interface ImportedName {
  name: string;
  alias: string;
}

export interface Import {
  kind: ImportKind;
  /** As written, without quotes: `./cart`, `a.b`, `crate::cart`, `<x.h>` as `x.h`. */
  specifier: string;
  /** Empty where only the fact of the import counts. */
  names: ImportedName[];
  /** Index of the enclosing symbol, -1 at top level. */
  symbol: number;
  startLine: number;
  endLine: number;
}

/** An import before its lines and its enclosing symbol are known: offsets instead, in UTF-16 units. */
export interface StatedImport extends Pick<Import, 'kind' | 'specifier' | 'names'> {
  at: number;
  end: number;
}

/**
 * A name that other files may import, where it isn't simply an exported symbol of that name: `export { local as name }`,
 * `export default local`, `module.exports = local` (name `=`), `module.exports = { name: local }`. `local` is a symbol, a
 * binding or an import's alias of the same file; '' for an expression.
 */
export interface Export {
  name: string;
  local: string;
  line: number;
}

/** Ways to mention other code, a closed list that only grows at its end. */
export const REFERENCE_KINDS = [
  'call',
  /** A call that makes an instance: `new X()`, `X{}`, `X()` where the language tells. */
  'new',
  /** A type in an annotation, a cast, a type argument. */
  'type',
  /** `symbol` is the type that inherits. */
  'extends',
  /** `symbol` is the type that implements a trait, an interface, a protocol, or mixes in a module. */
  'implements',
  'decorator',
  /** A function or type that is passed on, not called: `use(handler)`, `[handler]`. */
  'value',
  /** Any other mention of a name: a property that is read, a constant, a class as a value. */
  'read',
  /** A property, a field or a variable that gets a value. */
  'write',
] as const;
export type ReferenceKind = (typeof REFERENCE_KINDS)[number];

export interface Reference {
  kind: ReferenceKind;
  /** The last name of the expression: `total` of `this.cart.total()`. */
  name: string;
  /** The access path before it, '' for none. */
  receiver: string;
  /** Number of arguments; -1 if there is no argument list, or if spreads hide the number. */
  args: number;
  /** The first argument, where it is a short string that may name a route, a command, a test; else ''. */
  literal: string;
  /** Index of the enclosing symbol (the inheriting type for `extends` and `implements`), -1 at top level. */
  symbol: number;
  startLine: number;
  endLine: number;
}

/** Name of a binding for a parent of a type, where it is written with arguments: `Base<Cart>`. */
export const PARENT = '^';

/**
 * Value or type of a name that is no symbol: parameters, locals, fields, and the result of functions.
 * Kept only where something in the file, or another file, can ask for it.
 */
export interface Binding {
  /** Parameter or local: the function's symbol (-1 at top level). Field: the type's symbol. Result: the function's symbol. */
  scope: number;
  /**
   * `()` for the result of the function `scope`, `(0)` for the declared type of its first parameter, `{}` and `{=}` for what it
   * gives to a function (see above), `{this}` for what `this` is in a method of a literal, `<T>` for the bound of a type parameter, `^` for a parent with arguments.
   */
  name: string;
  /** Declared type as written, white space collapsed (`Promise<Cart>`, `*Cart`, `[]Cart`); '' if none is written. */
  type: string;
  /** Chain of the first value, '' if there is none that can be followed. */
  value: string;
  line: number;
}

export interface Relations {
  /** Sorted by start line. */
  imports: Import[];
  /** Sorted by line. */
  exports: Export[];
  /** Sorted by start line, in document order within a line. */
  references: Reference[];
  /** Sorted by line. */
  bindings: Binding[];
}

export function noRelations(): Relations {
  return { imports: [], exports: [], references: [], bindings: [] };
}
