/** Reduces a comment to one to three plain English sentences, or null if it is no prose worth learning. */

const MAX_WORDS = 60;
const MIN_WORDS = 3;
/** Maximum number of sentences; further ones would only dilute the query. */
const ENOUGH_WORDS = 18;
const MAX_SENTENCES = 3;

const MARKER =
  /^[ \t]*(?:\/\*+!?|\*+\/|\*(?![*\w])|\/{2,}[!<]*|#+[':|!]?(?!\w*\()|--+[ \t]*[|^]?|;+|%+!?|\(\*+|\{-[ \t]*\|?|![!<>]*|REM\b|"(?!""))[ \t]?/i;
const CLOSER = /[ \t]*(?:\*+\/|\*+\)|-\}|"""|''')[ \t]*$/;
const DOCSTRING_OPEN = /^\s*(?:@(?:doc|moduledoc|typedoc)\s+)?(?:~[sS])?[rRuUbBfF]{0,2}(?:"""|'''|"|')/;

/** Lines from which on a comment is reference material, not description. */
const TAG_LINE =
  /^\s*(?:[@\\](?!brief|short|summary|see?\b|link|code|c\b|p\b|a\b|e\b|ref\b)\w+|:(?:param|type|return|rtype|raise|arg|keyword|var|ivar|cvar|class|yield)\w*\b[^:]*:|(?:args|arguments|parameters?|params|returns?|return values?|raises?|throws|yields?|examples?|usage|attributes|options|notes?|see also|references|warnings?|errors|panics|safety|inputs?|outputs?|since|todo|caveats?|requires?|keyword arguments|other parameters)\s*:{1,2}\s*$|#+\s*(?:examples?|panics|errors|safety|arguments|returns?|parameters|usage|notes?)\b|>>>|\.\. |```|~~~|[-=~_*+.#/]{3,}\s*$|(?:parameters|returns|examples?|raises|attributes|notes)\s*$|==\s*\w+)/i;
/** Headings in capitals, which also begin reference material. */
const CAPITALS = /^\s*[A-Z][A-Z ]{3,}:?\s*$/;
const LEADING_TAG = /^\s*[@\\](?:brief|short|summary|details|description|desc|remarks?)\b:?\s*/i;
const RETURN_ONLY = /^\s*(?:[@\\]returns?|:returns?:)\s+(?:\{[^}]*\}\s*)?(.*)$/i;

const REJECT =
  /copyright|licen[sc]e[ds]?\b|all rights reserved|spdx|permission is hereby|warranty|redistribut|@file\b|\binheritdoc|^\W*(?:todo|fixme|xxx|hack|bug)\b|eslint|prettier-|tslint|jshint|pylint|flake8|noqa|nolint|istanbul|c8 ignore|@ts-|type:\s*ignore|pragma|clang-format|shellcheck|rubocop|phpcs|phpstan|sourcemapping|auto-?generated|do not edit|vim?:\s*(?:set|ts|sw)|-\*-|non-javadoc|^\W*see\b[^.]{0,60}\.?$|^\W*deprecated\b|^\W*(?:created|modified|written|authored?)\b.{0,10}\bby\b|lorem ipsum|^\W*\w*(?:format|lint|fmt)\w*:\s*\w+|^\W*version [\d.]+|^\W*sub [\w:]+$|(?:this file|this package) is part of|@author|go:(?:build|generate|embed|linkname)|^\W*(?:fall-?\s?through|no-?op)\b|\$(?:id|revision|author|date)\b/i;

const ENGLISH = new Set(
  'the a an of to in is for and if with on by from this that be are or not as it when we will can at which has have all only used use no any but do does must should so then than its into each after before there was because'.split(
    ' ',
  ),
);
const FOREIGN = new Set(
  'der die das und nicht ist ein eine wird werden auf mit von zu le les des une est pour dans sur avec qui que los las del para por una con el en nel della che il gli per een het niet voor som och att det den nie sie oder beim wenn'.split(
    ' ',
  ),
);

/** Turns a comment or docstring into a query, or null. `name` is the name of the documented definition, if any. */
export function cleanDoc(raw: string, name = ''): string | null {
  if (raw.length > 20_000 || REJECT.test(raw.slice(0, 400))) return null;
  const paragraphs = paragraphsOf(descriptionLines(raw, name));
  if (paragraphs.length === 0) return null;
  let text = plainText(paragraphs[0]);
  // A first paragraph of two words, or one that only introduces the next, is not the description.
  if (wordsOf(text).length < 6 && paragraphs.length > 1)
    text = `${text.replace(/[.:]?$/, '.')} ${plainText(paragraphs[1])}`;
  return prose(firstSentences(text));
}

const LEADING_NOTE =
  /^\W*(?:(?:note|nb|n\.b\.|hint|tip|info)\b\s*(?:\([^)]*\))?\s*[:,-]\s*|(?:step\s+)?\(?\d{1,2}[.):]\s+)/i;

/** Returns plain text if it is English prose of the right length, otherwise null. */
export function prose(text: string): string | null {
  const trimmed = text
    .replace(/\s+/g, ' ')
    .replace(LEADING_NOTE, '')
    .replace(/^[\s\-–—:;,.*#=>/|]+|[\s\-:;,*#=/|]+$/g, '');
  const words = wordsOf(trimmed);
  if (words.length < MIN_WORDS || words.length > MAX_WORDS + 20 || REJECT.test(trimmed)) return null;
  return isEnglish(trimmed, words) && !looksLikeCode(trimmed) ? trimmed : null;
}

/** Is the line certainly code? Stricter than `looksLikeCode`, since a line may end anywhere in a sentence. */
export function isStatement(line: string): boolean {
  return /[;{}]$|=>|&&|^(?:let|var|const|return|def|import)\b.*[=(]|^[\w.]+\s*(?:=|:=|\+=)\s*\S|^[\w.>-]+\(.*\)$/.test(
    line,
  );
}

/** Is it commented-out code, a table, a drawing, or a list of numbers? */
export function looksLikeCode(text: string): boolean {
  if (/[;{}(\\]$|^[})\]]|=>|&&|\|\||::\w+\(|^\S+\(.*\);?$|^\s*#\s*(?:define|include|if)/.test(text)) return true;
  if (
    /^(?:if|for|while|return|const|let|var|import|from|def|print|else|elif|fi|case|switch|echo|local)\b.*[({=:;]/.test(
      text,
    )
  ) {
    return !/^(?:for|if|while|return|from|case|import)\b(?: [a-z']+){3}/i.test(text);
  }
  if (/^[\w.>[\]-]+\s*(?:[-+*|]?=|:=|<-)\s/.test(text)) return true;
  const symbols = (text.match(/[{}();=<>[\]|&$\\+*_@#%^~/]/g) ?? []).length;
  const letters = (text.match(/[a-z]/gi) ?? []).length;
  return symbols / text.length > 0.09 || letters / text.length < 0.6;
}

function isEnglish(text: string, words: readonly string[]): boolean {
  const foreignLetters = text.replace(/[\u2010-\u2027\u2190-\u22ff]/g, '').match(/[\u0080-\uffff]/g)?.length ?? 0;
  if (foreignLetters / text.length > 0.02) return false;
  const english = words.filter((word) => ENGLISH.has(word)).length;
  const foreign = words.filter((word) => FOREIGN.has(word)).length;
  return foreign < 2 || english > foreign ? english > 0 || words.length < 7 : false;
}

export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[a-z][a-z'’]*/g) ?? [];
}

/** Lines without comment markers, up to the first tag and without the name lines of gtk-doc and kernel-doc. */
function descriptionLines(raw: string, name: string): string[] {
  const lines = raw.replace(/\r/g, '').replace(DOCSTRING_OPEN, '').split('\n');
  const result: string[] = [];
  for (const [index, line] of lines.entries()) {
    let content = line.replace(CLOSER, '').replace(MARKER, '').replace(CLOSER, '').replace(LEADING_TAG, '');
    if (index === 0) content = content.replace(/^[ \t]*["']+|["']+[ \t]*$/g, '');
    if (result.every((one) => one.trim() === '')) content = withoutName(content, name);
    const returned = RETURN_ONLY.exec(content);
    if (returned !== null && result.every((one) => one.trim() === '')) return [`Returns ${lowerFirst(returned[1])}`];
    // Numbered and marked lists are read as prose, tags and headings end the description.
    if (TAG_LINE.test(content) || CAPITALS.test(content)) {
      if (result.some((one) => one.trim() !== '')) break;
      continue;
    }
    result.push(content);
  }
  return result;
}

function withoutName(line: string, name: string): string {
  if (name === '') return line;
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return line.replace(new RegExp(`^\\s*(?:[\\w.]+[.:#]+)?${escaped}(?:\\(\\))?\\s*(?::|--?|—)\\s*`), '');
}

function lowerFirst(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text[0].toLowerCase() + text.slice(1) : text;
}

function paragraphsOf(lines: readonly string[]): string[] {
  return lines
    .join('\n')
    .split(/\n[ \t]*\n|<p\s*\/?>|<br\s*\/?>\s*<br\s*\/?>/i)
    .map((paragraph) => paragraph.replace(/\s+/g, ' ').trim())
    .filter((paragraph) => paragraph !== '');
}

/** Removes markup of HTML, Markdown, reST and Javadoc, and URLs. */
export function plainText(text: string): string {
  return text
    .replace(/\{@(?:link|linkplain|code|literal|see)\s+(?:[^\s}|]*[|\s]+)?([^}]*)\}/g, '$1')
    .replace(/:[a-z]+(?::[a-z]+)?:`~?([^`<]*?)(?:\s*<[^>]*>)?`/g, '$1')
    .replace(/!?\[`?([^\]`]*)`?\](?:\([^)]*\)|\[[^\]]*\])/g, '$1')
    .replace(/\[`([^\]`]*)`\]/g, '$1')
    .replace(/\b(?:https?|ftp):\/\/\S+/g, '')
    .replace(/\b[CLBIFESX]<+\s?([^<>]*?)\s?>+/g, '$1')
    .replace(/<\/?[a-zA-Z][^<>]{0,80}>/g, ' ')
    .replace(/&(?:lt|gt|amp|quot|nbsp|#\d+);/g, ' ')
    .replace(/[\\@](?:c|p|a|e|ref|link|code|endcode|em|b|f|L|C)\b\s?/g, '')
    .replace(/`+|\*\*|__(?=\w[\w ]*__)|(?<=\w)__(?=\s)|(?<![\w])\*(?=\w)|(?<=\w)\*(?!\w)/g, '')
    .replace(/\(\s*\)(?=[\s.,])/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** First sentences, at most three and 60 words, or fewer if these are long enough. */
export function firstSentences(text: string): string {
  const sentences = text.split(
    /(?<=[^.\s][^.\s][.!?]["')]?)(?<!\b(?:e\.g|i\.e|etc|vs|cf|resp|approx)\.)\s+(?=["'(A-Z])/,
  );
  let result = '';
  for (const sentence of sentences.slice(0, MAX_SENTENCES)) {
    const longer = result === '' ? sentence : `${result} ${sentence}`;
    if (result !== '' && wordsOf(longer).length > MAX_WORDS) break;
    result = longer;
    if (wordsOf(result).length >= ENOUGH_WORDS) break;
  }
  const cut = result.split(' ').slice(0, MAX_WORDS).join(' ');
  // A sentence that introduces a list or example that was cut off is dropped.
  return sentences.length > 1 ? cut.replace(/(?<=[.!?]["')]?) [^.!?]*$/, '') : cut;
}
