/**
 * Macros in places where the grammars of C and C++ cannot read them: texts of the same length without them. What they stand for is written
 * in another file.
 */
import { type Mask, maskedRanges } from '../roles/declarations.js';
import type { LexicalConventions } from '../roles/relations.js';
import { type Blank, blanked, brokenConditions, closingOf } from '../roles/scan.js';

/** A name that hardly ever is anything but a macro. */
const MACRO = '[A-Z][A-Z0-9_]{2,}';
/** Arguments without two words side by side, which parameters of a function have: `(mu_)`, `("x",8)`. */
const ARGUMENTS = '\\([^\\s(){};,]{0,60}(?:,[ \\t]*[^\\s(){};,]{1,60}){0,4}\\)';
const TYPE = '[\\w:]+(?:<[^;{}()\\n]{0,80}>)?[ \\t*&]+';

/** `class API Cart : Base {`, `class API Cart;` */
const IN_TYPE_HEAD = new RegExp(
  `\\b(?:class|struct|union)[ \\t]+(${MACRO}(?:${ARGUMENTS})?)(?=\\s+\\w+\\s*(?:final\\s*)?(?:[{]|:[^:]|<[^;{}]{0,80}>\\s*[:{])|[ \\t]+\\w+;)`,
  'g',
);
/** `API Cart* add(int count);`, `static API void f() {`, `API Cart::Cart(int count)` */
const BEFORE_FUNCTION = new RegExp(
  `^[ \\t]*(?:template[ \\t]*<[^<>\\n]{0,80}>[ \\t]*)?(?:(?:static|inline|constexpr|virtual|extern|explicit|friend)[ \\t]+){0,3}(${MACRO}(?:[ \\t]+${MACRO}){0,2})(?=[ \\t]+(?:(?:${TYPE}){1,4}(?:\\w+(?:<[^;{}()\\n]{0,80}>)?::){0,4}~?\\w+[ \\t]*\\(|(?:\\w+::){0,4}(\\w+)::~?\\2[ \\t]*\\())`,
  'gm',
);
/** `CJSON_PUBLIC(Cart *) add(int count)` */
const AROUND_RESULT = new RegExp(
  `^[ \\t]*(?:(?:static|inline|extern)[ \\t]+){0,2}(${MACRO}\\()((?:const[ \\t]+)?[A-Za-z_][\\w \\t]{0,60}\\*{0,2}[ \\t]*)\\)(?=[ \\t]*[A-Za-z_]\\w*[ \\t]*\\()`,
  'gm',
);
/** `int add() const LOCKED(mu_);`, `Cart() NOEXCEPT {` */
const BEHIND_FUNCTION = new RegExp(
  `\\)(?:\\s*\\b(?:const|noexcept|override|final)\\b){0,3}\\s*(${MACRO}(?:${ARGUMENTS})?)(?=\\s*(?:[;{]|=[ \\t]*(?:0|default|delete)\\b|:[^:]))`,
  'g',
);
/** `Cart cart_ GUARDED_BY(mu_);` */
const BEHIND_FIELD = new RegExp(
  `[\\w>][ \\t*&]+(?!(?:long|int|char|short|void|bool|auto|float|double|unsigned|signed|const|inline|static|return|delete|new|throw|else|case|goto|operator|typename)\\b)[a-z]\\w*(?:\\[\\w*\\])?[ \\t]+(${MACRO}${ARGUMENTS})(?=\\s*[;={])`,
  'g',
);
/** `BEGIN_NAMESPACE`, alone on its line, between whole statements or directives. */
const ALONE = new RegExp(
  `^[ \\t]*(${MACRO})[ \\t]*\\r?\\n(?![ \\t]*[a-z_]\\w*[ \\t]*\\([^;{}]{0,300}\\)\\s*\\{)(?=\\s*(?:[a-z#}]|//|/\\*|[A-Z]+_|$))`,
  'gm',
);

/** `import shop;`, `export module shop:cart;`, `module;`: modules of C++, which the grammar takes for variables. */
const MODULE =
  /^[ \t]*((?:export[ \t]+)?(?:import|module)(?:[ \t]+[\w.:]+|[ \t]*[<"][^<>"\n]+[>"])?[ \t]*;)[ \t]*\r?$/gm;
/** `export namespace shop {` */
const EXPORTED =
  /^[ \t]*(export)(?=[ \t]+(?:namespace|template|class|struct|enum|union|inline|constexpr|using|extern|concept|auto|void|int|bool)\b)/gm;

/** `static THREAD_LOCAL struct {`, `static THREAD_LOCAL cart_t *cart;` */
const BEHIND_STATIC = new RegExp(
  `^(?:static|extern)[ \\t]+(${MACRO})[ \\t]+(?=(?:struct|union|enum)\\b|[a-z_]\\w*[ \\t*]+\\w+[ \\t]*(?:\\[|=[^=]|;))`,
  'gm',
);
/** `THREAD_LOCAL struct cart cart = { 0 };` */
const BEFORE_STRUCT = new RegExp(
  `^(${MACRO})[ \\t]+(?=(?:struct|union|enum)[ \\t]+\\w+[ \\t*]+\\w+[ \\t]*(?:\\[|=[^=]|;))`,
  'gm',
);
/** `int INTERNAL carts = 0;` */
const BEHIND_PRIMITIVE =
  /^(?:(?:static|extern|const)[ \t]+){0,3}(?:(?:unsigned|signed|long|short|int|char|float|double|void|bool)[ \t]+){1,3}([A-Z][A-Z0-9_]{2,})[ \t]+(?=[a-z_]\w*[ \t]*(?:\[|=[^=]|;))/gm;
/** `int inflate OF((int flush));`, `typedef int (*run) __P((int));`: a list of parameters that old compilers were spared. */
const PROTOTYPE =
  /^[ \t]*(?!(?:return|else|case|goto)\b)[A-Za-z_][\w \t*]{2,200}?(?:\(\*\w{1,80}\))?[ \t](_{0,2}[A-Z][A-Z0-9_]{0,40}[ \t]{0,8}\()(?=\()/gm;
/** Before it: the type and the name, or a pointer. */
const DECLARED_BEFORE = /\w[ \t*]+\w+[ \t]*$|\(\*\w+\)[ \t]*$/;
/** `typedef double _Complex number;` */
const COMPLEX = /\b(?:float|double)[ \t]+(_Complex|__complex__|_Imaginary)\b/g;
/** A macro whose text begins a comment in a string, which the grammar takes for one. */
const COMMENT_IN_STRING = /^[ \t]*#[ \t]*define\b[^\n]*"[^"\n]*\/\*/m;
/** `FOO int f(PARAMS) BAR baz`, then another function: the first has no body, and must not take that of the second. */
const BODILESS =
  /^[A-Za-z_][^\n;{}#]*\)[ \t]+([A-Za-z_][\w \t]*)\r?\n(?=[A-Za-z_][\w \t*]{0,100}[ \t*]\w+[ \t]*\([^;{}()]*\)\s*\{)/gm;
/** Words that begin the declaration behind it. */
const BEGINS =
  /\b(?:static|inline|extern|const|volatile|unsigned|signed|struct|union|enum|noexcept|override|final|int|char|void|long|short|float|double|bool|auto|register)$/;

/** Words before a bracket that is no list of parameters. */
const CONTROL = /^(?:if|for|while|switch|catch|return|sizeof|decltype|alignas|[A-Z][A-Z0-9_]*)$/;
/** Longest list of parameters, and longest text between two statements. UTF-16 units. */
const MAX_BACK = 1_000;

/** Blanks such macros and keeps the length; a macro that begins a definition becomes a word of the language. */
export function withoutMacros(text: string): string {
  const blank: Blank[] = [];
  const add = (match: RegExpExecArray, by = ''): void => {
    const start = match.index + match[0].lastIndexOf(match[1]);
    blank.push([start, start + match[1].length, by]);
  };
  for (const match of text.matchAll(IN_TYPE_HEAD)) {
    // `struct FILE file;` declares a variable.
    if (match[0].startsWith('class') || !/^[ \t]+\w+;/.test(text.slice(match.index + match[0].length).slice(0, 80)))
      add(match);
  }
  for (const match of text.matchAll(BEFORE_FUNCTION)) {
    if (match[1].length >= 6) add(match, 'inline');
  }
  for (const match of text.matchAll(AROUND_RESULT)) {
    const close = match.index + match[0].length - 1;
    const start = match.index + match[0].indexOf(match[1]);
    if (match[1].length >= 7) blank.push([start, start + match[1].length, 'inline'], [close, close + 1, '']);
  }
  for (const match of text.matchAll(BEHIND_FUNCTION)) if (isDeclared(text, match.index)) add(match);
  for (const pattern of [BEHIND_FIELD, BEHIND_STATIC, BEFORE_STRUCT, BEHIND_PRIMITIVE, COMPLEX])
    for (const match of text.matchAll(pattern)) add(match);
  for (const match of text.matchAll(PROTOTYPE)) prototype(text, match, blank);
  for (const match of text.matchAll(BODILESS)) {
    const end = match.index + match[0].trimEnd().length;
    if (!BEGINS.test(match[1].trimEnd())) blank.push([end - match[1].trimEnd().length, end, ';']);
  }
  if (COMMENT_IN_STRING.test(text))
    for (const match of text.matchAll(MACRO_LINES)) commentsInStrings(match[0], match.index, blank);
  for (const match of text.matchAll(ALONE)) if (isBetween(text, match.index)) add(match);
  for (const match of text.matchAll(MODULE)) add(match);
  for (const match of text.matchAll(EXPORTED)) add(match);
  return blank.length === 0 ? text : blanked(text, blank);
}

/** `OF((int flush))` becomes `(int flush)`. */
function prototype(text: string, match: RegExpExecArray, blank: Blank[]): void {
  const open = match.index + match[0].length;
  if (!DECLARED_BEFORE.test(match[0].slice(0, -match[1].length))) return;
  const close = closingOf(text, open - 1, Math.min(text.length, open + MAX_CALL), BRACKETS);
  if (!/^\)\s*\)$/.test(text.slice(text.lastIndexOf(')', close - 2), close))) return;
  blank.push([open - match[1].length, open, ''], [close - 1, close, '']);
}

function commentsInStrings(macro: string, offset: number, blank: Blank[]): void {
  for (const { 0: literal, index } of macro.matchAll(IN_MACRO)) {
    if (literal[0] !== '"') continue;
    for (const { index: at } of literal.matchAll(/\/\*/g))
      blank.push([offset + index + at + 1, offset + index + at + 2, '']);
  }
}

/** Does the bracket close a list of parameters? That of a directive closes none. */
function isDeclared(text: string, close: number): boolean {
  if (/^[ \t]*#/.test(text.slice(text.lastIndexOf('\n', close) + 1, close))) return false;
  let depth = 0;
  for (let at = close; at >= 0 && close - at < MAX_BACK; at--) {
    if (text[at] === ')') depth++;
    else if (text[at] === '(' && --depth === 0) {
      const name = /([\w~]+)\s*$/.exec(text.slice(Math.max(0, at - 80), at))?.[1];
      return name !== undefined && !CONTROL.test(name);
    } else if (text[at] === ';' || text[at] === '{') return false;
  }
  return false;
}

/** Does a line begin behind the end of a statement, a block, a comment or a directive? */
function isBetween(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - MAX_BACK), at).trimEnd();
  const line = before.slice(before.lastIndexOf('\n') + 1);
  return before === '' || /[;}]$|\*\/$/.test(before) || /^\s*(?:#|\/\/)/.test(line) || ALONE_BEFORE.test(line);
}

const ALONE_BEFORE = new RegExp(`^\\s*${MACRO}$`);

// Forms that are blanked only in files where the grammar found mistakes: it reads most of them, but not everywhere.

/** Attributes and conventions in lower case that the grammars know. */
const KNOWN =
  '__(?:attribute|declspec|based|cdecl|clrcall|stdcall|fastcall|thiscall|vectorcall|restrict|extension|volatile|const|inline|forceinline|asm|alignof|typeof|int\\d+|float\\d+|unaligned|thread|builtin\\w*|func|auto_type|complex|real|imag)(?:__)?\\b';
/** A macro by its form, `__init`, `Q_SLOTS`; behind a type also in lower case. */
const ATTRIBUTE = `(?!${KNOWN})(?:__[a-z]\\w{0,40}|asmlinkage|noinline\\w{0,20}|notrace|noinstr|_[A-Z][A-Z0-9_]{2,40}_|${MACRO})\\b`;
/** Such a macro in lower case, `printflike(1, 2)`: its arguments are numbers. */
const NUMBERED = '[a-z]\\w{1,40}[ \\t]*\\(\\d[\\d, \\t]{0,20}\\)';
/** `(1, 2)` */
const SIMPLE_ARGUMENTS = '(?:\\([\\w,\\-+. \\t"]{0,80}\\))?';
const STARTS = '(?:(?:static|inline|extern|const|virtual|explicit|friend)[ \\t]+){0,4}';
const STARTS_WITH_ATTRIBUTES = `(?:(?:static|inline|extern|const|virtual|explicit|friend|${ATTRIBUTE})[ \\t]+){0,4}`;
const RESULT =
  '(?:(?:(?:unsigned|signed|long|short|int|char|float|double|void|bool)[ \\t]+){0,3}(?:unsigned|signed|long|short|int|char|float|double|void|bool)|(?:struct|union|enum|class)[ \\t]+\\w+|(?!(?:return|else|case|goto|do|sizeof|new|delete|throw|typedef|using|namespace|define|public|private|protected|static|inline|extern|const|virtual|explicit|friend|struct|union|enum|class)\\b)[A-Za-z_][\\w:]*(?:<[^;{}()\\n]{0,80}>)?)(?:[ \\t]+const)?';
/** `static int __init start(void)`, `int WINAPI run(`, `int __printf(1, 2) log(const char *)`. */
const AFTER_RESULT = new RegExp(
  `^[ \\t]*${STARTS_WITH_ATTRIBUTES}${RESULT}(?:[ \\t]+|(?:[ \\t]+${ATTRIBUTE})?[ \\t]*\\*{1,3}[ \\t]*)((?:(?:${NUMBERED}|${ATTRIBUTE}${SIMPLE_ARGUMENTS})[ \\t\\r]*(?:\\n[ \\t]*)?){1,4})(?=\\**[A-Za-z_][\\w:]*[ \\t]*\\()`,
  'gm',
);
/** `const char FAR * name(void)` */
const BEFORE_POINTER = new RegExp(
  `^[ \\t]*${STARTS_WITH_ATTRIBUTES}${RESULT}[ \\t]+(${ATTRIBUTE})(?=[ \\t]*\\*{1,3}[ \\t]*(?:${ATTRIBUTE}[ \\t]+)?[A-Za-z_]\\w*[ \\t]*\\()`,
  'gm',
);
/** `__init static int start(void)`, `static __always_inline int run(void)`, `__printf(1, 2)` above a function. */
const BEFORE_RESULT = new RegExp(
  `^[ \\t]*${STARTS}((?:${ATTRIBUTE}${SIMPLE_ARGUMENTS}[ \\t\\r]*(?:\\n[ \\t]*)?){1,4})(?=(?:${STARTS}${RESULT}(?:[ \\t*]+(?:\\r?\\n)?|\\r?\\n)[ \\t]*){1,2}[\\w:]+[ \\t]*\\()`,
  'gm',
);
const PRIMITIVE_RESULT = '(?:unsigned|signed|long|short|int|char|float|double|void|bool)';
/** `static void yynoreturn stop(int code)`: a macro in lower case. */
const LOWER_AFTER_RESULT = new RegExp(
  `^[ \\t]*${STARTS}(?:${PRIMITIVE_RESULT}[ \\t]+){1,3}\\*{0,2}(?!${PRIMITIVE_RESULT}\\b|${KNOWN}|(?:const|volatile|restrict|inline|static|register|operator|constexpr|friend|virtual)\\b)([a-z_]\\w+)[ \\t]+(?=\\*{0,2}[a-z_]\\w*[ \\t]*\\()`,
  'gm',
);
/** `static CONST double tens[] = {` */
const BEFORE_VARIABLE = new RegExp(
  `^[ \\t]*${STARTS}(${MACRO})[ \\t]+(?=(?:${PRIMITIVE_RESULT}[ \\t*]+){1,3}\\w+[ \\t]*(?:\\[|=|;))`,
  'gm',
);
/** `(__unused struct cart *c, UNUSED int n)` */
const BEFORE_PARAMETER = new RegExp(
  `[(,][ \\t]*(?:\\r?\\n[ \\t]*)?(${ATTRIBUTE})[ \\t]+(?=(?:const[ \\t]+)?(?:(?:struct|union|enum)[ \\t]+)?[a-z]\\w*[ \\t*]+\\w+[ \\t]*(?:\\[\\w*\\])?[,)])`,
  'g',
);
/** `static RB_HEAD(name, cart) carts;` */
const MACRO_TYPE = new RegExp(
  `^[ \\t]*(?:static[ \\t]+)?${MACRO}[ \\t]*(\\([\\w, \\t*]{0,80}\\))(?=[ \\t]+\\*{0,2}[A-Za-z_]\\w*[ \\t]*(?:;|=(?!=)))`,
  'gm',
);
/** `#if __has_include(<a/b.h>)` */
const HAS_INCLUDE = /\b__has_include(?:_next)?[ \t]*\([ \t]*(<[^<>\n]{1,200}>|"[^"\n]{1,200}")/g;
/** `int __stdcall run();`: the grammar of C++ reads it in definitions alone. */
const CONVENTION = /\b(__(?:cdecl|stdcall|fastcall|thiscall|vectorcall|clrcall))(?=[ \t]+[\w:]+[ \t]*\()/g;
/** `LIB_EXPORT template <class T>`, `LIB_BEGIN namespace shop {` */
const BEFORE_HEAD = new RegExp(
  `^[ \\t]*(${MACRO})[ \\t]+(?=template[ \\t]*<|namespace[ \\t]+\\w|(?:class|struct|enum)[ \\t]+\\w+[ \\t]*[:{])`,
  'gm',
);
/** `class Cart FINAL : public Base {` */
const AFTER_TYPE_NAME = new RegExp(`\\b(?:class|struct)[ \\t]+\\w+[ \\t]+(${MACRO})(?=\\s*(?::[^:]|\\{))`, 'g');
/** `(cart *c UNUSED, int n)` */
const AFTER_PARAMETER = new RegExp(
  `[\\w*][ \\t*]+(?!(?:sizeof|return|case|struct|enum|union|const|unsigned|signed|class|typename)\\b)[a-z_]\\w*[ \\t]+(${MACRO})(?=\\s*[,)])`,
  'g',
);
/** A call between definitions, `FLAG(int, size, 8, "…");`, also without the semicolon; or a statement with types as arguments. */
const CALL_BETWEEN = new RegExp(`^([ \\t]*)${MACRO}[ \\t]*\\(`, 'gm');
const TYPE_ARGUMENT =
  /[(,]\s*(?:const\s+)?(?:unsigned|signed|int|char|long|short|float|double|void|bool|struct|class|enum)\b|<\s*>/;
/** A line that goes on, with two characters at its end: the grammars do not know that in strings. */
const GOES_ON_IN_WINDOWS = /\\\r\n/g;
/** `extern "C" __declspec(dllimport) int run();` */
const AFTER_LINKAGE = /\bextern[ \t]+"C(?:\+\+)?"[ \t]+((?:__declspec[ \t]*\([^()\n]{0,80}\)[ \t]*){1,2})(?=\w)/g;
/** `std::enable_if_t<C>* = nullptr)`: a parameter without a name. */
const NAMELESS_DEFAULT = /[>\w][ \t]*\*([ \t]*=[ \t]*(?:nullptr|NULL|0))(?=[ \t]*[,)])/g;
/** `inline friend` */
const BEFORE_FRIEND = /\b((?:inline|constexpr|static)[ \t]+)(?=friend\b)/g;
/** `int run(void) __acquires(lock) {` */
const AFTER_PARAMETERS = new RegExp(`\\)[ \\t]*(?:\\n[ \\t]*)?(${ATTRIBUTE}${SIMPLE_ARGUMENTS})(?=\\s*[;{])`, 'g');
/** `typedef int (WINAPI *run)(int)` */
const IN_POINTER = new RegExp(`\\([ \\t]*(${ATTRIBUTE})(?=[ \\t]*\\*[ \\t]*\\w*[ \\t]*\\)[ \\t]*\\()`, 'g');
/** `public Q_SLOTS:`, `Q_SIGNALS:` */
const SECTION =
  /^[ \t]*(?:(?:public|protected|private)[ \t]+((?:Q_)?(?:SLOTS|slots))|(Q_SIGNALS|signals))[ \t]*:(?!:)/gm;
/** `class Cart`, then `final` between `#ifdef` and `#endif`. */
const IF_FINAL = /^([ \t]*#[ \t]*if[^\n]{0,200}\n[ \t]*final[ \t\r]*\n[ \t]*#[ \t]*endif[^\n]{0,200})$/gm;
/** A call on a line of its own, without a semicolon: `log_do_begin(lock)`. */
const CALL_ALONE =
  /^[ \t]+(?!(?:if|for|while|switch|catch|return|else|do|sizeof|case|typedef|using|new|delete|throw|operator|asm|__attribute__|__declspec|alignas|requires)\b)[A-Za-z_]\w*[ \t]*\(([^;{}()\n]*(?:\([^;{}()\n]*\)[^;{}()\n]*){0,8})\)[ \t]*(?:\/\*[^*\n]*\*\/[ \t]*)?\r?$/gm;
/** Behind such a call: no body, no list of initializers, no operator that goes on. */
const GOES_ON = /^\s*(?:[{:.,?&|+*/=<>)\-^%[(]|(?:const|noexcept|override|final|throw|volatile)\b)/;
/** Before it: the end of a statement, a block or such a call. */
const STATEMENT_BEFORE = /(?:[;{}):]|\*\/)$/;
/** The longest delimiter that is allowed, which the grammar does not read. */
const RAW_TEXT = /R"([^()\\\s"]{16})\(/g;
/** A macro with all of its lines, and a literal or a comment in it. */
const MACRO_LINES = /^[ \t]*#[ \t]*define\b(?:[^\\\n]|\\(?!\r?\n))*(?:\\\r?\n(?:[^\\\n]|\\(?!\r?\n))*)*/gm;
/** A macro with all of its lines, which is one of those between the values of a list if a comma or a bracket stands before it. */
const DIRECTIVE_LINES =
  /^([ \t]*#[ \t]*(?:define|undef)\b(?:[^\\\n]|\\(?!\r?\n))*(?:\\\r?\n(?:[^\\\n]|\\(?!\r?\n))*)*)/gm;
/** Comments and directives at the end of a text. */
const ASIDE_BEFORE = /(?:\/\*(?:[^*]|\*(?!\/))*\*\/|\n[ \t]*#[^\n]*|\/\/[^\n]*)\s*$/;
const MAX_ASIDES = 3;
const IN_MACRO = /"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?/g;

/** `local once_t made = ONCE_INIT;`: of three words in lower case the first is a macro. */
const LOWER_BEFORE_VARIABLE = new RegExp(
  `^(?!${PRIMITIVE_RESULT}\\b|(?:static|inline|extern|const|volatile|register|struct|union|enum|class|typedef|typename|return|else|goto|case|using|namespace|new|delete|throw|constexpr|mutable|thread_local|auto|friend|virtual|explicit|template|public|private|protected|operator|co_return|co_yield|co_await|export|import|module)\\b|${KNOWN})([a-z_]\\w*)[ \\t]+(?=(?:const[ \\t]+)?(?!(?:operator|final|override)\\b)[a-z_]\\w*(?:[ \\t]+\\*{0,2}|[ \\t]*\\*{1,2}[ \\t]*)[a-z_]\\w*[ \\t]*(?:\\[[^\\]\\n]*\\][ \\t]*)?(?:=[^=]|;))`,
  'gm',
);

const PLAIN = [
  LOWER_BEFORE_VARIABLE,
  BEFORE_HEAD,
  AFTER_TYPE_NAME,
  AFTER_PARAMETER,
  LOWER_AFTER_RESULT,
  BEFORE_VARIABLE,
  BEFORE_PARAMETER,
  MACRO_TYPE,
  CONVENTION,
  AFTER_LINKAGE,
];

/** Forms of C++23 and 26: a named object, conditions of compilation, attributes, elements of packs, contracts. */
const NEWER: readonly Mask[] = [
  [
    /\(\s*(this)(?=[ \t]{1,4}(?:const[ \t]{1,4})?[A-Za-z_][\w:<>]{0,80}(?:[ \t]{0,4}[&*]{1,2})?[ \t]{0,4}\w{0,80}[,)])/g,
  ],
  [/\bif[ \t]+(!?[ \t]*consteval)(?=[ \t]*\{)/g, '(true)'],
  [/\][ \t]*(\[\[[^[\]\n]{1,80}\]\])(?=[ \t]*[({])/g],
  [/(\[\[assume\([^;\n]{1,200}?\)\]\])(?=[ \t]*;)/g],
  [/\b\w+(\.\.\.\[[^\][\n]{1,80}\])/g],
  [/\)(?:[ \t]*(?:const|noexcept)\b)?((?:\s+(?:pre|post)[ \t]*\([^(){};\n]{1,200}\)){1,4})(?=\s*\{)/g],
];

/** The text, of the same length, without attributes, calls and comments that the grammars of C and C++ do not know in their places. */
export function repairedC(text: string): string {
  const blank: Blank[] = maskedRanges(text, NEWER);
  const add = (match: RegExpExecArray, group = 1): void => {
    const found = match[group];
    const start = match.index + match[0].lastIndexOf(found);
    blank.push([start, start + found.trimEnd().length, '']);
  };
  for (const pattern of [AFTER_RESULT, BEFORE_POINTER, IN_POINTER, NAMELESS_DEFAULT, BEFORE_FRIEND, ...PLAIN])
    for (const match of text.matchAll(pattern)) add(match);
  for (const match of text.matchAll(AFTER_PARAMETERS)) if (isDeclared(text, match.index)) add(match);
  for (const match of text.matchAll(SECTION)) {
    if (match[1] !== undefined) add(match);
    else blank.push([match.index + match[0].indexOf(match[2]), match.index + match[0].lastIndexOf(':'), 'public']);
  }
  for (const match of text.matchAll(HAS_INCLUDE)) {
    const end = match.index + match[0].length;
    blank.push([end - match[1].length, end, '0']);
  }
  for (const match of text.matchAll(MACRO_LINES)) commentsIn(match[0], match.index, blank);
  for (const range of directivesInLists(text)) blank.push(range);
  for (const match of text.matchAll(CALL_BETWEEN)) callBetween(text, match, blank);
  for (const { index } of text.matchAll(GOES_ON_IN_WINDOWS)) blank.push([index, index + 2, ' \\']);
  for (const match of text.matchAll(CALL_ALONE)) callAlone(text, match, blank);
  for (const match of text.matchAll(IF_FINAL)) add(match);
  rawTexts(text, blank);
  blank.push(...brokenConditions(text, TOKENS, ({ last }) => last === '' || ';}'.includes(last)));
  const repaired = blank.length === 0 ? text : blanked(text, blank);
  const before: Blank[] = [];
  for (const match of repaired.matchAll(BEFORE_RESULT)) {
    const start = match.index + match[0].length - match[1].length;
    before.push([start, start + match[1].trimEnd().length, '']);
  }
  return before.length === 0 ? repaired : blanked(repaired, before);
}

/** A directive with the lines that go on, a comment, a literal, or a character: what brackets and ends of statements are read from. */
const TOKENS =
  /^[ \t]*#(?:[^\\\n]|\\(?:\r?\n|.))*|\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|"(?:[^"\\\n]|\\(?:\r?\n|.))*"?|(?<!\w)'(?:[^'\\\n]|\\.)*'?|[^\s]/gm;

/** The grammar ends a macro at a comment in it: all but one at the end are blanked out, without the signs that a line goes on. */
function commentsIn(macro: string, offset: number, blank: Blank[]): void {
  const end = macro.trimEnd().length;
  for (const match of macro.matchAll(IN_MACRO)) {
    if (match[0][0] !== '/' || match.index + match[0].length >= end) continue;
    for (const part of match[0].matchAll(/[^\\\n\r]+/g)) {
      const start = offset + match.index + part.index;
      blank.push([start, start + part[0].length, '']);
    }
  }
}

/** Directives between the values of a list. Those that follow each other stand in the same place. */
function directivesInLists(text: string): Blank[] {
  const found: Blank[] = [];
  let [last, isInList] = [0, false];
  for (const { index, 0: directive } of text.matchAll(DIRECTIVE_LINES)) {
    let before = text.slice(Math.max(last, index - MAX_BETWEEN), index);
    for (let count = 0, aside = ASIDE_BEFORE.exec(before); aside !== null && count < MAX_ASIDES; count++) {
      before = before.slice(0, aside.index);
      aside = ASIDE_BEFORE.exec(before);
    }
    if (before.trim() !== '' || last === 0) isInList = /(?:,|=\s*\{)\s*$/.test(before);
    last = index + directive.length;
    if (isInList) found.push([index, last, '']);
  }
  return found;
}

/** `begin(lock)` becomes `begin,lock;`, so that the line is a statement and its names are uses. */
function callAlone(text: string, match: RegExpExecArray, blank: Blank[]): void {
  const end = match.index + match[0].length;
  if (GOES_ON.test(text.slice(end, end + MAX_BETWEEN))) return;
  if (!STATEMENT_BEFORE.test(text.slice(Math.max(0, match.index - MAX_BETWEEN), match.index).trimEnd())) return;
  const open = match.index + match[0].indexOf('(');
  const close = open + 1 + match[1].length;
  blank.push([open, open + 1, match[1].trim() === '' ? '' : ','], [close, close + 1, ';']);
}

/** `FLAG(int, size)` becomes `FLAG;`, which is a declaration. */
function callBetween(text: string, match: RegExpExecArray, blank: Blank[]): void {
  const open = match.index + match[0].length - 1;
  const close = closingOf(text, open, Math.min(text.length, open + MAX_CALL), BRACKETS);
  const after = /^[ \t]*(;|\r?\n|$)/.exec(text.slice(close, close + MAX_BETWEEN))?.[1];
  if (text[close - 1] !== ')' || after === undefined) return;
  if (match[1] !== '' && (after !== ';' || !TYPE_ARGUMENT.test(text.slice(open, close)))) return;
  const before = text.slice(Math.max(0, match.index - MAX_BETWEEN), match.index).trimEnd();
  if (
    before !== '' &&
    !STATEMENT_BEFORE.test(before) &&
    !/^[ \t]*(?:#|\/\/)/.test(before.slice(before.lastIndexOf('\n') + 1))
  )
    return;
  if (after === ';') blank.push([open, close, '']);
  else if (!GOES_ON.test(text.slice(close, close + MAX_BETWEEN))) blank.push([open, close, ';']);
}

function rawTexts(text: string, blank: Blank[]): void {
  let behind = 0;
  for (const match of text.matchAll(RAW_TEXT)) {
    if (match.index < behind) continue;
    const open = match.index + match[0].length;
    const close = text.indexOf(`)${match[1]}"`, open);
    if (close === -1) return;
    blank.push([open - 2, open - 1, '('], [close, close + 2 + match[1].length, `))${match[1].slice(0, -1)}"`]);
    behind = close;
  }
}

const BRACKETS: LexicalConventions = {
  joins: [],
  prefixes: [],
  quotes: '"\'',
  lineComments: ['//'],
  blockComment: ['/*', '*/'],
};
/** Longest such call. UTF-16 units. */
const MAX_CALL = 2_000;

/** Comments and blank lines between a call and the statements around it. */
const MAX_BETWEEN = 200;
