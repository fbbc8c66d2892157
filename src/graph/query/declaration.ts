/** Declarations without the words that a reader of an outline does not need: what takes something in brackets is a function. */
import { conventionsOf } from '../../languages/registry.js';

/** Most characters of a declaration: a longer one has its parameters cut, so that its result stays visible. */
const MAX_DECLARATION = 96;
const MIN_PARAMETERS = 24;

export function declarationText(signature: string, language: string): string {
  const { declarationNoise, impliedParameter } = conventionsOf(language);
  let text = declarationNoise === undefined ? signature : signature.replace(declarationNoise, '');
  if (impliedParameter !== undefined) text = text.replace(impliedParameter, '(');
  return text === '' ? signature : withShortParameters(text);
}

/** `search(text: string, …): Promise<Result>` */
function withShortParameters(text: string): string {
  if (text.length <= MAX_DECLARATION) return text;
  const open = text.indexOf('(');
  const close = open < 0 ? -1 : closing(text, open);
  if (close < 0) return cutAt(text, MAX_DECLARATION);
  const result = cutAt(text.slice(close), MAX_DECLARATION / 2);
  const room = Math.max(MIN_PARAMETERS, MAX_DECLARATION - open - result.length);
  return `${text.slice(0, open + 1)}${cutAt(text.slice(open + 1, close), room)}${result}`;
}

const cutAt = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length).replace(/[\s…]+$/, '')}…`;

/** The bracket that closes the one at `open`; -1 where the text ends before. */
function closing(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === '(') depth++;
    else if (text[at] === ')' && --depth === 0) return at;
  }
  return -1;
}
