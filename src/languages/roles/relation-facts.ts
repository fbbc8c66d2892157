/**
 * Facts of a file about other code: imports, exports, calls, types and inheritance, as written. Nothing is resolved here: which `total` a
 * name means depends on other files, and is found by the linker.
 *
 * Receivers and values are access paths: expressions cut down to names that can be followed, such as `new Cart().items[]`. docs/format.md
 * specifies them with an example of each mark, which `access-path.ts` reads.
 */

/** Ways of a file to reach another one, a closed list that only grows at its end. */
export const IMPORT_KINDS = [
  'import',
  'type',
  'dynamic',
  'require',
  'reexport',
  'type-reexport',
  /** The text or the scope of another file becomes part of this one: `#include "x.h"`, `source x.sh`, `require_relative`, `part`. */
  'include',
  /** `#include <x.h>`, `require 'x'` of Ruby: found on a search path first. */
  'include-system',
  /** A child module in a file of its own: `mod x;`. */
  'module',
  /** Not an import: the package, namespace, module or library that this file declares to be part of. */
  'declare',
] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

/**
 * Words that rules of several languages put into names, whatever the text has: `base` of C# is `super`, `self` of Python `this`, a file
 * that is loaded on the spot `import#249`, and a route for any method `ANY /cart`. A language states its own in `madeWords`.
 */
export const MADE_WORDS: ReadonlySet<string> = new Set(['all', 'ANY', 'default', 'import', 'NAME', 'super', 'this']);

/** Name by which code means what a container holds under a key. */
export const keyName = (key: string): string => `|app_${key.replace(/\W/g, '_')}`;

/**
 * `name` in the other file, `alias` in this one.
 * `*`: the other file (package, module) as a whole; with the alias '' all its names can be used as they are.
 * `default` and `=` as in ECMAScript; `=` is the whole of `module.exports =` and `export =`.
 */
export interface ImportedName {
  name: string;
  alias: string;
}

export interface Import {
  kind: ImportKind;
  /** As written, without quotes: `./cart`, `a.b`, `crate::cart`, `<x.h>` as `x.h`. */
  specifier: string;
  /** Empty if only the fact of the import counts. */
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
 * A name that other files may import, unless it is simply an exported symbol of that name: `export { local as name }`, `export default
 * local`, `module.exports = local` (name `=`), `module.exports = { name: local }`. `local` is a symbol, a binding or an import's alias of
 * the same file; '' for an expression.
 */
export interface Export {
  name: string;
  local: string;
  line: number;
}

/** Ways to mention other code, a closed list that only grows at its end. */
export const REFERENCE_KINDS = [
  'call',
  /** A call that makes an instance: `new X()`, `X{}`; `X()` if the language shows it. */
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
  /**
   * A handler that a table of routes names; `literal` is its method and path (`GET /carts/:id`). The name is `*` for a handler without
   * a name.
   */
  'route',
  /**
   * A call that sends a request, beside the `call` of the client. `literal` is its method and path (see `roles/requests.ts`).
   */
  'request',
] as const;
/** Name of a route's handler that has none. */
export const NO_HANDLER = '*';

export type ReferenceKind = (typeof REFERENCE_KINDS)[number];

export interface Reference {
  kind: ReferenceKind;
  /** The last name of the expression: `total` of `this.cart.total()`. */
  name: string;
  /** The access path before it, '' for none. */
  receiver: string;
  /** Number of arguments; -1 if there is no argument list, or if spreads hide the number. */
  args: number;
  /** The first argument if it is a short string that may name a route, a command, a test; else ''. */
  literal: string;
  /**
   * Types of the arguments as far as the text tells, separated by commas: `"` for a string, `0` for an integer, `->` for a function,
   * `null`, `Cart`, `.Cart.OPEN` for the value of an access path; '' where nothing is told, or the language has no overloads. Absent if no argument tells its type.
   */
  types?: string;
  /** Index of the enclosing symbol (the inheriting type for `extends` and `implements`), -1 at top level. */
  symbol: number;
  startLine: number;
  endLine: number;
}

/** Name of a binding for a parent of a type that is written with arguments: `Base<Cart>`. */
export const PARENT = '^';

/** Name of an export that stands for all members of its value: `module.exports = { ...cart }`. */
export const ALL_OF = '...';

/** Beginning of the name of a field of what a function makes: `this.till` of `function Cart() { this.till = … }`. */
export const MADE = 'this';

/** Name of a binding for the types of all parameters of an overload. */
export const SIGNATURE = '(,)';

/** Literal of a `new` that gives values to the fields of the type by their places. */
export const FIELDS_IN_ORDER = '{,}';

/**
 * Value or type of a name that is no symbol: parameters, locals, fields, and results of functions. Recorded only if something in the file,
 * or another file, can look it up.
 */
export interface Binding {
  /** Parameter or local: the function's symbol (-1 at top level). Field: the type's symbol. Result: the function's symbol. */
  scope: number;
  /**
   * `()` for the result of the function `scope`, `(0)` for the declared type of its first parameter, `(,)` for those of all parameters of
   * an overload, separated by commas, `=` behind one that can be left out and `...` behind one that takes many, `{}` and `{=}` for the
   * parameter and the receiver of a function that it is given, `{this}` for `this` in a method of a literal, `<T>` for the bound of a type
   * parameter, `^` for a parent with arguments.
   */
  name: string;
  /** Declared type as written, white space collapsed (`Promise<Cart>`, `*Cart`, `[]Cart`); '' for none. */
  type: string;
  /** Access path of the first value, '' if none can be followed. */
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
