/**
 * Macros in places where the grammars of C and C++ cannot read them: texts of the same length without them. What they stand for is written
 * in another file.
 */
import { type Mask, maskedRanges } from '../roles/declarations.js';
import { type Blank, blanked } from '../roles/masks.js';
import type { LexicalConventions } from '../roles/relations.js';
import { closingOf } from '../roles/scan.js';

/** A name that hardly ever is anything but a macro. */
export const MACRO = '[A-Z][A-Z0-9_]{2,}';
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

/** `public Q_SLOTS:`, `private slots:`, `Q_SIGNALS:` */
const SECTION =
  /^[ \t]*(?:(?:public|protected|private)[ \t]+((?:Q_)?(?:SLOTS|slots))|(Q_SIGNALS|signals))[ \t]*:(?!:)/gm;
/** Macros in the body of a class that end with their line: `Q_DISABLE_COPY(Cart)`, `UPROPERTY(EditAnywhere)`. */
const CLASS_MACRO =
  /^[ \t]*((?:Q_(?!FOREACH|FOREVER)[A-Z][A-Z0-9_]*|U(?:PROPERTY|FUNCTION|CLASS|STRUCT|ENUM|INTERFACE)|GENERATED_(?:\w{1,10}_)?BODY|[A-Z0-9_]*(?:NONCOPYABLE|NON_COPYABLE|DISABLE_COPY|COPY_AND_ASSIGN)[A-Z_]*)[ \t]*(?:\((?:[^;{}()]|\([^;{}()]{0,100}\)){0,300}\))?)[ \t]*\r?$/gm;
/** `emit changed(count);`, `Q_EMIT changed();`: a call, which the grammar takes for a declaration of that type. */
const EMIT = /(?:^|[{}();:]|\belse)[ \t]*(emit|Q_EMIT)[ \t]+(?=[A-Za-z_][\w:.>-]{0,200}[ \t]*\()/gm;
/** A macro that heads a body at the beginning of a line: `DEFUN (show, show_cmd, "…") {`. */
const HEADS_BODY = new RegExp(`^(?:(?:static|inline)[ \\t]+){0,2}${MACRO}[ \\t]*\\(`, 'gm');
/** Arguments of such a macro that are no name of what it defines. */
const NO_NAME =
  /^(?:unsigned|signed|long|short|int|char|float|double|void|bool|static|inline|extern|const|struct|union|enum|class|auto|\d.*)$/;
/** `TEST_CASE("adds items", "[cart]") {`, `SCENARIO("…")`, `TEST_CASE_METHOD(Fixture, "…")`: tests whose names are strings. */
const NAMED_TEST =
  /^[ \t]*((?:TEMPLATE_(?:LIST_|PRODUCT_)?)?TEST_CASE(?:_\w{1,40})?|SCENARIO(?:_\w{1,40})?)[ \t]*\([ \t]*(?:\w{1,80}[ \t]*,\s{0,40})?"((?:[^"\\\n]|\\.){1,150})"/gm;
/** `MOCK_METHOD(int, add, (int count), (override))`, `MOCK_CONST_METHOD1(add, int(int count))` */
const MOCK = /\bMOCK_(?:CONST_)?METHOD(\d{1,2}(?:_T)?)?[ \t]*\(/g;
/** `BEGINcommit`, then the code of a function and `ENDcommit`: words of a module in front of its name. */
const BEGINS_BODY = /^BEGIN([A-Za-z]\w{4,80})(?:\([\w, ]{0,80}\))?[ \t]*(?:\/\*[^*\n]*\*\/[ \t]*)?\r?$/gm;

/** The ends of such a body, and of the declarations in front of its statements. */
const ENDS_BODY = /^(END|CODESTART)(\w{5,80})/gm;
/** Most ends of one name. */
const MAX_ENDS = 200;
/** A macro with all of its lines, and a literal or a comment in it. */
export const MACRO_LINES = /^[ \t]*#[ \t]*define\b(?:[^\\\n]|\\(?!\r?\n))*(?:\\\r?\n(?:[^\\\n]|\\(?!\r?\n))*)*/gm;
export const IN_MACRO = /"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?/g;

/** Words before a bracket that is no list of parameters. */
const CONTROL = /^(?:if|for|while|switch|catch|return|sizeof|decltype|alignas|[A-Z][A-Z0-9_]*)$/;
/** Longest list of parameters, and longest text between two statements. UTF-16 units. */
const MAX_BACK = 1_000;

/**
 * Blanks such macros and keeps the length; a macro that begins a definition becomes a word of the language. In C, the suite before the name
 * of a test is blanked as well, and so are the words of a module before the name of a function.
 */
export function withoutMacros(text: string, isC = false): string {
  const blank = maskedRanges(text, MASKS);
  for (const match of text.matchAll(AROUND_RESULT)) aroundResult(match, blank);
  for (const match of text.matchAll(PROTOTYPE)) prototype(text, match, blank);
  for (const match of text.matchAll(BODILESS)) bodiless(match, blank);
  if (COMMENT_IN_STRING.test(text))
    for (const match of text.matchAll(MACRO_LINES)) commentsInStrings(match[0], match.index, blank);
  for (const match of text.matchAll(HEADS_BODY)) headsBody(text, match, isC, blank);
  if (isC) beginsBodies(text, blank);
  else macrosOfClasses(text, blank);
  return blank.length === 0 ? text : blanked(text, blank);
}

/** `struct FILE file;` declares a variable. */
function isNoVariable({ 0: head, index }: RegExpExecArray, text: string): boolean {
  const behind = index + head.length;
  return head.startsWith('class') || !/^[ \t]+\w+;/.test(text.slice(behind, behind + 80));
}

const MASKS: readonly Mask[] = [
  [IN_TYPE_HEAD, '', isNoVariable],
  [BEFORE_FUNCTION, 'inline', ({ 1: macro }) => macro.length >= 'inline'.length],
  [BEHIND_FUNCTION, '', ({ index }, text) => isDeclared(text, index)],
  ...[BEHIND_FIELD, BEHIND_STATIC, BEFORE_STRUCT, BEHIND_PRIMITIVE, COMPLEX].map((pattern): Mask => [pattern]),
  [ALONE, '', ({ index }, text) => isBetween(text, index)],
];
const MASKS_OF_CLASSES: readonly Mask[] = [[CLASS_MACRO], [EMIT], [MODULE], [EXPORTED]];

function aroundResult({ 0: whole, 1: macro, index }: RegExpExecArray, blank: Blank[]): void {
  const [start, end] = [index + whole.indexOf(macro), index + whole.length];
  if (macro.length > 'inline'.length) blank.push([start, start + macro.length, 'inline'], [end - 1, end, '']);
}

function bodiless({ 0: whole, 1: macro, index }: RegExpExecArray, blank: Blank[]): void {
  const [end, word] = [index + whole.trimEnd().length, macro.trimEnd()];
  if (!BEGINS.test(word)) blank.push([end - word.length, end, ';']);
}

/** Forms of C++ alone: sections and macros of Qt in classes, mocks, tests whose names are strings, and modules. */
function macrosOfClasses(text: string, blank: Blank[]): void {
  for (const { 0: whole, 1: slots, 2: signals, index } of text.matchAll(SECTION))
    blank.push([index + whole.indexOf(slots ?? signals), index + whole.lastIndexOf(':'), slots ? '' : 'public']);
  blank.push(...maskedRanges(text, MASKS_OF_CLASSES));
  for (const match of text.matchAll(NAMED_TEST)) namedTest(text, match, blank);
  for (const match of text.matchAll(MOCK)) mock(text, match, blank);
}

interface Argument {
  text: string;
  start: number;
  end: number;
}

/** Arguments between the bracket at `open` and the one that closes it before `close`, without white space around them. */
function argumentsOf(text: string, open: number, close: number): Argument[] {
  const found: Argument[] = [];
  for (let at = open + 1; at < close; ) {
    const end = listEnd(text, at, close - 1);
    const written = text.slice(at, end);
    const start = at + written.length - written.trimStart().length;
    found.push({ text: written.trim(), start, end: start + written.trim().length });
    at = end + 1;
  }
  return found;
}

/** Offset of the comma behind the argument that begins at `at`, or `limit`. */
function listEnd(text: string, at: number, limit: number): number {
  for (let angles = 0; at < limit; at++) {
    if (text[at] === ',' && angles === 0) return at;
    if (text[at] === '<') angles++;
    else if (text[at] === '>' && angles > 0) angles--;
    else if ('([{"'.includes(text[at])) at = closingOf(text, text[at] === '"' ? at - 1 : at, limit, BRACKETS) - 1;
  }
  return limit;
}

/**
 * The name of what a macro with a body defines: of two arguments the second, which a test has behind its suite, else the first that can be a
 * name. `DEFUN (show, show_cmd, "…")` becomes `DEFUN  show(             )`, `TEST(Cart, adds)` becomes `TEST      (adds)`.
 */
function headsBody(text: string, match: RegExpExecArray, isC: boolean, blank: Blank[]): void {
  const open = match.index + match[0].length - 1;
  const close = closingOf(text, open, Math.min(text.length, open + MAX_CALL), BRACKETS);
  if (text[close - 1] !== ')' || !/^\s*\{/.test(text.slice(close, close + MAX_BETWEEN))) return;
  const written = argumentsOf(text, open, close);
  const names = written.filter((argument) => /^[A-Za-z_]\w*$/.test(argument.text) && !NO_NAME.test(argument.text));
  const isPair =
    written.length === 2 && names.length === 2 && !names[1].text.startsWith(names[0].text) && names[1].text.length > 1;
  const name = isPair ? names[1] : names[0];
  if (written.length < 2 || name === undefined) return;
  const isLast = name === written.at(-1);
  if (isLast && isC) blank.push([open, name.start, `${' '.repeat(name.start - open - 1)}(`]);
  else if (!isLast) blank.push([open, name.start, ''], [name.end, close - 1, '(']);
}

/** `TEST_CASE("adds items", "[cart]")` becomes `void       adds_items(         )`. */
function namedTest(text: string, match: RegExpExecArray, blank: Blank[]): void {
  const end = match.index + match[0].length;
  const start = end - match[2].length - 1;
  const open = match.index + match[0].indexOf('(');
  const close = closingOf(text, open, Math.min(text.length, open + MAX_CALL), BRACKETS);
  if (text[close - 1] !== ')' || !/^\s*\{/.test(text.slice(close, close + MAX_BETWEEN))) return;
  const from = match.index + match[0].indexOf(match[1]);
  blank.push(
    [from, start, 'void'],
    [start, end - 1, `_${match[2].slice(1).replace(/\W/g, '_')}`],
    [end - 1, close - 1, '('],
  );
}

/** `MOCK_METHOD(int, add, (int count), (override))` becomes a method, as it is one. */
function mock(text: string, match: RegExpExecArray, blank: Blank[]): void {
  const open = match.index + match[0].length - 1;
  const close = closingOf(text, open, Math.min(text.length, open + MAX_CALL), BRACKETS);
  if (text[close - 1] !== ')') return;
  const [first, second, third] = argumentsOf(text, open, close);
  if (match[1] !== undefined) {
    if (second === undefined || !/^\w+$/.test(first.text)) return;
    const parameters = text.indexOf('(', second.start);
    if (parameters !== -1 && parameters < second.end)
      blank.push([match.index, first.start, 'auto'], [first.end, parameters, ''], [close - 1, close, '']);
    return;
  }
  if (third === undefined || !/^\w+$/.test(second.text) || third.text[0] !== '(') return;
  const inBrackets = first.text.startsWith('(') && first.text.endsWith(')') ? 1 : 0;
  blank.push([match.index, first.start + inBrackets, 'inline'], [first.end - inBrackets, second.start, '']);
  blank.push([second.end, third.start, ''], [third.end, close, '']);
}

/** `BEGINcommit … ENDcommit` becomes `while(1){ … }`, which stands outside of functions only in such a module; c-rules.ts takes its name. */
function beginsBodies(text: string, blank: Blank[]): void {
  const begins = [...text.matchAll(BEGINS_BODY)];
  if (begins.length === 0) return;
  const ends = new Map<string, number[]>();
  for (const { index, 1: word, 2: name } of text.matchAll(ENDS_BODY)) {
    const key = `${word}${name}`;
    ends.set(key, [...(ends.get(key)?.slice(-MAX_ENDS) ?? []), index]);
  }
  for (const { index, 0: line, 1: name } of begins) {
    const behind = index + line.length;
    const end = ends.get(`END${name}`)?.find((at) => at > behind);
    if (end === undefined) continue;
    const lineEnd = text.indexOf('\n', end);
    blank.push([index, behind, 'while(1){'], [end, lineEnd === -1 ? text.length : lineEnd, '}']);
    const start = ends.get(`CODESTART${name}`)?.find((at) => at > behind && at < end);
    if (start !== undefined) blank.push([start, text.indexOf('\n', start), '']);
  }
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
export function isDeclared(text: string, close: number): boolean {
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
  const written = text.slice(Math.max(0, at - MAX_BACK), at).trimEnd();
  const before = written.replace(/([;}])[ \t]*\/\/[^\n]*$/, '$1');
  const line = before.slice(before.lastIndexOf('\n') + 1);
  // Behind a comment it can be the last value of an enumeration.
  if (before.endsWith('*/') && before.slice(0, before.lastIndexOf('/*')).trimEnd().endsWith(',')) return false;
  return before === '' || /[;}]$|\*\/$/.test(before) || /^\s*(?:#|\/\/)/.test(line) || ALONE_BEFORE.test(line);
}

const ALONE_BEFORE = new RegExp(`^\\s*${MACRO}$`);

export const BRACKETS: LexicalConventions = {
  joins: [],
  prefixes: [],
  quotes: '"\'',
  lineComments: ['//'],
  blockComment: ['/*', '*/'],
};
/** Longest such call. UTF-16 units. */
export const MAX_CALL = 2_000;

/** Comments and blank lines between a call and the statements around it. */
export const MAX_BETWEEN = 200;
