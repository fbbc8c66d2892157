/** Comments, quotes, words and paths of the languages that data alone describes, by the names of their files of queries. */

import type { ParsingRules } from '../language.js';
import type { DefinitionRules } from '../roles/definitions.js';
import { type ImportRules, type Paths, pathImports } from '../roles/project.js';
import type { FactSink, LexicalConventions } from '../roles/relations.js';
import { documentRequests } from '../roles/remote.js';

/** Parts of the rules that a language may have of its own. */
type OwnRules =
  | 'comments'
  | 'exported'
  | 'imports'
  | 'importText'
  | 'attached'
  | 'parsed'
  | 'framed'
  | 'repaired'
  | 'tokens';

interface Form extends Partial<Pick<DefinitionRules, OwnRules>> {
  lineComments?: readonly string[];
  blockComment?: readonly [open: string, close: string];
  quotes?: string;
  /** Between a value and its member. */
  joins?: readonly string[];
  nameExtra?: string;
  paths?: Paths;
}

const HASH = { comments: ['comment'], lineComments: ['#'] } as const;
const C_LIKE = { comments: ['comment'], lineComments: ['//'], blockComment: ['/*', '*/'] } as const;
const C_TOKENS = [
  ['//', '\n'],
  ['/*', '*/'],
] as const;
const QUOTED = { open: '"', close: '"', escape: '\\' } as const;
const SINGLE = { open: "'", close: "'", escape: '\\' } as const;

const FORMS: Readonly<Record<string, Form>> = {
  clojure: {
    ...{ lineComments: [';'], quotes: '"', nameExtra: '-?!*+<>=/.', importText: /^\(ns\s/ },
    exported: { notHead: /\(defn-|\^:private/ },
    paths: { separator: '.', endings: ['.clj', '.cljc', '.cljs'], roots: ['src', 'test'] },
    tokens: {
      comments: [[';', '\n']],
      strings: [{ ...QUOTED, isLong: true }],
      word: /[^\s()[\]{}"';,^@`~\\#][^\s()[\]{}";,@`~\\]*/y,
      // Characters, and what is said of the form behind it.
      ignored: /\\(?:[a-z]+|\S)|\^[\w:.\-/]+|\^\{[^{}\n]{0,500}\}|#_/y,
      ...{ ends: '', endsAfter: 'list', statementsIn: [], top: /\((?=def|ns\b)/y },
    },
  },
  cmake: {
    ...{ lineComments: ['#'], quotes: '"', nameExtra: '-' },
    importText: /^(?:include|find_package|cmake_minimum_required|project)\b/i,
    paths: { endings: ['.cmake', '/CMakeLists.txt'], roots: ['cmake', 'cmake/modules', 'CMake'] },
    tokens: {
      comments: [
        ['#[[', ']]'],
        ['#', '\n'],
      ],
      strings: [{ ...QUOTED, isLong: true }],
      word: /[^\s()"#]+/y,
      ...{ ends: '', endsAfter: 'list', statementsIn: [] },
      blocks: { open: /^(?:function|macro)\s*\(/i, close: /^end(?:function|macro)\s*\(/i },
    },
  },
  dockerfile: {
    lineComments: ['#'],
    tokens: {
      comments: [['#', '\n']],
      strings: [QUOTED, SINGLE],
      word: /[^\s"'=()[\]{}\\]+/y,
      ...{ ends: '', lines: true, continued: '\\', statementsIn: [] },
      top: /(?:FROM|ARG|ENV|RUN|COPY|ADD|CMD|ENTRYPOINT|WORKDIR|LABEL|EXPOSE|USER|VOLUME|HEALTHCHECK|SHELL|ONBUILD|STOPSIGNAL)[ \t]/iy,
      blocks: { open: /^FROM\s/i, areFlat: true },
    },
  },
  elm: {
    comments: ['line_comment', 'block_comment'],
    ...{ lineComments: ['--'], blockComment: ['{-', '-}'], joins: ['.'], imports: ['import_clause'] },
    attached: { kinds: ['type_annotation'], ends: /\S/ },
    paths: { separator: '.', endings: ['.elm'], roots: ['src', 'tests'] },
  },
  erlang: {
    ...{ lineComments: ['%'], joins: [':'], importText: /^-(?:module|include|include_lib|import|export|behaviou?r)\b/ },
    attached: { kinds: ['statement'], ends: /\./, text: /^-(?:spec|doc)\b/ },
    paths: { roots: ['include', 'src'] },
    tokens: {
      comments: [['%', '\n']],
      strings: [{ ...QUOTED, isLong: true }, SINGLE],
      word: /[\p{L}_?][\p{L}\p{N}_@]*/uy,
      ignored: /\$(?:\\.|[^\s\\])/y,
      ...{ ends: '.', endsBeforeSpace: true, statementsIn: [], top: /-(?:module|export|spec|record|define|type)\b/y },
    },
  },
  fortran: {
    ...{ lineComments: ['!'], joins: ['%'], importText: /^(?:use|implicit)\s/i, exported: { notHead: /\bprivate\b/i } },
    paths: { endings: ['.f90', '.F90', '.f', '.inc'], roots: ['src', 'include'] },
    tokens: {
      comments: [['!', '\n']],
      strings: [
        { open: '"', close: '"' },
        { open: "'", close: "'" },
      ],
      word: /\w+/y,
      ...{ ends: ';', lines: true, continued: '&', statementsIn: [] },
      blocks: {
        open: /^(?!end)(?:[\w \t(),*=]*\b)?(?:subroutine|function)[ \t]+\w+|^(?:module|program|submodule)\b(?![ \t]*procedure\b)(?:[ \t]*\([\w:]+\))?[ \t]+\w+\s*$|^(?:abstract[ \t]+)?interface\b|^type[ \t]*(?:,|::|[ \t]\w)/i,
        close: /^end[ \t]*(?:subroutine|function|module|program|submodule|interface|type)\b|^end\s*$/i,
      },
    },
  },
  graphql: {
    ...{ lineComments: ['#'], blockComment: ['"""', '"""'], quotes: '"' },
    tokens: {
      comments: [['#', '\n']],
      strings: [{ open: '"""', close: '"""', isLong: true }, QUOTED],
      word: /[A-Za-z_]\w*/y,
      ...{ ends: ',', lines: true, endsAfter: 'block', statementsIn: ['block'] },
    },
  },
  groovy: {
    ...{ ...C_LIKE, comments: ['line_comment', 'block_comment'], joins: ['?.', '.'], imports: ['import_declaration'] },
    exported: { notHead: /\bprivate\b/ },
  },
  hcl: { ...C_LIKE, lineComments: ['#', '//'], quotes: '"', joins: ['.'] },
  julia: {
    ...{ comments: ['line_comment', 'block_comment'], lineComments: ['#'], blockComment: ['#=', '=#'] },
    ...{ joins: ['.'], nameExtra: '!', imports: ['import_statement', 'using_statement'] },
  },
  latex: { comments: ['line_comment'], lineComments: ['%'], paths: { endings: ['.tex'] } },
  make: { ...HASH, imports: ['include_directive'], nameExtra: '.-' },
  nix: {
    ...{ lineComments: ['#'], blockComment: ['/*', '*/'], joins: ['.'], nameExtra: "'-" },
    paths: { endings: ['/default.nix'] },
    tokens: {
      comments: [
        ['#', '\n'],
        ['/*', '*/'],
      ],
      strings: [
        { open: "''", close: "''", isLong: true },
        { ...QUOTED, isLong: true },
      ],
      word: /[A-Za-z_][\w'.-]*|\.{1,2}\/[\w./+-]*|<[\w./-]+>|\d[\w.]*/y,
      ...{ ends: ';', statementsIn: ['block'], alone: /^(?:let|in)$/, top: /(?:let|in|rec|with)\b/y },
    },
  },
  objc: {
    ...{ ...C_LIKE, joins: ['->', '.'], imports: ['preproc_include', 'module_import'] },
    parsed: withoutMacros,
  },
  ocaml: {
    ...{ comments: ['comment'], blockComment: ['(*', '*)'], joins: ['.'], nameExtra: "'", imports: ['open_module'] },
    paths: { separator: '.', endings: ['.ml'] },
    // The grammar of implementations knows `val` in signatures only.
    framed: (text) => (/^val\s/m.test(text) && !/^let\s/m.test(text) ? ['module type S = sig ', '\nend'] : null),
  },
  perl: {
    ...{ lineComments: ['#'], joins: ['->', '::'], nameExtra: '$@%', importText: /^(?:use|require|package)\s/ },
    exported: { name: /^[^_]/ },
    paths: { separator: '::', endings: ['.pm', '.pl'], roots: ['lib', 't/lib'] },
    tokens: {
      comments: [
        ['__END__', '\0'],
        ...['pod', 'head', 'over', 'item', 'begin', 'for', 'encoding'].map((word) => [`=${word}`, '\n=cut'] as const),
        ['#', '\n'],
      ],
      strings: [QUOTED, SINGLE],
      word: /(?:\$#|[$@%&])?[A-Za-z_](?:\w|::(?=\w))*/y,
      ignored: /\$[#"'&`+!@/\\,;.]/y,
      ...{ ends: ';', endsAfter: 'block', statementsIn: ['block'], top: /(?:sub|package|use|our|BEGIN)[ \t]/y },
      blocks: { open: /^package\s+[\w:]+(?:\s+v?[\d.]+)?\s*;/, areFlat: true },
    },
  },
  powershell: {
    ...{ ...HASH, blockComment: ['<#', '#>'], joins: ['.', '::'], nameExtra: '$-' },
  },
  protobuf: {
    ...{ lineComments: ['//'], blockComment: ['/*', '*/'], importText: /^(?:syntax|edition|import|package|option)\b/ },
    paths: { roots: ['proto', 'protos', 'src', 'api'] },
    tokens: {
      comments: C_TOKENS,
      strings: [QUOTED, SINGLE],
      word: /\.?[A-Za-z_][\w.]*|\d[\w.]*/y,
      ...{ ends: ';', endsAfter: 'block', statementsIn: ['block'] },
    },
  },
  r: { ...HASH, joins: ['::', '$', '@'], nameExtra: '.', parsed: withoutProse },
  solidity: {
    ...{ ...C_LIKE, joins: ['.'], imports: ['import_directive', 'pragma_directive'] },
    exported: { notHead: /\bprivate\b/ },
    paths: { roots: ['contracts', 'src', 'lib'] },
  },
  verilog: { ...C_LIKE, joins: ['.'], repaired: withoutDirectives, paths: { roots: ['rtl', 'src', 'include', 'inc'] } },
  xml: { comments: ['Comment'], blockComment: ['<!--', '-->'] },
  zig: { ...C_LIKE, joins: ['.'], exported: { head: /\bpub\b|\bexport\b|^test\b/ } },
};

/** Without macros of Apple's headers; those that declare an enumeration become one: `typedef NS_ENUM(NSInteger, State) {`. */
function withoutMacros(text: string): string {
  return text
    .replace(APPLE_MACRO, (whole) => ' '.repeat(whole.length))
    .replace(NS_ENUM, (whole, name: string) => {
      const before = whole.lastIndexOf(name);
      return 'enum'.padEnd(before) + name.padEnd(whole.length - before);
    });
}

/** Without directives of Verilog's preprocessor, which can stand between any two words, and statements that are macros. */
function withoutDirectives(text: string): string {
  return text.replace(DIRECTIVE, (whole) => ' '.repeat(whole.length));
}

const DIRECTIVE =
  /`(?:(?:ifdef|ifndef|elsif)[ \t]+\w+|(?:else|endif|default_nettype|timescale|celldefine|endcelldefine|resetall|undef|line|pragma)\b[^\n]*)|^[ \t]*`(?!define\b|include\b)\w+(?:[ \t]*\([^()\n]{0,300}(?:\([^()\n]{0,300}\)[^()\n]{0,300}){0,4}\))?;?[ \t]*$/gm;

/** R Markdown without what stands outside of its pieces of R. */
function withoutProse(text: string): string {
  if (!/^```\{[rR]\b/m.test(text)) return text;
  let isCode = false;
  const lines = text.split('\n').map((line) => {
    const isFence = line.startsWith('```');
    if (isFence) isCode = /^```\{[rR]\b/.test(line);
    return isCode && !isFence ? line : ' '.repeat(line.length);
  });
  return lines.join('\n');
}

const NS_ENUM = /\btypedef[ \t]+(?:NS|CF)_(?:CLOSED_|ERROR_)?(?:ENUM|OPTIONS)\([ \t]*\w+[ \t]*,[ \t]*(\w+)[ \t]*\)/g;

const APPLE_MACRO =
  /\b(?:NS_(?:ASSUME_NONNULL_(?:BEGIN|END)|DESIGNATED_INITIALIZER|UNAVAILABLE|REQUIRES_SUPER|SWIFT_\w{1,40}|(?:CLASS_|ENUM_)?(?:AVAILABLE|DEPRECATED)\w{0,40}|EXTENSION_UNAVAILABLE\w{0,20}|RETURNS_\w{1,40}|FORMAT_\w{1,40}|NOESCAPE|ROOT_CLASS|INLINE)|(?:[A-Z]{1,8}_)?(?:API|__API|__OSX|__IOS)_[A-Z_]{1,40}|UI_APPEARANCE_SELECTOR|(?:FOUNDATION|UIKIT|CF|APPKIT)_(?:EXPORT|EXTERN)|DEPRECATED_(?:MSG_)?ATTRIBUTE|IBInspectable|IB_DESIGNABLE|__kindof|__block|__weak|__strong|__unused|__deprecated(?:_msg)?)\b(?:\([^()\n]{0,100}(?:\([^()\n]{0,100}\)[^()\n]{0,100}){0,8}\))?/g;

export function taggedRules(name: string): ParsingRules {
  const { lineComments = [], blockComment, quotes = '"\'', joins = [], nameExtra, paths: _, ...own } = FORMS[name];
  const lexical: LexicalConventions = { joins, nameExtra, quotes, lineComments, blockComment };
  const starts = lineComments.map((start) => start.replace(/[/*%;.!\\-]/g, '\\$&'));
  const docs = {
    line: starts.length === 0 ? undefined : new RegExp(`^(?:${starts.join('|')})`),
    block: blockComment,
  };
  const definitions: DefinitionRules = {
    ...{ tags: name, definitions: [], comments: ['comment'], exported: {}, docs },
    ...own,
  };
  const text = name === 'graphql' ? (sink: FactSink) => documentRequests(0, sink.source.length, sink) : undefined;
  return { definitions, relations: { lexical, nodes: {}, text } };
}

export const pathsOf = (name: string): ImportRules => pathImports(FORMS[name].paths ?? {});
