/** Terminal colours, off unless stdout is a terminal that wants them. */
import type { Io } from '../io.js';

export interface Colors {
  path: (text: string) => string;
  line: (text: string) => string;
  symbol: (text: string) => string;
  match: (text: string) => string;
  dim: (text: string) => string;
}

const sgr = (codes: string) => (text: string) => `\x1b[${codes}m${text}\x1b[0m`;
const plain = (text: string) => text;

/** The colours of `rg`, which people's eyes know. */
export function createColors(io: Io): Colors {
  const forced = io.env.FORCE_COLOR !== undefined && !['', '0'].includes(io.env.FORCE_COLOR);
  const wanted = forced || (io.stdout.isTTY === true && !io.env.NO_COLOR && io.env.TERM !== 'dumb');
  if (!wanted) return { path: plain, line: plain, symbol: plain, match: plain, dim: plain };
  return { path: sgr('35'), line: sgr('32'), symbol: sgr('36'), match: sgr('1;31'), dim: sgr('2') };
}
