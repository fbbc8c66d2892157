/** Checks the verdict "no callers" against the text of the file, which may hold calls that no facts record. */
import type { NoCallers } from '../../../graph/query/no-callers.js';

interface DeclaredText {
  /** Text of the whole file. */
  text: string;
  name: string;
  /** Text before the body, attributes included. */
  header: string;
  /** Lines of its definitions, 1-based and inclusive. */
  ranges: readonly { startLine: number; endLine: number }[];
}

/** Attributes of Rust and C# that do not register a function anywhere. */
const INERT_ATTRIBUTES =
  /^(?:inline|must_use|cfg|cfg_attr|allow|warn|deny|expect|doc|deprecated|cold|track_caller|derive|target_feature|repr|rustfmt|clippy|Obsolete|MethodImpl|DebuggerStepThrough)\b/;
const ATTRIBUTE = /(?:#|^[ \t]*)\[\s*(?:unsafe\()?([\w:.]+)/gm;
/** Comments of most languages. `#` before `[` or `!` is an attribute of Rust, not a comment of Ruby, Python or a shell. */
const COMMENT = /^\s*(?:\/\/|\/\*|\*|#(?!\[|!)|--|;|%)/;
const MAX_LINES = 3;
/** Code units of a header that are examined: a longer one is a hostile list of parameters. */
const MAX_HEADER = 2_000;

/** Returns the answer as it is, or a more careful one. */
export function secondLook(answer: NoCallers, whole: DeclaredText): NoCallers {
  const { verdict } = answer;
  const declared = { ...whole, header: whole.header.slice(0, MAX_HEADER) };
  if (verdict !== 'certain' && verdict !== 'exported' && verdict !== 'indirect') return answer;
  const attribute = registeringAttribute(`${attributesAbove(declared)}${declared.header}`);
  if (attribute !== null)
    return { ...answer, verdict: 'framework', reason: `it has the attribute ${attribute}, which may call it` };
  if (isGetter(declared))
    return { ...answer, verdict: 'indirect', reason: 'it is read as a property, which is no call' };
  if (verdict === 'certain' && isAssigned(declared))
    return { ...answer, verdict: 'indirect', reason: 'it is put into an object: who has that can call it' };
  if (verdict !== 'certain') return answer;
  const lines = linesNaming(declared);
  if (lines.length === 0) return answer;
  const where = `${lines.length === 1 ? 'line' : 'lines'} ${lines.slice(0, MAX_LINES).join(', ')}`;
  const more = lines.length > MAX_LINES ? ' and others' : '';
  return { ...answer, verdict: 'unresolved-uses', reason: `its name stands in ${where}${more} of its file, too` };
}

function registeringAttribute(header: string): string | null {
  if (!/^\s*#?\[/.test(header)) return null;
  for (const [, name] of header.matchAll(ATTRIBUTE)) {
    if (!INERT_ATTRIBUTES.test(name)) return name;
  }
  return null;
}

/** Attributes have no more lines than this. */
const MAX_ABOVE = 12;

/** Attributes above the definition, with comments between them: up to the end of the declaration before. */
function attributesAbove({ text, ranges }: DeclaredText): string {
  const lines = text.split('\n');
  const found: string[] = [];
  const first = (ranges[0]?.startLine ?? 1) - 1;
  for (let i = first - 1; i >= Math.max(0, first - MAX_ABOVE) && !/^\s*$|[;{}]\s*$/.test(lines[i]); i--)
    if (!/^\s*\/\//.test(lines[i])) found.unshift(lines[i]);
  const start = found.findIndex((line) => /^\s*#?\[/.test(line));
  return start < 0
    ? ''
    : found
        .slice(start)
        .map((line) => `${line}\n`)
        .join('');
}

/** `request.onabort = () => …` */
function isAssigned({ header, name }: DeclaredText): boolean {
  return new RegExp(`^[\\w$.\\[\\]?!() ]*[.\\]]\\s*${escaped(name)}\\s*=(?!=)`).test(header);
}

function isGetter({ header, name }: DeclaredText): boolean {
  return new RegExp(`\\b(?:get|set)\\s+${escaped(name)}\\s*\\(`).test(header);
}

function linesNaming({ text, name, ranges }: DeclaredText): number[] {
  const word = new RegExp(`(?<![\\w$])${escaped(name)}(?![\\w$])`);
  const found: number[] = [];
  for (const [i, line] of text.split('\n').entries()) {
    if (ranges.some(({ startLine, endLine }) => i + 1 >= startLine && i + 1 <= endLine)) continue;
    if (word.test(line) && !COMMENT.test(line)) found.push(i + 1);
  }
  return found;
}

const escaped = (name: string): string => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
