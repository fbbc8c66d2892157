/**
 * Everything that the bytes of a syntax record depend on besides the blob and its language: versions of the parser and
 * the grammars, sizes of chunks.
 */
import { existsSync, readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { packageFile, packageManifest } from '../base/runtime.js';
import type { Language } from '../languages/language.js';

/**
 * Bump when extraction gives other facts for the same bytes.
 * 1: first version.
 * 2: re-exports of JavaScript and TypeScript count as imports.
 * 3: relations: imports, exports, references and bindings.
 * 4: files with tokens of well-known forms anywhere in them are left out.
 * 5: reads and writes of names.
 * 6: signatures of TypeScript with all overloads, bounds, defaults and functions that are returned; methods of literals.
 * 7: locals that a Rust macro is given.
 * 8: headers are C, C++ or Objective-C by their text; a chunk of several definitions is about the largest; tree-sitter as
 *    WebAssembly: other trees of a few texts with syntax errors.
 * 9: in scripts conditions are told with each use of what they test; alternatives and literals that functions give; call signatures.
 *    In Rust attributes that make a function a test. Sections of reStructuredText and AsciiDoc; cells of notebooks, apart from
 *    their outputs.
 * 10: parameters of TypeScript's constructors that are properties are symbols; files that an expression loads can be followed;
 *    names that a callback hides only in itself; keys of object types are no uses. In Python returned names are read, and
 *    parameters have the types that the method of a parent states.
 * 11: nothing holds behind the last line, which made records of such files invalid. In scripts, exports of what `declare global` and files
 *    of declarations give to all files; no uses of types that a block declares for itself, nor of the page's own elements. In Python
 *    aliases of types, also in quotes.
 * 12: in scripts the type argument of a call; literals as types of fields that are never written; names behind comments in lists of imports and exports; names of parameters in types of
 *    functions are no uses.
 * 13: in scripts what a method or `instanceof` says of a member (`cart.isOpen()`, `shop.cart instanceof Basket`); parameters of methods
 *    under keys in quotes and computed keys.
 * 14: in scripts members of an object type in type arguments (`Readonly<{ … }>`), and of a literal that the value of a name is made
 *    from (`freeze({ … })`); methods of literals in functions without a name are not exported.
 * 15: in scripts what a literal in parentheses is given to (`(): Cart => ({ … })`), what functions with nested type arguments give, and
 *     none of a declaration above it that ends without a semicolon. Names of sections are without images.
 * 16: paths of groups of routes: `r.Group("/api")` and where Go hands such a group on; `prefix=` of routers in Python.
 * 17: initializers of C++ constructors write fields. In scripts a name in a template is no key, members whose names are constants in brackets,
 *     members of the window, and what files of declarations with prose in comments give to all files.
 * 18: in scripts the list of a namespace that is the whole export of its file.
 * 19: C and C++ without macros that the grammars cannot read (`class API Cart`, `GUARDED_BY(mu)`).
 * 20: names that are locals in one function count in the others; a test of a fixture (`TEST_F`) is code of the fixture's class.
 * 22: constructors of Dart have their initializers, in which their parameters are known.
 * 23: in scripts what a branch of a condition, a call in a call and a call with a type argument are given to; `this` in methods of literals; long
 *     types of functions with type parameters, and long unions, by names; keys of literals in a literal with a cast; `number` as a type is no use.
 * 24: imports of modules of C++ are no variables.
 * 25: in scripts the word `type` before an alias is no use.
 * 27: JavaScript with Flow's types; routines, triggers and indexes of four dialects of SQL; underlined headings. Definitions that were lost: types in functions of TypeScript and Rust, typedefs of function pointers, conversions and tests by
 *     their own names in C and C++, code behind macros of C, Dart 3, heads of Kotlin and Swift, members of Swift around conditions, types of C# without a body, scripts in HTML.
 *     Functions of shell around lines of zsh, literate Haskell and all its branches, macros of C between values.
 *     Records tell which lines a grammar could not read. Newer grammars of C# and Rust; short forms of Dart 3.10 and Go 1.26.
 *     Texts in UTF-16 and of single bytes are read in UTF-8.
 *     Symbols of the languages that data alone describes (`languages/tagged`), and of formats in YAML and JSON with what refers to them:
 *     Kubernetes, Compose, workflows, OpenAPI.
 *     Views of Rails, Blade and Twig: their code and the names of templates, routes and keys of containers; associations of Rails.
 *     Members that no subtype overrides are told. Numbers of parameters, and types of parameters and arguments of overloads. Constructors that stand outside of their class own nothing.
 *     Classes that are the whole export of a script; metaclasses of Python.
 *     Requests of clients, and routes that tables name with their handlers; methods that a decorator lists before its path, which an object may state.
 *     Functions without a name that answer a route are symbols; fields that documents of GraphQL ask for, calls of stubs of gRPC.
 *     Values of names that begin a path, routers that are handed to a mount, topics in options, lists and bindings, requests of generated clients.
 *     Ruby: methods that symbols, aliases and delegates name, values of `let`. Fixtures, `getattr` and related models of Python. Exports of
 *     wrapped functions in scripts. Rust: bounds of types and of what they give, numbered fields, fields handed on, an own `Err`, no lifetimes.
 *     Scripts: exports in chains and of joined objects, results of functions without a name, members that locals are given, delegates and mixins;
 *     blocks of Ruby that define classes and methods. Exports of scripts that load a file, also in a getter, are no symbols; functions that are the whole export are.
 *     Tables of methods that Ruby sends. Forms of zsh, and newer ones of eight languages. A type of Go has the fields of what it is declared as.
 *     Fields of classes in functions of scripts.
 *     Paths in strings of Python, parts of names in Python, Ruby and PHP, mixins from outside, prototypes that are given members, facades, containers.
 *     Names that strings of Kotlin, Scala and Dart interpolate without brackets, variables of shell, attributes of Elixir's modules.
 *     Values of Julia, R, Perl, PowerShell, Groovy and Nix in their file. Functions, commands and repositories that strings of PHP name, services of Symfony and their keys; entry points of setup.cfg.
 *     Templates of Angular, variables in markup of Vue and Svelte. CloudFormation, Ansible, Helm, more of
 *     GitLab, Kustomize and Kubernetes, and of modules of Terraform.
 *     Definitions of C and C++ that macros write by their arguments: functions, mocks, tests named by strings;
 *     code behind loops of macros and cut conditions. Declared friends and blocks behind macros are no symbols.
 *     Entries of exports that load a file.
 *     Parameters of overloads of C++ and of members outside of their types, labels of Swift's methods; packages of Go whose folders have marks
 *     in their names; no names from comments in patterns of Rust.
 *     Entry points that pyproject.toml and package.json name.
 *     Names of events, tokens of containers and keys of registries in scripts and Python. Prototypes that are objects, fields of constructors,
 *     exported objects, tables by computed keys; dependencies and typed queries of Python.
 *     Methods that loops of Ruby define, delegates with a prefix, events and states of machines.
 */
export const SYNTAX_VERSION = 27;

/** Plain data for the syntax profile's fingerprint. */
export function syntaxFingerprint(): unknown {
  return { chunker: SYNTAX_VERSION, sizes: { ...SIZES }, grammars: { ...GRAMMAR_HASHES }, parser: PARSER_VERSION };
}

interface GrammarManifest {
  /** tree-sitter's version. */
  parser: string;
  /** Start of the SHA-256 of each module, by the grammar's name. */
  grammars: Readonly<Record<string, { from: string; sha256: string }>>;
}

const { parser, grammars } = JSON.parse(readFileSync(packageFile('grammars/manifest.json'), 'utf8')) as GrammarManifest;

/** tree-sitter and its grammars, which are part of the profile of every record. */
export const PARSER_VERSION = parser;
export const GRAMMAR_HASHES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(grammars).map(([name, { sha256 }]) => [name, sha256]),
);

export const NAPI_VERSION = packageManifest().dependencies['@ast-grep/napi'];

/**
 * Chunk sizes in UTF-16 units: a chunk fits an embedding window, reads as one thing and is about one thing. Half as large again finds no
 * more (NDCG@10 differs by less than two seeds of the model do), but ten results then cost 2,010 tokens instead of 1,420.
 */
export const SIZES = {
  /** No chunk is larger. */
  cap: 1_000,
  /** Neighbours are merged up to this. */
  merged: 700,
  /** A definition of this size is a chunk of its own, and a file of this size needs no cutting. */
  alone: 450,
  /** A part smaller than this isn't worth a boundary of its own. */
  part: 300,
  /** A chunk smaller than this joins a neighbour if one has room. */
  tiny: 150,
} as const;

// Files of grammars in the package

export interface GrammarStatus {
  available: string[];
  missing: string[];
}

/** Does the package have the grammar? Every complete one does. */
export function hasGrammar(grammar: string): boolean {
  return existsSync(fileOf(grammar));
}

/** Names of the grammars that languages have. They are handed in, since every question needs this module and few need all languages. */
export function grammarStatus(languages: Iterable<Language>): GrammarStatus {
  // A grammar can serve several languages: templates are read in the grammar of pages.
  const all = [...new Set([...languages].flatMap(({ grammar }) => grammar?.name ?? []))].sort();
  return { available: all.filter(hasGrammar), missing: all.filter((name) => !hasGrammar(name)) };
}

/** The WebAssembly module of a grammar. */
export function grammarCode(grammar: string): Uint8Array<ArrayBuffer> {
  return brotliDecompressSync(readFileSync(fileOf(grammar)));
}

/** Text of `grammars/tags/NAME.scm`. */
export function tagsFile(name: string): string {
  return readFileSync(packageFile(`grammars/tags/${name}.scm`), 'utf8');
}

const fileOf = (grammar: string): URL => packageFile(`grammars/${grammar}.wasm.br`);
