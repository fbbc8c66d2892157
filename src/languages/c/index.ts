/** C and C++, and the languages whose files include theirs: Objective-C, assembly, shaders. */
import type { LanguageId } from '../ids.js';
import { type Language, semantics, wordSet, words } from '../language.js';

const SEMANTICS = semantics({ family: 'c', transitive: true, globalFunctions: true, headers: true, openEnums: true });
const MAIN_NAMES = wordSet('main WinMain wmain');

/** Files that others include. Headers are C, C++ or Objective-C by their text. */
const INCLUDED = /\.(?:h|hh|hpp|hxx|h\+\+|ipp|inl|tpp|inc)$/i;
const HEADERS = words('h');

const imports = async () => (await import('./imports.js')).INCLUDES;

/** Frames for patterns: `f(x)` alone would be read as the type of a declaration. */
const IN_FUNCTION = [
  ['void f() { ', '; }'],
  ['void f() { ', ' }'],
  ['', ''],
] as const;

/** Files with all sources of a library, written by a tool, whose code ranks as high as that of the original files; pictures. */
const AMALGAMATED = /[/._-]amalgamat(?:ed|ion)\.(?:c|cc|cpp|cxx|h|hh|hpp|hxx)$|\.x[bp]m$/;

export const c: Language = {
  id: 'c',
  plain: 'code',
  extensions: words('c idc'),
  sharedExtensions: HEADERS,
  contentLanguage: headerLanguage,
  grammar: { name: 'c', around: IN_FUNCTION },
  relations: true,
  rules: async () => (await import('./c-rules.js')).c,
  imports,
  semantics: SEMANTICS,
  conventions: {
    variants: 'file',
    fixedFields: true,
    pastedNames: true,
    hiddenNames: 'lost-outside-types',
    mainNames: MAIN_NAMES,
    generatedPath: AMALGAMATED,
    includedPath: INCLUDED,
    parameters: { name: /(\w+)\s*(?:\[[^\]]*\]\s*)*$/, optional: /^(?!)/, rest: /^\.{3}$/, marker: /^void$/ },
  },
};

export const cpp: Language = {
  id: 'cpp',
  plain: 'code',
  extensions: words('cpp cc cxx c++ hpp hh hxx h++ ipp inl tpp cppm ixx cu cuh ino'),
  sharedExtensions: HEADERS,
  grammar: { name: 'cpp', around: IN_FUNCTION },
  relations: true,
  rules: async () => {
    const [definitions, relations] = await Promise.all([import('./c-rules.js'), import('./cpp-rules.js')]);
    return { definitions: definitions.cppDefinitions, relations: relations.cpp };
  },
  imports,
  semantics: {
    ...SEMANTICS,
    conversions: true,
    implicitThis: true,
    openNamespaces: true,
    parts: 'anywhere',
    wrappers: wordSet(
      'unique_ptr shared_ptr weak_ptr optional reference_wrapper future atomic scoped_ptr Ptr function',
    ),
    collections: wordSet(
      'vector array deque list forward_list set unordered_set multiset map unordered_map multimap span stack queue priority_queue initializer_list',
    ),
  },
  conventions: {
    variants: 'type',
    overloadsAreTold: true,
    fixedFields: true,
    pastedNames: true,
    accessLabel: /^\s*(public|protected|private)\s*(?:\w+\s*)?:(?!:)/,
    hiddenNames: 'lost-outside-types',
    mainNames: MAIN_NAMES,
    generatedPath: AMALGAMATED,
    includedPath: INCLUDED,
    // Members that the standard library's templates name, and those that loops and coroutines call.
    runtimeNames: wordSet(
      `iterator_category iterator_concept value_type difference_type pointer reference const_reference size_type iterator const_iterator
       key_type mapped_type key_compare hasher allocator_type container_type element_type char_type int_type pos_type off_type state_type
       traits_type result_type argument_type is_transparent is_always_equal rebind propagate_on_container_copy_assignment
       propagate_on_container_move_assignment propagate_on_container_swap promise_type await_ready await_suspend await_resume
       await_transform get_return_object initial_suspend final_suspend unhandled_exception return_void return_value yield_value begin end`,
    ),
  },
};

export const objectivec: Language = {
  id: 'objectivec',
  plain: 'code',
  extensions: words('m mm'),
  // MATLAB, Octave and Mathematica.
  foreign: /^\s*(?:%|function\b|classdef\b|clear\b|clc\b|\(\*)/,
  sharedExtensions: HEADERS,
  grammar: { name: 'objc', around: IN_FUNCTION },
  relations: true,
  rules: async () => (await import('../tagged/rules.js')).taggedRules('objc'),
  imports,
  semantics: SEMANTICS,
};

/** Nothing is collected from files of assembly and shaders: a graph only knows that they exist. */
export const assembly: Language = { id: 'assembly', plain: 'code', extensions: words('s asm nasm'), imports };
export const glsl: Language = { id: 'glsl', plain: 'code', extensions: words('glsl vert frag geom comp'), imports };
export const hlsl: Language = { id: 'hlsl', plain: 'code', extensions: words('hlsl fx'), imports };

/** Most characters that are looked at, without comments: they show what a header is long before. */
const MAX_TEXT = 64 * 1024;

/** Comments and literals, whose text proves nothing. */
const SILENT = /\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$)|\/\/[^\n]*|"(?:[^"\\\n]|\\.){0,500}"|'(?:[^'\\\n]|\\.){1,4}'/g;

/**
 * Beginnings of a header. Prose in a file whose name tells nothing is rarely like one: `# define` is followed by a name in capitals or by
 * one with a list or a value, since a heading of Markdown looks like it.
 */
const BEGINS = new RegExp(
  [
    /^#(?:if|ifdef|ifndef|define|undef|include|include_next|import|pragma|error|warning|ident|sccs|line)\b/,
    /^#[ \t]+(?:include(?:_next)?[ \t]*[<"]|(?:ifn?def|undef)[ \t]+\w+[ \t]*\r?\n|pragma[ \t]+\w|if[ \t]+(?:!|defined\b|[A-Z_(]))/,
    /^#[ \t]+define[ \t]+(?:\w+(?:\(|[ \t]+["(\d-])|[A-Z_][A-Z0-9_]*(?:[ \t]+\w+)?[ \t]*\r?\n)/,
    /^(?:extern|typedef|static inline|using namespace|constexpr)\b/,
    /^(?:(?:struct|union|enum) \w+ *[{;]|enum *\{|class \w+ *[:{;]|(?:inline )?namespace \w[^\n;.]{0,200}[{\n]|template *<)/,
    /^@(?:interface|protocol|class|import) /,
    /^(?:static|const|unsigned|void|int|char|long|double|float|bool|size_t|u?int\d+_t)\b[^\n]{0,200}[;{=[]/,
    // A prototype.
    /^(?:[a-zA-Z_]\w{0,60}[ \t*]+){1,5}\w{1,60}\([^;{}]{0,500}\);/,
  ]
    .map(({ source }) => source)
    .join('|'),
);

/** Signs of Objective-C at the start of a line, and of C++ anywhere. */
const OBJECTIVE_C =
  /^[ \t]*(?:@(?:interface|protocol|class|property|import|end)\b|#[ \t]*import\b|NS_ASSUME_NONNULL_BEGIN)/m;
const CPP = new RegExp(
  [
    /^[ \t]*(?:template[ \t]*<|(?:inline[ \t]+)?namespace\b|using[ \t]+\w|(?:public|private|protected)[ \t]*:)/,
    /^[ \t]*class[ \t]+(?:\w+[ \t]+)?\w+[ \t]*(?:final[ \t]*)?[:{;\n]/,
    /^[ \t]*(?:virtual|explicit|friend|constexpr|mutable)[ \t]+\w/,
    // A structure with a parent, and a member that overrides one. In C no field of a structure's type states its bits.
    /^[ \t]*struct[ \t]+(?:\w+[ \t]+)?\w+[ \t]*:[ \t]*\w|\)[ \t]*(?:const[ \t]*)?(?:override|final)[ \t]*[;{]/,
    /\w::~?\w|\boperator[ \t]*[^\w\s;,]|=[ \t]*(?:delete|default)[ \t]*;|\b(?:static_cast|dynamic_cast|reinterpret_cast|noexcept)\b/,
    // Headers of the standard library have no extension.
    /^[ \t]*#[ \t]*include[ \t]*<[a-z_]+>/,
    /^[ \t]*extern[ \t]+""[ \t]*(?:\{|\w)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'm',
);

/**
 * Language of a header by its text, since `.h` says none: C++ or Objective-C if it has something that C lacks, else C; null if the text
 * does not begin like a header. Parts for a C++ or Objective-C compiler only (`#ifdef __cplusplus`) do not count. Linear in the text.
 */
export function headerLanguage(text: string): LanguageId | null {
  const code = text
    .slice(0, MAX_TEXT)
    .replace(SILENT, (match) => (match[0] === '"' ? '""' : match[0] === "'" ? "''" : ' '));
  if (!BEGINS.test(code.trimStart())) return null;
  const common = withoutForeignParts(code);
  // A header for one compiler alone has nothing outside such parts.
  const seen = /[;{]/.test(common) ? common : code;
  if (OBJECTIVE_C.test(seen)) return 'objectivec';
  return CPP.test(seen) ? 'cpp' : 'c';
}

const CONDITION = /^[ \t]*#[ \t]*(if|ifdef|ifndef|else|elif|endif)\b(.*)$/;
const FOREIGN = /\b__(?:cplusplus|OBJC__)\b/;

/** Removes both branches of conditions on the compiler's language, with everything inside them. */
function withoutForeignParts(code: string): string {
  if (!FOREIGN.test(code)) return code;
  let depth = 0;
  let foreignAt = 0;
  const retained = code.split('\n').filter((line) => {
    const [, directive, condition] = CONDITION.exec(line) ?? [];
    if (directive?.startsWith('if')) {
      depth++;
      if (foreignAt === 0 && FOREIGN.test(condition)) foreignAt = depth;
    }
    const isRetained = foreignAt === 0;
    if (directive === 'endif') {
      if (foreignAt === depth) foreignAt = 0;
      depth = Math.max(0, depth - 1);
    }
    return isRetained;
  });
  return retained.join('\n');
}
