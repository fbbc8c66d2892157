/** Colours of a terminal, or none, and the wording of next steps. */
import { visibleText } from '../../base/hygiene.js';
import { COMMAND_WORDS, type Words } from './words.js';

export interface Pen {
  path: (text: string) => string;
  line: (text: string) => string;
  symbol: (text: string) => string;
  match: (text: string) => string;
  dim: (text: string) => string;
  /** Text for another program: as it is, unless a person or an agent reads it. */
  raw: (text: string) => string;
  words: Words;
  /** Entries of each list that earlier pages of the same answer had; undefined for none. */
  skipped?: number;
}

const sgr = (codes: string) => (text: string) => `\x1b[${codes}m${text}\x1b[0m`;
const plain = (text: string) => text;

export function plainPen(words: Words): Pen {
  return { path: plain, line: plain, symbol: plain, match: plain, dim: plain, raw: visibleText, words };
}

/** The pen of a command: the colours of `rg`, which people's eyes know, or none. */
export function createPen({ stdout }: { stdout: { isTTY?: boolean } }, isColored: boolean): Pen {
  const raw = stdout.isTTY === true ? visibleText : plain;
  if (!isColored) return { ...plainPen(COMMAND_WORDS), raw };
  const words = COMMAND_WORDS;
  return { path: sgr('35'), line: sgr('32'), symbol: sgr('36'), match: sgr('1;31'), dim: sgr('2'), raw, words };
}
