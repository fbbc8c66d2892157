/** Comment syntax of each language, and the start of definitions in languages without a grammar. */

export interface CommentSyntax {
  /** Start of a comment line, after its indentation. */
  line?: RegExp;
  block?: readonly [open: string, close: string];
}

const SLASH: CommentSyntax = { line: /^\/\/+/, block: ['/*', '*/'] };
const HASH: CommentSyntax = { line: /^#+(?![!{[])/ };
const DASH: CommentSyntax = { line: /^--+(?!\[)/ };
const SEMICOLON: CommentSyntax = { line: /^;+/ };
const PERCENT: CommentSyntax = { line: /^%+/ };

const COMMENTS: ReadonlyArray<readonly [CommentSyntax, string]> = [
  [
    SLASH,
    'typescript tsx javascript vue svelte java kotlin scala c cpp csharp go rust swift dart zig v groovy objectivec d solidity protobuf thrift fsharp haxe glsl hlsl wgsl metal scss less reason actionscript gleam move cairo apex verilog prisma',
  ],
  [
    HASH,
    'python ruby bash perl raku r elixir crystal nim julia makefile cmake dockerfile nix tcl awk fish powershell gdscript coffeescript yaml toml meson starlark terraform just graphql',
  ],
  [{ line: /^(?:\/\/+|#+(?!\[))/, block: ['/*', '*/'] }, 'php'],
  [{ line: /^--+(?!\[)/, block: ['{-', '-}'] }, 'haskell elm purescript agda'],
  [DASH, 'lua ada vhdl sql lean'],
  [SEMICOLON, 'lisp scheme emacslisp clojure'],
  [{ line: /^[;#@]+/, block: ['/*', '*/'] }, 'assembly'],
  [PERCENT, 'erlang prolog'],
  [{ block: ['(*', '*)'] }, 'ocaml'],
  [{ line: /^\/\/+/, block: ['{', '}'] }, 'pascal'],
  [{ line: /^[!cC*](?![a-z])/ }, 'fortran'],
  [{ line: /^"/ }, 'vim'],
  [{ line: /^'+/ }, 'visualbasic'],
  [{ line: /^(?:dnl\b|#)/ }, 'autoconf'],
];

export const COMMENT_SYNTAX: Readonly<Record<string, CommentSyntax>> = Object.fromEntries(
  COMMENTS.flatMap(([syntax, languages]) => languages.split(' ').map((language) => [language, syntax])),
);

/** True for scripts, whose top-level statements count as a body. */
export const SCRIPTS: ReadonlySet<string> = new Set(
  'bash makefile cmake dockerfile meson nix just starlark terraform yaml toml fish powershell awk tcl vim autoconf sql perl r'.split(
    ' ',
  ),
);

export interface DefinitionSyntax {
  /**
   * Expression for a line without its indentation, with group `name`. A body is found by indentation and one closing
   * line.
   */
  start: RegExp;
  /** True if the first string in the body is the documentation. */
  docstring?: boolean;
}

/** Rules for languages whose definitions no grammar finds. */
export const DEFINITION_SYNTAX: Readonly<Record<string, DefinitionSyntax>> = {
  perl: { start: /^(?:async\s+)?(?:sub|method|package|class|role)\s+(?<name>[\w:]+)[^;]*$/ },
  raku: { start: /^(?:our\s+|multi\s+|proto\s+)*(?:sub|method|class|role|grammar|token|rule)\s+(?<name>[\w:-]+)/ },
  r: { start: /^(?<name>[\w.]+)\s*(?:<-|=)\s*function\b/ },
  julia: { start: /^(?:function\s+(?<name>[\w.!]+)|(?:mutable\s+)?struct\s+\w+|macro\s+\w+)/ },
  clojure: {
    start:
      /^\((?:s\/)?(?:defn-?|defmacro|defmulti|defmethod|defprotocol|defrecord|deftype|def)\s+(?:\^\S+\s+)*(?<name>[^\s()[\]]+)/,
    docstring: true,
  },
  lisp: {
    start:
      /^\((?:defun|defmacro|defmethod|defgeneric|defclass|defstruct|defvar|defparameter|define-\w+)\s+\(?(?<name>[^\s()]+)/,
    docstring: true,
  },
  emacslisp: {
    start:
      /^\((?:cl-)?(?:defun|defmacro|defsubst|defvar|defcustom|defconst|define-\S+|defgeneric|defmethod)\*?\s+(?<name>[^\s()]+)/,
    docstring: true,
  },
  scheme: {
    start: /^\((?:define|define-syntax|define-record-type|define\*|define-public)\s+\(?(?<name>[^\s()]+)/,
    docstring: true,
  },
  erlang: { start: /^(?<name>[a-z]\w*)\(.*(?:->|,)\s*(?:%.*)?$/ },
  gleam: { start: /^(?:pub\s+)?(?:fn|type|const)\s+(?<name>\w+)/ },
  ocaml: {
    start:
      /^(?:let\s+(?:rec\s+)?|and\s+|val\s+|type\s+|module\s+(?:type\s+)?|external\s+|class\s+|exception\s+)(?<name>[\w']+)/,
  },
  reason: { start: /^(?:let\s+(?:rec\s+)?|type\s+|module\s+)(?<name>\w+)/ },
  fsharp: { start: /^(?:let\s+(?:rec\s+|inline\s+|private\s+)*|type\s+|module\s+|member\s+\w+\.)(?<name>\w+)/ },
  visualbasic: {
    start: /^(?:(?:public|private|friend|shared|static)\s+)*(?:sub|function|class|property\s+\w+)\s+(?<name>\w+)/i,
  },
  nim: { start: /^(?:proc|func|method|iterator|template|macro|converter)\s+(?<name>\w+)/ },
  zig: { start: /^(?:pub\s+|export\s+|inline\s+)*(?:fn|const)\s+(?<name>\w+)[^;]*$/ },
  d: {
    start:
      /^(?:(?:public|private|static|final|pure|override|@\w+)\s+)*(?:class|struct|interface|[\w!()[\]*]+)\s+(?<name>[a-z]\w+)\([^;]*$/,
  },
  v: { start: /^(?:pub\s+)?(?:fn|struct|enum|interface)\s+(?:\([^)]*\)\s*)?(?<name>\w+)/ },
  crystal: {
    start: /^(?:private\s+|protected\s+|abstract\s+)*(?:def|class|module|struct|macro|enum)\s+(?:self\.)?(?<name>\w+)/,
  },
  groovy: {
    start:
      /^(?:(?:public|private|protected|static|final)\s+)*(?:def|void|class|interface|trait|enum|[A-Z]\w*)\s+(?<name>\w+)\s*[({]/,
  },
  objectivec: { start: /^[-+]\s*\([^)]*\)\s*(?<name>\w+)[^;]*$/ },
  fortran: {
    start:
      /^(?:(?:pure|elemental|recursive|integer|real|logical)\s+)*(?:subroutine|function|module)\s+(?!procedure)(?<name>\w+)/i,
  },
  pascal: { start: /^(?:class\s+)?(?:procedure|function|constructor)\s+(?<name>[\w.]+)/i },
  ada: { start: /^(?:procedure|function|package|task)\s+(?:body\s+)?(?<name>[\w.]+)[^;]*$/i },
  vhdl: { start: /^(?:entity|architecture|process|function|procedure|component)\s+(?<name>\w+)/i },
  verilog: { start: /^(?:module|task|function)\s+(?:automatic\s+)?(?:\[[^\]]*\]\s*)?(?<name>\w+)/ },
  prolog: { start: /^(?<name>[a-z]\w*)\(.*:-\s*$/ },
  tcl: { start: /^(?:proc|method|oo::class create)\s+(?<name>[\w:]+)/ },
  awk: { start: /^function\s+(?<name>\w+)/ },
  fish: { start: /^function\s+(?<name>[\w-]+)/ },
  powershell: { start: /^function\s+(?<name>[\w:-]+)/i },
  vim: { start: /^fu(?:nction)?!?\s+(?<name>[\w:#.]+)/ },
  solidity: { start: /^(?:contract|library|interface|function|modifier|event|struct)\s+(?<name>\w+)/ },
  elm: { start: /^(?<name>[a-z]\w*)(?:\s+\w+)*\s*=\s*$/ },
  purescript: { start: /^(?<name>[a-z]\w*)(?:\s+\w+)*\s*=/ },
  coffeescript: { start: /^(?:class\s+)?(?<name>[\w.@]+)\s*[:=]?\s*(?:\([^)]*\)\s*)?[-=]>/ },
  gdscript: { start: /^(?:static\s+)?(?:func|class|signal)\s+(?<name>\w+)/ },
  haxe: { start: /^(?:(?:public|private|static|inline|override)\s+)*(?:function|class|interface|enum)\s+(?<name>\w+)/ },
  cmake: { start: /^(?:function|macro)\s*\(\s*(?<name>\w+)/i },
  protobuf: { start: /^(?:message|service|enum|rpc)\s+(?<name>\w+)/ },
  thrift: { start: /^(?:struct|service|enum|exception|union)\s+(?<name>\w+)/ },
  graphql: { start: /^(?:type|input|enum|interface|query|mutation)\s+(?<name>\w+)/ },
  glsl: { start: /^(?:\w+\s+)+(?<name>\w+)\s*\([^;]*$/ },
  makefile: { start: /^(?<name>[a-z][\w-]+):(?!=)(?!.*:=)/ },
  just: { start: /^@?(?<name>[a-z][\w-]+)[^:=]*:(?!=)/ },
};
