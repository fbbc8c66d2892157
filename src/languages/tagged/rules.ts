/**
 * Languages that data alone describes, by the names of their files of queries: comments, quotes, words and paths of each, texts that its
 * grammar is given instead of a file, and the uses of constants, variables and attributes in their own file.
 */
import type { ParsingRules } from '../language.js';
import type { DefinitionRules } from '../roles/definitions.js';
import { type ImportRules, type Paths, pathImports } from '../roles/project.js';
import { type DefinitionView, type FactSink, type LexicalConventions, perFile } from '../roles/relations.js';
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

// Values: constants, variables and attributes that a file defines, and where it uses them by name

/** How a language writes names of values. */
interface ValueForm {
  /** Comments and strings, with groups `text` for strings that interpolate. */
  skipped: RegExp;
  /** The name is a group, or the whole. */
  word: RegExp;
  /** Interpolations in such strings. */
  inside?: RegExp;
  /** Text behind a name that gives it a value. */
  writes: RegExp;
  /** Text before a name that makes it a local of the function around, in languages where an assignment alone does not. */
  declares?: RegExp;
  /** Text before a name that is a member of something else. */
  member: RegExp;
  ignoresCase?: true;
}

const WORDS = /[\p{L}_][\p{L}\p{N}_]*!?/gu;
const ASSIGNED = /^\s*(?:[-+*/|&^.]|\|\||&&|\/\/)?=(?![=~>])/;
const SIGIL = /[$@%]#?\{?(?:(?:script|global|local|using):)?(?:\w+::)*([A-Za-z_]\w*)/gi;

const VALUE_FORMS: Readonly<Record<string, ValueForm>> = {
  julia: {
    skipped: /#=[\s\S]*?(?:=#|$)|#[^\n]*|'(?:\\.|[^'\\\n])'|(?<text>"(?:[^"\\]|\\[\s\S])*(?:"|$))/g,
    word: WORDS,
    inside: /\$(?:\(([^()]{0,200})\)?|([\p{L}_][\p{L}\p{N}_]*))/gu,
    writes: ASSIGNED,
    member: /[.:]$/,
  },
  r: {
    skipped: /#[^\n]*|"(?:[^"\\]|\\[\s\S])*(?:"|$)|'(?:[^'\\]|\\[\s\S])*(?:'|$)/g,
    word: /[\p{L}.][\p{L}\p{N}_.]*/gu,
    writes: /^\s*(?:<<?-|=(?!=))/,
    member: /(?:[$@]|::)\s*$/,
  },
  perl: {
    skipped: /(?<=^|\s)#[^\n]*|^=[a-z]+[\s\S]*?(?:^=cut\b|$(?![\s\S]))/gm,
    // Constants have no sign.
    word: new RegExp(`${SIGIL.source}|(?<![\\w$@%&"'{>-])([A-Z][A-Z\\d_]{2,})\\b(?!["'])`, 'g'),
    writes: ASSIGNED,
    declares: /\b(?:my|state|local)\s*\(?[^;{}=]*$/,
    member: /(?!)/,
  },
  powershell: {
    skipped: /<#[\s\S]*?(?:#>|$)|(?<=^|\s)#[^\n]*|'[^']*(?:'|$)/gm,
    word: SIGIL,
    writes: ASSIGNED,
    member: /(?!)/,
    ignoresCase: true,
  },
  groovy: {
    skipped: /\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n]*|(?<text>"(?:[^"\\]|\\[\s\S])*(?:"|$))|'(?:[^'\\]|\\[\s\S])*(?:'|$)/g,
    word: WORDS,
    inside: /\$(?:\{([^{}]{0,200})\}?|([A-Za-z_]\w*))/g,
    writes: ASSIGNED,
    declares: /(?:\bdef|\bfinal|[\w>\]])[ \t]+$/,
    member: /(?<!\bthis)\.$/,
  },
  nix: {
    skipped:
      /\/\*[\s\S]*?(?:\*\/|$)|#[^\n]*|(?<text>"(?:[^"\\]|\\[\s\S])*(?:"|$)|''(?:[^']|'(?!')|''['$\\])*(?:''|$))/g,
    word: /[A-Za-z_][\w'-]*/g,
    inside: /\$\{([^{}]{0,200})\}?/g,
    // A parameter has a colon behind it.
    writes: /^\s*(?:=(?!=)|:(?!:))/,
    member: /(?<!\b(?:self|final|rec))\.$/,
  },
};

/** Values and functions that a file defines: `rememberValue` collects them, and `stateValues`, which runs behind it, looks names up. */
interface Values {
  /** Names as written, by the name as it is looked up. */
  names: Map<string, string>;
  /** Offsets of the names in the definitions. */
  at: Set<number>;
  functions: { start: number; signatureEnd: number; end: number }[];
}

const valuesOf = perFile((): Values => ({ names: new Map(), at: new Set(), functions: [] }));
const VALUE_KINDS: ReadonlySet<string> = new Set(['constant', 'variable', 'field', 'property']);
/** Longest text before a name that is looked at, and longest head of a function with parameters. */
const MAX_BEFORE = 80;
const MAX_HEAD = 400;

function rememberValue(draft: DefinitionView, sink: FactSink, { ignoresCase }: ValueForm): void {
  const { kind, name, start, nameStart, signatureEnd, end } = draft;
  const known = valuesOf(sink);
  if (VALUE_KINDS.has(kind)) {
    known.names.set(ignoresCase === true ? name.toLowerCase() : name, name);
    known.at.add(nameStart);
  } else if (kind === 'function' || kind === 'method') known.functions.push({ start, signatureEnd, end });
}

/** States uses of the values that the file defines. In a function that has a parameter or a local of such a name, it means that one. */
function stateValues(sink: FactSink, form: ValueForm): void {
  const known = valuesOf(sink);
  if (known.names.size === 0) return;
  const uses = [...namesUsed(sink.source, form, known)].filter(({ at }) => !known.at.has(at));
  const functions = known.functions.sort((a, b) => a.start - b.start);
  let last = -1;
  let until = 0;
  let own: Set<string> = new Set();
  for (const [i, { at, name, isWrite }] of uses.entries()) {
    while (last + 1 < functions.length && functions[last + 1].start <= at) {
      last++;
      const { end, start, signatureEnd } = functions[last];
      if (start < until) continue;
      until = end;
      own = ownNames(sink.source, form, { start, end, head: Math.min(signatureEnd, start + MAX_HEAD) }, uses, i);
    }
    if (at < until && own.has(name)) continue;
    sink.reference(at, at + name.length, isWrite ? 'write' : 'read', name);
  }
}

interface ValueUse {
  at: number;
  name: string;
  isWrite: boolean;
  isDeclared: boolean;
}

/** Names of parameters and locals of a function, among those that are used in it. */
function ownNames(
  source: string,
  { declares }: ValueForm,
  { start, end, head }: { start: number; end: number; head: number },
  uses: readonly ValueUse[],
  from: number,
): Set<string> {
  const own = new Set<string>();
  // Parameters stand in the first brackets.
  const open = source.indexOf('(', start);
  const close = open === -1 || open > head ? -1 : source.indexOf(')', open);
  for (let i = from; i < uses.length && uses[i].at < end; i++) {
    const { at, name, isWrite, isDeclared } = uses[i];
    const isGlobal = /(?:\bglobal\s+|(?:script|global):)$/i.test(source.slice(Math.max(start, at - 12), at));
    const isSuper = source.startsWith('<<-', at + name.length) || source.startsWith(' <<-', at + name.length);
    const isLocal = declares === undefined ? isWrite && !isGlobal && !isSuper : isDeclared;
    if (isLocal || (at > open && at < close)) own.add(name);
  }
  return own;
}

/** Names of values in the code of a text. */
function* namesUsed(source: string, form: ValueForm, { names }: Values): Generator<ValueUse> {
  let from = 0;
  for (const match of source.matchAll(form.skipped)) {
    yield* namesBetween(source, from, match.index, form, names);
    from = match.index + match[0].length;
    const text = match.groups?.text;
    if (text !== undefined && form.inside !== undefined)
      for (const { 0: whole, index } of text.matchAll(form.inside))
        yield* namesBetween(source, match.index + index + 1, match.index + index + whole.length, form, names);
  }
  yield* namesBetween(source, from, source.length, form, names);
}

function* namesBetween(
  source: string,
  from: number,
  to: number,
  { word, writes, declares, member, ignoresCase }: ValueForm,
  names: ReadonlyMap<string, string>,
): Generator<ValueUse> {
  for (const { 0: whole, 1: signed, 2: inner = signed ?? whole, index } of source.slice(from, to).matchAll(word)) {
    const name = names.get(ignoresCase === true ? inner.toLowerCase() : inner);
    const at = from + index + whole.length - inner.length;
    const before = name === undefined ? '' : source.slice(Math.max(0, from + index - MAX_BEFORE), from + index);
    if (name === undefined || member.test(before)) continue;
    const isWrite = writes.test(source.slice(at + inner.length, at + inner.length + MAX_BEFORE));
    yield { at, name, isWrite, isDeclared: declares?.test(before) === true };
  }
}

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
  const form = VALUE_FORMS[name];
  if (form !== undefined)
    return {
      definitions,
      relations: {
        ...{ lexical, nodes: {}, text: (sink) => stateValues(sink, form) },
        definition: (draft, sink) => rememberValue(draft, sink, form),
      },
    };
  const text = name === 'graphql' ? (sink: FactSink) => documentRequests(0, sink.source.length, sink) : undefined;
  return { definitions, relations: { lexical, nodes: {}, text } };
}

export const pathsOf = (name: string): ImportRules => pathImports(FORMS[name].paths ?? {});
