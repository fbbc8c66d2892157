/**
 * Forms that are blanked only in files where the grammars of C and C++ found mistakes: they read most of these, but not everywhere. For
 * those that are blanked in every file see macros.ts.
 */
import { firstFrom } from '../../base/lists.js';
import { type Mask, maskedRanges } from '../roles/declarations.js';
import { type Blank, blanked, brokenConditions } from '../roles/masks.js';
import { closingOf } from '../roles/scan.js';
import { BRACKETS, IN_MACRO, isDeclared, MACRO, MACRO_LINES, MAX_BETWEEN, MAX_CALL } from './macros.js';

/** Attributes and conventions in lower case that the grammars know. */
const KNOWN =
  '__(?:attribute|declspec|based|cdecl|clrcall|stdcall|fastcall|thiscall|vectorcall|restrict|extension|volatile|const|inline|forceinline|asm|alignof|typeof|int\\d+|float\\d+|unaligned|thread|builtin\\w*|func|auto_type|complex|real|imag)(?:__)?\\b';
/** A macro by its form, `__init`, `Q_SLOTS`; behind a type also in lower case. */
const ATTRIBUTE = `(?!${KNOWN})(?:__[a-z]\\w{0,40}|asmlinkage|noinline\\w{0,20}|notrace|noinstr|_{1,2}[A-Z][A-Z0-9_]{2,60}|${MACRO})\\b`;
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
/** `static void __percpu *carts;` */
const BEFORE_VARIABLE_NAME = new RegExp(
  `^[ \\t]*${STARTS}${RESULT}(?:[ \\t]+|[ \\t]*\\*{1,3}[ \\t]*)(${ATTRIBUTE})[ \\t]*(?=\\*{1,3}[ \\t]*[A-Za-z_]\\w*[ \\t]*(?:;|=[^=]|\\[)|[ \\t][A-Za-z_]\\w*[ \\t]*(?:;|=[^=]|\\[))`,
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
/** A call between definitions, `FLAG(int, size, 8, "…");`, `static DICTIONARY(names);`, `tree_gen(static, tree_);`, also without the semicolon; or a statement with types as arguments. */
const CALL_BETWEEN = new RegExp(
  `^(?:(?:static|extern)[ \\t]+|([ \\t]*))(?:${MACRO}|\\w{1,80}_[A-Z]{2,20}|[a-z]\\w{1,60}(?=[ \\t]*\\([ \\t]*static\\b))[ \\t]*\\(`,
  'gm',
);
const TYPE_ARGUMENT =
  /[(,]\s*(?:const\s+)?(?:unsigned|signed|int|char|long|short|float|double|void|bool|struct|class|enum)\b|<\s*>|[\w>]\s*[*&]{1,2}\s*[,)]|\(\s*[A-Z]\w*\s+[a-z]\w*\s*[({=;]/;
/** A line that goes on, with two characters at its end: the grammars do not know that in strings. */
const GOES_ON_IN_WINDOWS = /(\\\r)(?=\n)/g;
/** `extern "C" __declspec(dllimport) int run();` */
const AFTER_LINKAGE = /\bextern[ \t]+"C(?:\+\+)?"[ \t]+((?:__declspec[ \t]*\([^()\n]{0,80}\)[ \t]*){1,2})(?=\w)/g;
/** `std::enable_if_t<C>* = nullptr)`: a parameter without a name. */
const NAMELESS_DEFAULT = /[>\w][ \t]*\*([ \t]*=[ \t]*(?:nullptr|NULL|0))(?=[ \t]*[,)])/g;
/** `inline friend` */
const BEFORE_FRIEND = /\b((?:inline|constexpr|static)[ \t]+)(?=friend\b)/g;
/** `for (EACH_ITEM(carts, cart)) {`: a loop whose three parts a macro writes. */
const FOR_MACRO = /\b(for)(?=[ \t]*\([ \t]*[A-Za-z_]\w*[ \t]*\((?:[^;{}()]|\([^;{}()]{0,100}\)){0,300}\)\s*\))/g;
/** `VARIABLE_ARRAY(cart_t *, carts, 2)`: types of pointers as arguments. */
const TYPES_IN_CALL = /\b[A-Z][A-Z0-9_]{2,60}[ \t]?\(([^(){};]{0,300})\)/g;
const TYPE_IN_CALL =
  /(?:^|,)\s*((?:(?:const|struct|union|enum|unsigned|volatile)\s+){0,3})(?:(int|char|short|long|bool|float|double|void)\b|\w+)([ \t]*\*[* \t]*|)(?=\s*(?:,|$))/g;
/** `(Cart * NULLABLE cart)` */
const AFTER_STAR = new RegExp(`\\*[ \\t]*(${ATTRIBUTE})(?=\\s+[A-Za-z_]\\w*\\s*[,)=[;])`, 'g');
/** `(Cart * lib_restrict cart)` */
const LOWER_AFTER_STAR =
  /\w[ \t]*\*[ \t]*(?!(?:const|volatile|restrict|sizeof|_\w+)\b)([a-z_]\w*)(?=[ \t]+[a-z_]\w*[ \t]*[,)])/g;
/** `OVERRIDE(int, Cart, add, )` */
const EMPTY_ARGUMENT = /(,)(?=\s*\))/g;
/** A macro of mixed case that is alone on its line: `PyObject_HEAD`. */
const MIXED_ALONE = /^[ \t]+([A-Za-z]\w{0,60}_[A-Z]{3,30})[ \t]*\r?$/gm;
/** `struct traits<R (T::*)(Args...) const & noexcept>`, `typedef R (T::*call)(int) const &;` */
const QUALIFIERS = /\)[ \t]*((?:(?:const|volatile|noexcept)\b[ \t]*|&{1,2}[ \t]*){1,4})(?=[,>])/g;
const TYPEDEF_QUALIFIERS =
  /^[ \t]*typedef\b[^;{}\n]{0,200}\)[ \t]*((?:(?:const|volatile|noexcept)\b[ \t]*|&{1,2}[ \t]*){1,4})(?=;)/gm;
/** `__asm { … }` */
const ASSEMBLY = /\b(_{1,2}asm[ \t]*\{[^{}]{0,5000}\})/g;
/** `typedef struct { … } PACKED cart_t;` */
const AFTER_BODY = new RegExp(
  `\\}[ \\t]*(${ATTRIBUTE}${SIMPLE_ARGUMENTS})(?=[ \\t]+\\*{0,2}[A-Za-z_]\\w*[ \\t]*[;,=[])`,
  'g',
);
/** `ALIGN_BEGIN static const cart_t carts[2] = {`, `LIB_EXPORT static std::vector<int> counts;` */
const BEFORE_STATIC = new RegExp(
  `^[ \\t]*(${ATTRIBUTE}${SIMPLE_ARGUMENTS})[ \\t]+(?=(?:(?:static|extern|const|volatile)[ \\t]+){1,3}(?:(?:struct|union|enum)[ \\t]+)?\\w[\\w:]*(?:<[^;{}()\\n]{0,80}>)?[ \\t*]+\\w+[ \\t]*(?:\\[|=|;))`,
  'gm',
);
/** `carts[2] ALIGN_END = {` */
const AFTER_ARRAY = new RegExp(
  `\\w[ \\t]*\\[[^\\]\\n]{0,80}\\][ \\t]+(${ATTRIBUTE}${SIMPLE_ARGUMENTS})(?=\\s*(?:=[^=]|;))`,
  'g',
);
/** `API void (*on_message)(const char *);` */
const BEFORE_FUNCTION_POINTER = new RegExp(
  `^[ \\t]*(?:(?:static|extern)[ \\t]+)?(${ATTRIBUTE})[ \\t]+(?=(?:const[ \\t]+)?(?:struct[ \\t]+)?[a-z_]\\w*[ \\t*]+\\([ \\t]*\\*[ \\t]*\\w+[ \\t]*\\)[ \\t]*\\()`,
  'gm',
);
/** `LibExport Cart open(int count);`, `THREAD_LOCAL Cart cart;`: of two names in front of that of a function or a variable the first is a macro. */
const NAME_BEFORE_RESULT = new RegExp(
  `^[ \\t]*${STARTS}([A-Z]\\w+)[ \\t]+(?!(?:const|volatile|operator|override|final|noexcept|constexpr|inline|static|restrict)\\b)(?=[A-Za-z_][\\w:]*(?:<[^;{}()\\n]{0,80}>)?(?:[ \\t]*[*&]{1,2}[ \\t]*|[ \\t]+)(?:operator[ \\t]*[^\\w\\s();]{1,3}[ \\t]*\\(|[A-Za-z_~][\\w:~]*[ \\t]*(?:\\(|;|=[^=]|\\[)))`,
  'gm',
);
/** `int run(void) __acquires(lock) {` */
const AFTER_PARAMETERS = new RegExp(`\\)[ \\t]*(?:\\n[ \\t]*)?(${ATTRIBUTE}${SIMPLE_ARGUMENTS})(?=\\s*[;{])`, 'g');
/** `typedef int (WINAPI *run)(int)` */
const IN_POINTER = new RegExp(`\\([ \\t]*(${ATTRIBUTE})(?=[ \\t]*\\*[ \\t]*\\w*[ \\t]*\\)[ \\t]*\\()`, 'g');
/** `class Cart`, then `final` between `#ifdef` and `#endif`. */
const IF_FINAL = /^([ \t]*#[ \t]*if[^\n]{0,200}\n[ \t]*final[ \t\r]*\n[ \t]*#[ \t]*endif[^\n]{0,200})$/gm;
/** A call on a line of its own, without a semicolon: `log_do_begin(lock)`. */
const CALL_ALONE =
  /^[ \t]+(?!(?:if|for|while|switch|catch|return|else|do|sizeof|case|typedef|using|new|delete|throw|operator|asm|__attribute__|__declspec|alignas|requires)\b)[A-Za-z_]\w*[ \t]*\(([^;{}()\n]*(?:\([^;{}()\n]*\)[^;{}()\n]*){0,8})\)[ \t]*(?:\/\*[^*\n]*\*\/[ \t]*)?\r?$/gm;
/** Behind such a call: no body, no list of initializers, no operator that goes on. */
const GOES_ON =
  /^\s*(?:#[^\n]{0,100}\n\s*){0,2}(?:[{:.,?&|+*/=<>)\-^%[(]|(?:const|noexcept|override|final|throw|volatile)\b)/;
/** Before it: the end of a statement, a block or such a call. */
const STATEMENT_BEFORE = /(?:[;{}):]|\*\/)$/;
/** A line in front of such a call that goes on in no other: a directive, a comment, a macro alone. */
const LINE_BEFORE = /^[ \t]*(?:#|\/\/|[A-Z][A-Z0-9_]{2,}$)/;
/** The longest delimiter that is allowed, which the grammar does not read. */
const RAW_TEXT = /R"([^()\\\s"]{16})\(/g;
/** A macro with all of its lines, which is one of those between the values of a list if a comma or a bracket stands before it. */
const DIRECTIVE_LINES =
  /^([ \t]*#[ \t]*(?:define|undef)\b(?:[^\\\n]|\\(?!\r?\n))*(?:\\\r?\n(?:[^\\\n]|\\(?!\r?\n))*)*)/gm;
/** Comments and directives at the end of a text. */
const ASIDE_BEFORE = /(?:\/\*(?:[^*]|\*(?!\/))*\*\/|\n[ \t]*#[^\n]*|\/\/[^\n]*)\s*$/;
const MAX_ASIDES = 3;

/** `local once_t made = ONCE_INIT;`: of three words in lower case the first is a macro. */
const LOWER_BEFORE_VARIABLE = new RegExp(
  `^(?!${PRIMITIVE_RESULT}\\b|(?:static|inline|extern|const|volatile|register|struct|union|enum|class|typedef|typename|return|else|goto|case|using|namespace|new|delete|throw|constexpr|mutable|thread_local|auto|friend|virtual|explicit|template|public|private|protected|operator|co_return|co_yield|co_await|export|import|module)\\b|${KNOWN})([a-z_]\\w*)[ \\t]+(?=(?:const[ \\t]+)?(?!(?:operator|final|override)\\b)[a-z_]\\w*(?:[ \\t]+\\*{0,2}|[ \\t]*\\*{1,2}[ \\t]*)[a-z_]\\w*[ \\t]*(?:\\[[^\\]\\n]*\\][ \\t]*)?(?:=[^=]|;))`,
  'gm',
);

const PLAIN = [
  AFTER_RESULT,
  BEFORE_POINTER,
  IN_POINTER,
  NAMELESS_DEFAULT,
  BEFORE_FRIEND,
  BEFORE_VARIABLE_NAME,
  QUALIFIERS,
  TYPEDEF_QUALIFIERS,
  AFTER_STAR,
  LOWER_AFTER_STAR,
  EMPTY_ARGUMENT,
  AFTER_BODY,
  BEFORE_STATIC,
  AFTER_ARRAY,
  BEFORE_FUNCTION_POINTER,
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
  IF_FINAL,
];

const MASKS: readonly Mask[] = [
  // Forms of C++23 and 26: a named object, conditions of compilation, attributes, elements of packs, contracts.
  [
    /\(\s*(this)(?=[ \t]{1,4}(?:const[ \t]{1,4})?[A-Za-z_][\w:<>]{0,80}(?:[ \t]{0,4}[&*]{1,2})?[ \t]{0,4}\w{0,80}[,)])/g,
  ],
  [/\bif[ \t]+(!?[ \t]*consteval)(?=[ \t]*\{)/g, '(true)'],
  [/\][ \t]*(\[\[[^[\]\n]{1,80}\]\])(?=[ \t]*[({])/g],
  [/(\[\[assume\([^;\n]{1,200}?\)\]\])(?=[ \t]*;)/g],
  [/\b\w+(\.\.\.\[[^\][\n]{1,80}\])/g],
  [/\)(?:[ \t]*(?:const|noexcept)\b)?((?:\s+(?:pre|post)[ \t]*\([^(){};\n]{1,200}\)){1,4})(?=\s*\{)/g],
  ...PLAIN.map((pattern): Mask => [pattern]),
  [AFTER_PARAMETERS, '', ({ index }, text) => isDeclared(text, index)],
  [ASSEMBLY, ';'],
  [FOR_MACRO, 'if'],
  [HAS_INCLUDE, '0'],
  [GOES_ON_IN_WINDOWS, ' \\'],
];

/** The text, of the same length, without attributes, calls and comments that the grammars of C and C++ do not know in their places. */
export function repairedC(text: string): string {
  const blank = maskedRanges(text, MASKS);
  for (const match of text.matchAll(TYPES_IN_CALL)) typesInCall(match, blank);
  for (const match of text.matchAll(MACRO_LINES)) commentsIn(match[0], match.index, blank);
  blank.push(...directivesInLists(text));
  const typeAround = typesAround(text);
  blank.push(...maskedRanges(text, [[MIXED_ALONE, '', ({ index }) => typeAround(index) !== null]]));
  for (const match of text.matchAll(CALL_BETWEEN)) callBetween(text, match, typeAround, blank);
  for (const match of text.matchAll(CALL_ALONE)) callAlone(text, match, typeAround, blank);
  rawTexts(text, blank);
  const repaired = blank.length === 0 ? text : blanked(text, blank);
  // Conditions of compilation, and macros in front of results, are looked for in the text without the forms above.
  const second = brokenConditions(repaired, TOKENS, (branch) => isWholeBranch(branch, repaired));
  second.push(...maskedRanges(repaired, [[BEFORE_RESULT], [NAME_BEFORE_RESULT]]));
  return second.length === 0 ? repaired : blanked(repaired, second);
}

/** Is a branch made of whole statements? It may neither begin with `else`, nor stand in front of one. */
function isWholeBranch({ last, start, end }: { last: string; start: number; end: number }, text: string): boolean {
  if (last !== '' && !';}'.includes(last)) return false;
  const [first, behind] = [text.slice(start, start + MAX_BETWEEN), text.slice(end, end + MAX_BETWEEN)];
  return !/^\s*else\b/.test(first) && !/^[ \t]*#[ \t]*endif[^\n]*\n\s*else\b/.test(behind);
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

/** Name of the type in whose body an offset stands, outside of methods, or null. Offsets are asked for in any order. */
type TypeAround = (at: number) => string | null;

/** A comment, a literal or a bracket. */
const BODY_TOKENS =
  /\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|"(?:[^"\\\n]|\\(?:\r?\n|.))*"?|(?<!\w)'(?:[^'\\\n]|\\.)*'?|[{}]/g;
/** The head of a type in front of the bracket of its body. */
const TYPE_HEAD = /\b(?:class|struct|union)[ \t]+(?:\w+[ \t]+){0,2}(\w+)[^;{}()=]{0,300}$/;

/** Brackets of a text and the types that they stand in are looked for when they are first asked for. */
function typesAround(text: string): TypeAround {
  let places: { start: number; type: string | null }[] | undefined;
  return (at) => {
    places ??= bracketsOf(text);
    const known = places;
    return known[firstFrom(known.length, (i) => known[i].start < at) - 1]?.type ?? null;
  };
}

function bracketsOf(text: string): { start: number; type: string | null }[] {
  const places: { start: number; type: string | null }[] = [];
  const open: (string | null)[] = [];
  for (const { 0: token, index } of text.matchAll(BODY_TOKENS)) {
    if (token === '{') {
      const before = text.slice(Math.max(0, index - MAX_HEAD), index);
      const head = before.slice(Math.max(before.lastIndexOf(';'), before.lastIndexOf('}')) + 1);
      open.push(TYPE_HEAD.exec(head)?.[1] ?? null);
    } else if (token === '}') open.pop();
    else continue;
    places.push({ start: index, type: open.at(-1) ?? null });
  }
  return places;
}

/** Longest head of a type. UTF-16 units. */
const MAX_HEAD = 400;

/** `begin(lock)` becomes `begin,lock;`, so that the line is a statement and its names are uses. In the body of a type it becomes `begin;`. */
function callAlone(text: string, match: RegExpExecArray, typeAround: TypeAround, blank: Blank[]): void {
  const end = match.index + match[0].length;
  if (GOES_ON.test(text.slice(end, end + MAX_BETWEEN))) return;
  if (!STATEMENT_BEFORE.test(text.slice(Math.max(0, match.index - MAX_BETWEEN), match.index).trimEnd())) return;
  const open = match.index + match[0].indexOf('(');
  const close = open + 1 + match[1].length;
  if (typeAround(match.index) !== null) return void blank.push([open, close + 1, ';']);
  blank.push([open, open + 1, match[1].trim() === '' ? '' : ','], [close, close + 1, ';']);
}

/** A name stays of each type, so that they are values. */
function typesInCall(match: RegExpExecArray, blank: Blank[]): void {
  const open = match.index + match[0].length - 1 - match[1].length;
  for (const { index, 0: whole, 1: words, 2: primitive, 3: stars } of match[1].matchAll(TYPE_IN_CALL)) {
    const end = open + index + whole.length - stars.length;
    const start = open + index + whole.length - whole.replace(/^,?\s*/, '').length;
    if (words !== '') blank.push([start, start + words.length, '']);
    if (stars !== '') blank.push([end, end + stars.length, '']);
    if (primitive !== undefined) blank.push([end - primitive.length, end, '_'.repeat(primitive.length)]);
  }
}

/** Does nothing, the end of a statement, a directive, a comment or such a macro stand in front of a place? */
function isBehindStatement(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - MAX_BETWEEN), at).trimEnd();
  return before === '' || STATEMENT_BEFORE.test(before) || LINE_BEFORE.test(before.slice(before.lastIndexOf('\n') + 1));
}

/** `FLAG(int, size)` becomes `FLAG;`, which is a declaration. */
function callBetween(text: string, match: RegExpExecArray, typeAround: TypeAround, blank: Blank[]): void {
  const open = match.index + match[0].length - 1;
  const close = closingOf(text, open, Math.min(text.length, open + MAX_CALL), BRACKETS);
  const after = /^[ \t]*(;|\r?\n|$)/.exec(text.slice(close, close + MAX_BETWEEN))?.[1];
  if (text[close - 1] !== ')' || after === undefined || !isBehindStatement(text, match.index)) return;
  // An indented call is one of a body: only a macro that declares a member is changed.
  if (match[1]) {
    const type = typeAround(match.index);
    const isMember = type !== null && match[0].includes('_');
    const isConstructor = type !== null && match[0].includes(type);
    if (after !== ';' || isConstructor || !(isMember || TYPE_ARGUMENT.test(text.slice(open, close)))) return;
  }
  if (after !== ';' && GOES_ON.test(text.slice(close, close + MAX_BETWEEN))) return;
  blank.push([open, close, after === ';' ? '' : ';']);
  // `static DICTIONARY(carts, list);` declares no name of its own.
  if (match[1] === undefined) blank.push([match.index, match.index + match[0].search(/\s/), '']);
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
