/**
 * The declaration of a language: everything that the rest of the program may know about it. It stands in the `index.ts` of its folder and
 * is data. It is always loaded, so it must stay light: `rules`, `imports`, `packages` and `programs` load what parsing and linking need
 * when a file of the language turns up.
 */
import type { LanguageId } from './ids.js';
import type { DefinitionRules, DocumentReader, PlainChunkKind, SectionRules, SymbolKind } from './roles/definitions.js';
import type { ImportRules, Project } from './roles/project.js';
import type {
  BraceRules,
  FormatFacts,
  InlineScripts,
  RelationRules,
  SyntaxNode,
  TemplateRules,
} from './roles/relations.js';
import type { ReadType } from './roles/type-expressions.js';

export interface Language {
  id: LanguageId;
  /** Kind of chunks that no symbol claims. */
  plain: PlainChunkKind;
  /** Extensions without the dot, lower case. */
  extensions: readonly string[];
  /** Whole file names, lower case. */
  names?: readonly string[];
  /** Whole file names with a variable part, lower case: `Dockerfile.dev`, `.env.local`. */
  namePattern?: RegExp;
  /** Programs in a `#!` line, without version numbers. */
  interpreters?: readonly string[];
  /** Matches the first bytes of its files, for files whose name and interpreter do not tell. */
  contentStart?: RegExp;
  /** Matches the first bytes of files that have its extension and are of another kind: they are read as text. */
  foreign?: RegExp;
  /** Extensions that other languages of its family have, too: the content decides. */
  sharedExtensions?: readonly string[];
  /** Language of a text of its family, null for other texts. Comes last, after name and first bytes. */
  contentLanguage?: (text: string) => LanguageId | null;

  /** The grammar that parses it. Without one a file is cut by its braces, read as markup with scripts, or cut by lines. */
  grammar?: Grammar;
  /** Without a grammar, its files are read by their words and brackets: `DefinitionRules.tokens`. */
  tokens?: boolean;
  /** Languages of the scripts in its files: their rules are loaded with its own. */
  scripts?: readonly LanguageId[];
  /**
   * Are imports and uses collected from its files? Of other files a graph only knows that they exist. `formats`: from those alone that are
   * of a format with definitions of its own.
   */
  relations?: boolean | 'formats';
  /** Files of formats by their paths, whose keys are used by others of that format. */
  keyPaths?: RegExp;
  /** Loads what parsing its files needs. Absent for languages that are only cut by lines. */
  rules?: () => Promise<ParsingRules>;

  /** Names of files that decide what imports mean: they are read before a snapshot is linked. */
  manifests?: readonly string[];
  /** Paths of further manifests, whose names vary: `tsconfig.base.json`. */
  manifestPattern?: RegExp;
  /** Loads how its imports are resolved. Languages of one family share one resolver. */
  imports?: () => Promise<ImportRules>;
  /** Meaning of names when its files are linked. Absent: names are linked within each file. */
  semantics?: Semantics;
  /** Loads the reader of documents: what they mention is linked with code. */
  document?: () => Promise<DocumentReader>;
  /** Conventions of its programmers, test runners and runtimes. */
  conventions?: Conventions;
  /**
   * Manifests (names of files) of the packages that repositories publish and depend on, and their reader. Languages of one ecosystem have
   * the same rules.
   */
  packages?: { ecosystem: string; manifests: readonly string[]; load: () => Promise<PackageRules> };
  /** Manifests that name programs, and how to read them. */
  programs?: { manifests: readonly string[]; load: () => Promise<ProgramsReader> };
}

export interface Grammar {
  /** Name of the grammar's module, and in ast-grep. */
  name: string;
  /** Letter that replaces the `$` of variables in a pattern of structural search. Default: the first of a few with which it can be read. */
  expando?: string;
  /** Text before and behind a pattern, tried in this order, if an expression alone would be read as something else. Default: the pattern alone. */
  around?: readonly (readonly [before: string, behind: string])[];
}

/** Rules for parsing one language; it has one of `definitions`, `template`, `braces` and `sections`. */
export interface ParsingRules {
  definitions?: DefinitionRules;
  relations?: RelationRules;
  /** Definitions that a file has by its form, in place of those of `definitions` at their places; null for a file of no known form. */
  formats?: (root: SyntaxNode, text: string) => FormatFacts | null;
  /** How files are read that its own grammar finds mistakes in. */
  dialect?: Dialect;
  template?: TemplateRules;
  /** Scripts in files that `definitions` reads. */
  inline?: InlineScripts;
  braces?: BraceRules;
  sections?: SectionRules;
}

/** Another language whose rules can read a file: they do if its grammar finds fewer mistakes. */
export interface Dialect {
  language: LanguageId;
  /** Matches files that say that they are written so: they are read so first. */
  stated: RegExp;
  /** The text, of the same length, as the other language writes it. */
  parsed: (text: string) => string;
}

/** Splits a text into words: for lists that are too long for quotes around each item. */
export function words(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

export function wordSet(text: string): ReadonlySet<string> {
  return new Set(words(text));
}

// Semantics: the meaning of names, which is all that linking knows of a language

export interface Semantics {
  /** Languages of one family use each other's definitions. */
  family: string;
  /** Members can be used without a receiver inside of their type. */
  implicitThis: boolean;
  /** A name that nothing in reach defines may be of this repository nevertheless: a page gets scripts that it does not name. */
  openNames: boolean;
  /** `marked`: other files see what is exported. `all`: everything at top level. */
  exports: 'marked' | 'all';
  /** Imported names can be imported from the importing file. */
  importsAreExports: boolean;
  /** A name that a file both imports and defines is the imported one: the definition is for the case that the import fails. */
  importsOverDefinitions: boolean;
  /** An included file brings along the files that it includes. */
  transitive: boolean;
  /** Names at top level are known in all files that are linked, loaded or autoloaded together: functions, types. */
  globalFunctions: boolean;
  globalTypes: boolean;
  /** Interfaces and aliases are types only: where a value is expected, their name means another definition. */
  typesAlone: boolean;
  /** Beginning of the names of exports that all files know without an import; '' if there are none. */
  everywhere: string;
  /** Attributes are read by calls: the call of a value gives it. */
  readers: boolean;
  /** Templates mean types and functions by names of their own: `<app-cart>`, `|money`. */
  templateNames: boolean;
  /** Module of a parent whose methods the including class gets as its own: `base.extend(ClassMethods)`; '' if there is none. */
  mixedIn: string;
  /**
   * Place of a used trait in the lookup of members. `own`: before the parents, as members of the class, which `parent` does not mean.
   * `mixin`: between the class and the one that it extends, the last trait first. `parent`: in the order in which parents are stated.
   */
  traits: 'own' | 'mixin' | 'parent';
  /** Names that are known without a definition, with the types that they are instances of: a repository can add members to them. */
  objects: ReadonlyMap<string, string>;
  /** Definitions in namespaces and modules count as top level for other files. */
  openNamespaces: boolean;
  /** Can parts of one type stand in several files? `types`: not those of a module, which is one file; other files have other modules. */
  parts: 'none' | 'package' | 'anywhere' | 'types';
  /** Kinds of types that a second definition adds to. Namespaces and modules always are such kinds. */
  reopens: ReadonlySet<SymbolKind>;
  /** `declare module 'shop'` in any file decides what imports of `shop` mean. */
  ambientModules: boolean;
  /** A namespace adds members to the class, enumeration or function of its name in the same file, and an interface to the class. */
  namespacesMerge: boolean;
  /** Types inside of a type are in scope in it. */
  nestedTypes: boolean;
  /** Code in the body of a type, outside its methods, can use members above it by their bare names. */
  openBodies: boolean;
  /** A file is one component, which is its default export. */
  components: boolean;
  /** Types that exist without an import. Any other unknown name may be an unknown type parameter. Absent if every unknown type comes from outside. */
  runtimeType?: (name: string) => boolean;
  /** Types that say nothing about a value: what it is asked for may be anything's. */
  anyTypes: ReadonlySet<string>;
  /** Loads the reader of written types, for languages whose types are more than names, arguments, collections and functions. */
  types?: () => Promise<ReadType>;
  /** A local is known from the line after it on: `let cart = cart::open()`. */
  localsFollow: boolean;
  /** Members of an enum are known by their bare names wherever the enum is. */
  openEnums: boolean;
  /** Callbacks at top level declare names of their own, in addition to those of the file. */
  blocks: boolean;
  /** Separator of paths of packages or modules that can begin with a name which nothing defines. */
  paths: string;
  /** Such a path is whole. Its meaning changes only if a definition or a file with one of its names comes or goes, or a package with two. */
  pathsByName: boolean;
  /** A package has its modules as members (`shop.cart` after `import shop`); inside of it, `.name` means one of them. */
  submodules: boolean;
  /** Variables are named after their type by convention: `book` is a `Book`. A name that is read is no method. */
  namesTell: boolean;
  /** Member of an instance that is its class; '' if there is none. */
  ownClass: string;
  /** Values state no types: which member is meant can be judged by names, and is said to be likely. */
  unstatedTypes: boolean;
  /** A member that overrides another one says so. */
  overridesAreMarked: boolean;
  /** An attribute that a type assigns without a type is the attribute that a parent declares. */
  assignedOverDeclared: boolean;
  /** The context can give the type of a member: `.novel` is a case of the enumeration that is expected there. */
  implicitMembers: boolean;
  /** Definitions of one name in a package are alternatives that conditions of the build choose from. The first counts. */
  alternatives: boolean;
  /** Macros of other files need no import. */
  globalMacros: boolean;
  /** Beginnings of the names of what a definition's import gives when it is read, and takes when it is written: `output`, `var`. */
  importedParts?: Readonly<{ read: string; write: string }>;
  /** Separator of names that are one symbol: `.` in `defmodule Shop.Cart`, `::` in `class Shop::Cart`; '' if there is none. */
  dottedNames: '' | '.' | '::';
  /** A variable that holds a table is the type of the instances made from it. */
  tables: boolean;
  /** Headers declare what another file defines. */
  headers: boolean;
  /** Arguments are converted to types of other names, so that another name alone excludes no overload. */
  conversions: boolean;
  /** Functions that are written outside of a type can be its members: extensions, methods with a receiver. */
  membersOutside: boolean;
  /** Functions that extend a type are used where they are imported, and in their own package. */
  importedExtensions: boolean;
  /** Functions that extend a type stand in another type, and are used where the namespace of that is imported. */
  extensionsInTypes: boolean;
  /** Methods of a trait can be called on values of any type, wherever the trait is in scope. */
  traitMethods: boolean;
  /** Types of the language itself that have no parts and that traits are implemented for. */
  plainTypes?: ReadonlySet<string>;
  /** End that the name of a decorator can leave out: `Route` stands for `RouteAttribute`. */
  decoratorSuffix: string;
  /** Methods that are called when an object or an instance is called by its name. */
  appliers: readonly string[];
  /** A variable never names a type that is made: after `cart := Cart{}` a second `Cart{}` means the type, whatever `cart` is called. */
  typesAreMade: boolean;
  /** Names of functions are apart from those of variables: `total()` means no local. */
  functionsAreApart: boolean;
  /** Methods that return the next element of an instance, that iterate over it, and that index it. */
  nexts: readonly string[];
  iterators: readonly string[];
  indexers: readonly string[];
  /** Methods that run where an attribute is read or written that holds an instance with them. */
  descriptors?: { read: string; write: string };
  /** Decorators of methods that are read like fields. */
  getters: ReadonlySet<string>;
  /** Decorators of functions that yield once: `with` holds what they yield. */
  contextMakers: ReadonlySet<string>;
  /** Decorators of functions whose results tests get by their names. */
  fixtures: ReadonlySet<string>;
  /** Methods that make an instance when called on a type, if the type states nothing else. */
  constructorNames: ReadonlySet<string>;
  /** Types that count as their first argument: their members are those of the value that they hold. */
  wrappers: ReadonlySet<string>;
  /** Methods of wrappers and collections of libraries that return what they are called on, as `map_err` does. */
  handing: ReadonlySet<string>;
  /** Wrappers have no member of what they hold: it has to be taken out first. */
  wrappersAreClosed: boolean;
  /** Types whose values are of any of their arguments: `Union[Cart, Basket]`. */
  unions: ReadonlySet<string>;
  /** Types whose values are a type itself, their argument: `Type[Cart]`. */
  typesOfTypes: ReadonlySet<string>;
  /** Types whose index or iteration yields their last argument. */
  collections: ReadonlySet<string>;
  /** Of those, the ones with an argument for each place: `tuple[Cart, Bill]`; of `tuple[Cart, ...]` all are of the first. */
  tuples: ReadonlySet<string>;
}

const NONE: ReadonlySet<never> = new Set();

const BASE: Omit<Semantics, 'family'> = {
  implicitThis: false,
  openNames: false,
  exports: 'all',
  importsAreExports: false,
  importsOverDefinitions: false,
  transitive: false,
  globalFunctions: false,
  globalTypes: false,
  typesAlone: false,
  everywhere: '',
  templateNames: false,
  readers: false,
  objects: new Map(),
  mixedIn: '',
  traits: 'parent',
  openNamespaces: false,
  parts: 'none',
  reopens: NONE,
  ambientModules: false,
  namespacesMerge: false,
  nestedTypes: true,
  openBodies: false,
  components: false,
  anyTypes: NONE,
  localsFollow: false,
  openEnums: false,
  blocks: false,
  paths: '',
  pathsByName: false,
  submodules: false,
  namesTell: false,
  ownClass: '',
  unstatedTypes: false,
  overridesAreMarked: false,
  assignedOverDeclared: false,
  implicitMembers: false,
  alternatives: false,
  globalMacros: false,
  dottedNames: '',
  tables: false,
  headers: false,
  conversions: false,
  membersOutside: true,
  importedExtensions: false,
  extensionsInTypes: false,
  traitMethods: false,
  decoratorSuffix: '',
  appliers: [],
  typesAreMade: false,
  functionsAreApart: false,
  nexts: [],
  iterators: [],
  indexers: [],
  getters: NONE,
  contextMakers: NONE,
  fixtures: NONE,
  constructorNames: NONE,
  wrappers: NONE,
  handing: NONE,
  wrappersAreClosed: false,
  unions: NONE,
  typesOfTypes: NONE,
  collections: NONE,
  tuples: NONE,
};

/** Semantics with every property off that is not given. */
export function semantics(said: Pick<Semantics, 'family'> & Partial<Semantics>): Semantics {
  return { ...BASE, ...said };
}

// Conventions: names that the runtime, the tools and the programmers of a language recognise, for questions about code

/** Files of a framework that are routes by their paths. */
export interface FileRoute {
  /** Group 1: the path below the folder of routes. */
  path: RegExp;
  /** How the path is written: folders (`[id]`, `(group)`), or with dots between its parts (`carts.$id`). */
  style: 'next' | 'remix';
  /** Framework without which the paths mean nothing. */
  needs?: 'next' | 'remix';
  /** Exported functions with the name of their method. */
  methods?: ReadonlySet<string>;
  /** Methods by the names of other exported functions. */
  named?: ReadonlyMap<string, string>;
  /** Method of the page or function that the file exports without such a name. */
  shown?: string;
}

export interface Conventions {
  /** Functions at top level that start a program. */
  mainNames?: ReadonlySet<string>;
  /** A main function can be a static member of a type. */
  mainInTypes?: boolean;
  /** Files run from their top. In other languages code at top level declares, or is inside of a macro. */
  topLevelCode?: boolean;
  /** Paths of the files that run from their top, if not all files of the language do. */
  scriptPath?: RegExp;
  /** Paths of command line programs. */
  programPath?: RegExp;
  /** Paths of files that tools load by name: nothing imports them, and they start nothing. Case does not matter. */
  toolPath?: RegExp;

  /** Words of names that its rules make and no text has to have: `defstruct` declares `__struct__`. */
  madeWords?: ReadonlySet<string>;
  /** Members that the language or its library calls by name. */
  runtimeNames?: ReadonlySet<string>;
  /** Form of such names. */
  runtimeName?: RegExp;
  /**
   * Declarations that call a function of their own name elsewhere: what stands `before` the name, what `names` another function behind
   * it, and what to `add` to name one, with `NAME` for it.
   */
  delegate?: { before: RegExp; names: RegExp; add: string };
  /** Heads of members, from the name on and with single spaces, that interfaces of the library have: a type fits them by its shape alone. */
  libraryHead?: RegExp;
  /** Types of the library, and behind a colon their members: a type that inherits from one of them is called by these names. */
  libraryMembers?: readonly string[];
  /** Qualified names of declarations for which the compiler looks: a project may declare what its older library lacks. */
  compilerNames?: RegExp;
  /** Beginnings of names of methods that templates, and code of other languages, call by what is behind: `cart.total` for `getTotal`. */
  readAs?: { prefix: RegExp; path: RegExp };
  /** Form of names that say that nothing uses them. */
  keptName?: RegExp;
  /** Macros that a module uses read its constants: one that nothing else reads is for them, since compilers warn of others. */
  constantsForMacros?: boolean;
  /** Functions at top level that run when their package is loaded. */
  initializers?: ReadonlySet<string>;
  /** Names by which test runners find tests in test files. Other languages have decorators and attributes. */
  testName?: RegExp;
  /** Beginning of names by which functions show the use of a symbol: `Example` of `ExampleCart_Total`. A checker asks for the symbol. */
  exampleName?: string;
  /** Modules that hold the tests of the file that they are in. */
  testModules?: RegExp;
  /** Last name of an attribute that makes a function a test, wherever it is. */
  testAttribute?: RegExp;
  /** Functions without a receiver that declare routes: `get '/users' do`. */
  routeNames?: ReadonlySet<string>;
  /** Variable with the routes of a file, functions that make its entries, and the function that includes another file's routes. */
  routeTable?: { variable: string; entries: ReadonlySet<string>; include: string };

  /** Path of the actions of a controller that states none: `/[controller]/[action]`. */
  controllerPaths?: string;
  /** Tables of routes are read as a whole, by rules of their own. */
  statesRoutes?: boolean;
  /** Path below which the routes of such files are, unless other code says where. */
  routePrefix?: { path: RegExp; prefix: string };
  /** Files that are routes by their paths. */
  fileRoutes?: readonly FileRoute[];
  /** The language describes what programs answer: services with procedures, the fields of root types, or operations of HTTP. */
  describes?: 'services' | 'fields' | 'operations';

  /** Types implement an interface by having its methods: the text does not say so. */
  structuralInterfaces?: boolean;
  /** Names that a package keeps to itself: the files of one folder. */
  packageName?: RegExp;
  /**
   * Code names a member of a class with a receiver: always, or everywhere but in the class, in classes that inherit it and in those inside
   * of it. Absent where a block or a pattern can name members of other values without one.
   */
  memberReceivers?: 'always' | 'outside';
  /** The object itself is an instance of the type around the use, in whatever function it stands. */
  boundThis?: boolean;
  /** Words of a declaration that only the file can name, and the other parts of its type. */
  fileHead?: RegExp;
  /** A line that says who can name the members below it, up to the next such line; group 1 is the word for it. */
  accessLabel?: RegExp;
  /** Fields of a subtype never take the place of its parents' fields. */
  fixedFields?: boolean;
  /** Declaration that other packages cannot use, though other files of the same one can. */
  innerDeclaration?: RegExp;
  /** Texts, without space, that mean the same in a declaration as the second of each pair. */
  synonyms?: readonly (readonly [text: string, same: string])[];
  /** People, CI and tools run its functions by name: targets of a Makefile, jobs of a workflow. */
  targets?: boolean;
  /** Code of a file runs only if other code imports it, or something loads the file by its place. */
  imported?: boolean;
  /** Names at the top of a file that imports or exports belong to this file alone, unless it exports them. */
  modules?: boolean;
  /** With flag g: what stands before the text that documents a definition, up to its opening quotes, which group 1 has. */
  docstring?: RegExp;
  /** Variables that list by name what a file exports: a name in one is no use. */
  exportLists?: ReadonlySet<string>;
  /** Paths of files that others include: the including file can name everything in them. */
  includedPath?: RegExp;
  /** Members can be used through values whose type is stated nowhere. */
  untypedMembers?: boolean;
  /** False where the shares of possible uses did not hold in traces: answers state none. */
  possibleShares?: false;
  /** Macros can make names of functions out of parts. */
  pastedNames?: boolean;
  /** Names of any characters can stand in quotes: `a-name`. Their uses are not known. */
  quotedNames?: boolean;
  /** Beginnings of names of types that belong to the language or to libraries: a file that opens one again gives them members that they call. */
  libraryTypes?: RegExp;
  /** Programs do not keep the names of functions that are not exported, or of those outside of types: no string in code can name one. */
  hiddenNames?: 'lost' | 'lost-outside-types';
  /** Only code that names a value of a type uses it: none is read as a whole, by reflection or by its place in memory, without a mark. */
  closedTypes?: boolean;
  /**
   * Place in which definitions of one name are variants of one symbol: the build or the arguments of a call choose one. `type`: overloads
   * among the members of a type; functions elsewhere may belong to types that their text names. `file`: also definitions under conditions.
   * `package`: also those of files for other systems.
   */
  variants?: 'type' | 'file' | 'package';
  /** A build chooses between whole modules, by conditions that stand in other files. */
  conditionalModules?: boolean;
  /** Part of a path that says for which system a file is built; definitions of one name of several such parts are variants. */
  systemPath?: RegExp;
  /** Uses lead to the overloads that the text of a call may mean. In other languages they lead to any. */
  overloadsAreTold?: boolean;
  /** A type without a constructor is made by that of its parent. */
  inheritedConstructors?: boolean;
  /** A file must have the name of the type in it that other packages use. */
  typesNameFiles?: boolean;
  /** Declarations of one name share one body. In other languages each overload has a body. */
  overloadsShareBody?: boolean;
  /** Words at the beginning of a declaration that a reader of an outline does not need. */
  declarationNoise?: RegExp;
  /** The opening bracket and the first parameter, which every method has and no call gives. */
  impliedParameter?: RegExp;

  /** Class of files whose path does not show one. */
  pathClass?: 'data' | 'document';
  /** Paths of test files, with their case, beyond those that are test paths in every language. */
  testPath?: RegExp;
  /** Paths of generated files, and of declarations without code: lower-cased, with a leading slash. */
  generatedPath?: RegExp;
  declarationPath?: RegExp;
  /** Endings of the code that such a file declares, in place of what `declarationPath` matches. */
  declares?: readonly string[];

  /** Functions, types and values that exist without a definition or an import: a repository that removes its own leaves these. */
  builtins?: ReadonlySet<string>;
  /** Methods of the language's own collections and strings: a use on a value of unknown type hardly means another one. */
  containerNames?: ReadonlySet<string>;
  /** Members and functions that answer for names that nothing defines. */
  dynamicNames?: ReadonlySet<string>;
  /** Assigning to a member creates it: a type need not declare it. */
  assignedMembers?: boolean;
  /** Form of parameters, in languages where a call has to fit them. */
  parameters?: ParameterForm;
}

/** Patterns that are tried on the text of one parameter, or of one argument, without white space around it. */
export interface ParameterForm {
  /** Captures the name. */
  name: RegExp;
  optional: RegExp;
  /** Takes any number of arguments. */
  rest: RegExp;
  /** Callers do not pass it: the instance. */
  implicit?: RegExp;
  /** Stands between parameters and is none itself. */
  marker?: RegExp;
  /** Parameters behind it are passed by name only. */
  keywordsFrom?: RegExp;
  /** Takes arguments of any name. */
  anyKeyword?: RegExp;
  /** Captures the name by which an argument is passed. */
  keyword?: RegExp;
  /** Words before a function's name that make its list incomplete: a parent has defaults, or there are other signatures. */
  unclearBefore?: RegExp;
  /** A parameter with which no call is judged: a function, since a block behind the call can give it. */
  unclear?: RegExp;
  /** An argument with which no call is judged: it can be several values, or none. */
  unclearArgument?: RegExp;
  /** A block behind the brackets is an argument, so a call with one is not judged. */
  trailingBlocks?: boolean;
  /** A function without brackets behind its name takes nothing. */
  bracketsOptional?: boolean;
  /** A call that does not fit still runs. */
  isLenient?: boolean;
  /** Decorators that leave the parameters as they are; other decorators may change them. */
  plainDecorators?: RegExp;
  /** A function lists its results behind its parameters, and a caller takes each of them, or none. */
  listsResults?: boolean;
}

// Readers of packages: the names under which other repositories import this one, and the packages that it depends on

/** One module of a package, as other repositories name it in an import. */
export interface PublishedModule {
  /** As in an import: `flask.views`, `@shop/cart/tax`, `github.com/shop/cart`. */
  specifier: string;
  /** Numbers of the files that an import of the specifier leads to. */
  files: readonly number[];
}

export interface PublishedPackage {
  /** Name in lists of dependencies. */
  name: string;
  /** Path of the manifest that names it. */
  manifest: string;
  modules: PublishedModule[];
}

export interface Dependency {
  name: string;
  /** As in the manifest, '' if it states none. */
  version: string;
}

/** Readers never throw: a manifest that cannot be read publishes nothing and depends on nothing. */
export interface PackageRules {
  published(project: Project): PublishedPackage[];
  /** `manifest`: base name of the file. */
  dependencies(manifest: string, content: string): Dependency[];
}

/** Program that a manifest names: `bin` of package.json, `[project.scripts]` of pyproject.toml. */
export interface Program {
  /** Command that starts it. */
  name: string;
  /** File where it starts. */
  path: string;
}

/** Reads the programs of a manifest. `has`: is a file part of the snapshot? Never throws: an unreadable manifest names no programs. */
type ProgramsReader = (manifest: string, text: string, has: (path: string) => boolean) => Program[];
