/** What the parameters of functions stand for that are written where they are handed over: `carts.map((cart) => …)`. */

import type { Reading } from '../roles/relations.js';
import { GLOBAL_ROOTS } from './words.js';

/** Methods that call their argument with elements of what they are called on: which of its parameters are elements. */
const ELEMENTS: ReadonlyMap<string, readonly number[]> = new Map([
  ...methods('forEach map flatMap filter find findIndex findLast findLastIndex some every partition', 0),
  ...methods('sort toSorted', 0, 1),
  ...methods('reduce reduceRight', 1),
]);
/** `promise.then((cart) => …)` is called with what `await promise` gives, and that is what a promise stands for. */
const AWAITED = 'then';

/** From the callee of a call to the parameters of the function that is its first argument. */
const HANDED_OVER =
  /\.\s*(\w+)\s*(?:<[^<>()]*>\s*)?(\()\s*(?:async\b\s*)?(?:function\b\s*\*?\s*(?:[\w$]+\s*)?(?:<[^<>()]*>\s*)?)?$/;
/** As far as it is looked for. UTF-16 units. */
const LONGEST_LEAD = 120;

/** Values of the parameters of the function whose parameters (or only one) start at `at`: a chain for each, '' if it isn't known. */
export function handedOver(at: number, reading: Reading): (index: number) => string {
  const from = Math.max(0, at - LONGEST_LEAD);
  const lead = reading.source.slice(from, at);
  const match = lead.includes('(') ? HANDED_OVER.exec(lead) : null;
  if (match === null) return nothing;
  const elements = ELEMENTS.get(match[1]);
  if (elements === undefined && match[1] !== AWAITED) return nothing;
  const { chain } = reading.chainBefore(from + match.index + match[0].indexOf('(', match[1].length));
  const receiver = chain.endsWith(`.${match[1]}`) ? chain.slice(0, -match[1].length - 1) : '';
  if (receiver === '' || receiver.startsWith('?') || isGlobal(receiver)) return nothing;
  return (index) => {
    if (elements === undefined) return index === 0 ? receiver : '';
    return elements.includes(index) ? `${receiver}[]` : '';
  };
}

/** `Object.values(carts)`: what such calls give is in their arguments, which chains leave out. */
export function isGlobal(chain: string): boolean {
  return GLOBAL_ROOTS.has(/^(?:new )?([^.()[\]]*)/.exec(chain)?.[1] ?? '');
}

function nothing(): string {
  return '';
}

function methods(names: string, ...elements: number[]): [string, readonly number[]][] {
  return names.split(' ').map((name) => [name, elements]);
}
