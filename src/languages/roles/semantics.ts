/** Meaning of names in a language: all that linking knows of it. */
import type { SymbolKind } from './symbol-kinds.js';
import type { ReadType } from './type-expressions.js';

export interface Semantics {
  /** Languages of one family use each other's definitions. */
  family: string;
  /** Members can be used without a receiver inside of their type. */
  implicitThis: boolean;
  /** `marked`: other files see what is exported. `all`: everything at top level. */
  exports: 'marked' | 'all';
  /** Imported names can be imported from the importing file. */
  importsAreExports: boolean;
  /** An included file brings along the files that it includes. */
  transitive: boolean;
  /** Names at top level are known in all files that are linked, loaded or autoloaded together: functions, types. */
  globalFunctions: boolean;
  globalTypes: boolean;
  /** Interfaces and aliases are types alone: where a value is expected, another definition of their name is meant. */
  typesAlone: boolean;
  /** How the name of an export begins that all files know without an import; '' if there are none. */
  everywhere: string;
  /** Name of the module in a parent whose methods the including class gets as its own (`base.extend(ClassMethods)`); '' if there is none. */
  mixedIn: string;
  /** Names that are known without a definition, and the types of which each is an instance: a repository can add members to them. */
  objects: ReadonlyMap<string, string>;
  /** Definitions in namespaces and modules count as top level for other files. */
  openNamespaces: boolean;
  /** Parts of one type can stand in several files; of `types` only: a module is in one file, and others have modules of its name. */
  parts: 'none' | 'package' | 'anywhere' | 'types';
  /** Kinds of types that a second definition adds to. Namespaces and modules always are. */
  reopens: ReadonlySet<SymbolKind>;
  /** A module whose name is declared anywhere is what imports of that name mean: `declare module 'shop'`. */
  ambientModules: boolean;
  /** A namespace adds members to the class, enumeration or function of its name in the same file. */
  namespacesMerge: boolean;
  /** Types inside of a type are in scope in it. */
  nestedTypes: boolean;
  /** Code in the body of a type, not that of its methods, can use members above it by their bare names. */
  openBodies: boolean;
  /** A file is one component, which is its default export. */
  components: boolean;
  /**
   * Types that exist without an import. Any other unknown name can be a type parameter, of which nothing is known.
   * Absent where every unknown type comes from outside.
   */
  runtimeType?: (name: string) => boolean;
  /** Loads what reads written types, where the language has more of them than names, arguments, collections and functions. */
  types?: () => Promise<ReadType>;
  /** A local is known from the line after it on: `let cart = cart::open()`. */
  localsFollow: boolean;
  /** Members of an enum are known by their bare names wherever the enum is. */
  openEnums: boolean;
  /** Callbacks at top level declare names of their own, in addition to those of the file. */
  blocks: boolean;
  /** Names that nothing defines can begin a path of packages or modules, which this joins. */
  paths: string;
  /** Such a path means another thing only if a definition, a file or a package with one of its names comes or goes. */
  pathsByName: boolean;
  /** A package has its modules as members (`shop.cart` after `import shop`); `.name` means one of them inside of it. */
  submodules: boolean;
  /** Variables are called like the type of what they hold, by convention: `book` is a `Book`. What is read is no method. */
  namesTell: boolean;
  /** An attribute that a type assigns without a type is the one that a parent type declares. */
  assignedOverDeclared: boolean;
  /** The context can tell the type of a member: `.novel` is a case of whatever enumeration is wanted there. */
  implicitMembers: boolean;
  /** Definitions of one name in a package stand for each other: conditions of the build choose one. The first counts. */
  alternatives: boolean;
  /** Macros of other files need no import. */
  globalMacros: boolean;
  /** Modules have dots in their names: `Shop.Cart` is one symbol. */
  dottedNames: boolean;
  /** A variable that holds a table is the type of what is made of it. */
  tables: boolean;
  /** Headers declare what another file defines. */
  headers: boolean;
  /** Functions that are written outside of a type can be its members: extensions, methods with a receiver. */
  membersOutside: boolean;
  /** Functions that extend a type are used where they are imported, and in their own package. */
  importedExtensions: boolean;
  /** Functions that extend a type stand in another type, and are used where the namespace of that is imported. */
  extensionsInTypes: boolean;
  /** End that the name of a decorator can leave out: `Route` means `RouteAttribute`. */
  decoratorSuffix: string;
  /** Methods that calling an object by its name calls, or an instance. */
  appliers: readonly string[];
  /** Methods that iterate over an instance, and those that index it. */
  iterators: readonly string[];
  indexers: readonly string[];
  /** Decorators of methods that are read like fields. */
  getters: ReadonlySet<string>;
  /** Decorators of functions that yield once: `with` holds what they yield. */
  contextMakers: ReadonlySet<string>;
  /** Calls of these on a type make an instance, where the type says nothing else. */
  constructorNames: ReadonlySet<string>;
  /** Types that count as their first argument: the value that they hold is used directly. */
  wrappers: ReadonlySet<string>;
  /** Types whose values are of any of their arguments: `Union[Cart, Basket]`. */
  unions: ReadonlySet<string>;
  /** Types whose values are the type itself that is their argument: `Type[Cart]`. */
  typesOfTypes: ReadonlySet<string>;
  /** Types whose index or iteration gives their last argument. */
  collections: ReadonlySet<string>;
}

const NONE: ReadonlySet<never> = new Set();

const BASE: Omit<Semantics, 'family'> = {
  implicitThis: false,
  exports: 'all',
  importsAreExports: false,
  transitive: false,
  globalFunctions: false,
  globalTypes: false,
  typesAlone: false,
  everywhere: '',
  objects: new Map(),
  mixedIn: '',
  openNamespaces: false,
  parts: 'none',
  reopens: NONE,
  ambientModules: false,
  namespacesMerge: false,
  nestedTypes: true,
  openBodies: false,
  components: false,
  localsFollow: false,
  openEnums: false,
  blocks: false,
  paths: '',
  pathsByName: false,
  submodules: false,
  namesTell: false,
  assignedOverDeclared: false,
  implicitMembers: false,
  alternatives: false,
  globalMacros: false,
  dottedNames: false,
  tables: false,
  headers: false,
  membersOutside: true,
  importedExtensions: false,
  extensionsInTypes: false,
  decoratorSuffix: '',
  appliers: [],
  iterators: [],
  indexers: [],
  getters: NONE,
  contextMakers: NONE,
  constructorNames: NONE,
  wrappers: NONE,
  unions: NONE,
  typesOfTypes: NONE,
  collections: NONE,
};

/** Semantics with everything off that is not said. */
export function semantics(said: Pick<Semantics, 'family'> & Partial<Semantics>): Semantics {
  return { ...BASE, ...said };
}
