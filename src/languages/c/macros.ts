/** Macros that the grammars of C and C++ cannot read where they stand: what they stand for is written in another file. */

/** A name that hardly anything but a macro has. */
const MACRO = '[A-Z][A-Z0-9_]{2,}';
/** Arguments without words beside each other, as parameters of a function have: `(mu_)`, `("x",8)`. */
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
const ALONE = new RegExp(`^[ \\t]*(${MACRO})[ \\t]*\\r?\\n(?=\\s*(?:[a-z#}]|//|/\\*|[A-Z]+_|$))`, 'gm');

/** `import shop;`, `export module shop:cart;`, `module;`: modules of C++, which the grammar takes for variables. */
const MODULE =
  /^[ \t]*((?:export[ \t]+)?(?:import|module)(?:[ \t]+[\w.:]+|[ \t]*[<"][^<>"\n]+[>"])?[ \t]*;)[ \t]*\r?$/gm;
/** `export namespace shop {` */
const EXPORTED =
  /^[ \t]*(export)(?=[ \t]+(?:namespace|template|class|struct|enum|union|inline|constexpr|using|extern|concept|auto|void|int|bool)\b)/gm;

/** Words before a bracket that is no list of parameters. */
const CONTROL = /^(?:if|for|while|switch|catch|return|sizeof|decltype|alignas|[A-Z][A-Z0-9_]*)$/;
/** UTF-16 units: how long a list of parameters, or what is between two statements, can be. */
const MAX_BACK = 1_000;

/** The text with such macros blanked out, of the same length; one that a definition begins with becomes a word of the language. */
export function withoutMacros(text: string): string {
  const blank: [start: number, end: number, by: string][] = [];
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
  for (const match of text.matchAll(BEHIND_FIELD)) add(match);
  for (const match of text.matchAll(ALONE)) if (isBetween(text, match.index)) add(match);
  for (const match of text.matchAll(MODULE)) add(match);
  for (const match of text.matchAll(EXPORTED)) add(match);
  return blank.length === 0 ? text : blanked(text, blank);
}

/** Is the list that a bracket closes one of parameters? */
function isDeclared(text: string, close: number): boolean {
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

function blanked(text: string, ranges: [start: number, end: number, by: string][]): string {
  const parts: string[] = [];
  let at = 0;
  for (const [start, end, by] of ranges.sort((a, b) => a[0] - b[0])) {
    if (start < at) continue;
    parts.push(text.slice(at, start), by, text.slice(start + by.length, end).replace(/[^\n\r]/g, ' '));
    at = end;
  }
  parts.push(text.slice(at));
  return parts.join('');
}
