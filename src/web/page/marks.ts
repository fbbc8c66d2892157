/** Marks of a query's words in a text: of the words as they are, and of other forms of them. */
import { stem } from '../../extract/stem.js';
import { STOP_WORDS } from '../../search/stop-words.js';

export interface Marker {
  /** Finds a word as it is anywhere, and the stem of one with its ending. */
  pattern: RegExp;
  /** The words as they are, in lower case. */
  literal: ReadonlySet<string>;
}

const MIN_WORD = 2;
/** Shorter stems, such as `us` of `use`, begin too many other words. */
const MIN_STEM = 3;
const MAX_WORDS = 12;
/** Endings that a stem may have where it is found: `parse`, `parses`, `parsed`, `parsing`, `parser`. */
const ENDING = '(?:e?s|ed|ing|er|e|y|ies|ied)?';

/** Words of a query as they may stand in code: without filters, and without the words that a search ignores. */
export function wordsOf(query: string): string[] {
  const plain = query.replace(/\b(?:author|since|until|is|uses|lang|path|kind):\S+/g, ' ');
  const words = plain.split(/[^\p{L}\p{N}_$]+/u).filter((word) => word.length > 2 || /^[A-Z]/.test(word));
  const telling = words.filter((word) => !STOP_WORDS.has(word.toLowerCase()));
  return telling.length > 0 ? telling : words;
}

/** Null where no word is long enough to be marked. */
export function markerOf(words: readonly string[]): Marker | null {
  const wanted = words.filter((word) => word.length >= MIN_WORD).slice(0, MAX_WORDS);
  if (wanted.length === 0) return null;
  const literal = wanted.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  const stems = wanted.filter((word) => /^[a-z]+$/i.test(word)).map((word) => stem(word.toLowerCase()));
  const forms = stems.filter((each) => each.length >= MIN_STEM).map((each) => each + ENDING);
  // A whole word first: of `rolled`, not `roll` alone is marked.
  const pattern = new RegExp([...literal, ...forms].join('|'), 'giu');
  return { pattern, literal: new Set(wanted.map((word) => word.toLowerCase())) };
}

/** The text cut into parts: those at odd places are marked. */
export function splitAtMarks(text: string, { pattern, literal }: Marker): string[] {
  const parts: string[] = [];
  let end = 0;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const { 0: found, index } = match;
    const isLiteral = literal.has(found.toLowerCase());
    if (!isLiteral && !beginsWord(text, index)) continue;
    // The R of `parseRequest` is no ending of `parse`.
    const length = isLiteral ? found.length : (/\p{Ll}(?=\p{Lu})/u.exec(found)?.index ?? found.length - 1) + 1;
    parts.push(text.slice(end, index), found.slice(0, length));
    end = index + length;
    pattern.lastIndex = end;
  }
  return [...parts, text.slice(end)];
}

/** Does a word of an identifier begin there? `Roll` in `beforeRollback` does, `pars` in `sparse` does not. */
function beginsWord(text: string, at: number): boolean {
  const before = text[at - 1] ?? '';
  return !/\p{L}/u.test(before) || (/\p{Ll}/u.test(before) && /\p{Lu}/u.test(text[at]));
}
