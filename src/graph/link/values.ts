/** What an expression stands for, as far as it is known. */
import type { EvidenceTier } from '../types.js';
import type { TypeExpression } from './type-text.js';

/** A symbol of a file; -1 for the file as a whole. */
export interface SymbolRef {
  file: number;
  symbol: number;
}

/** Type arguments, and where they are written. */
export interface TypeArguments {
  file: number;
  scope: number;
  list: readonly BoundType[];
}

/** A type as written; `elsewhere` where it stands for one that is written in another place. */
export type BoundType = TypeExpression | { is: 'elsewhere'; file: number; scope: number; type: BoundType };

export type AbstractValue =
  /** The symbol itself: a class, a function, a constant that nothing more is known of. `via`: the type whose member it was found as. */
  | { is: 'symbol'; file: number; symbol: number; args?: TypeArguments; via?: SymbolRef }
  /** Something of that type. */
  | { is: 'instance'; file: number; symbol: number; args?: TypeArguments }
  /** An instance, seen as its parent types. */
  | { is: 'parents'; file: number; symbol: number }
  /** A module: what these files export. */
  | { is: 'files'; files: readonly number[] }
  /** Holds elements of a type that is written there. */
  | { is: 'list'; file: number; scope: number; element: BoundType }
  /** A function; calling it gives what is of a type that is written there. */
  | { is: 'function'; file: number; scope: number; result: BoundType }
  /** One of these. */
  | { is: 'several'; values: readonly AbstractValue[] }
  /** Something from outside of the repository. */
  | { is: 'external' };

/** `value` is null where something is there that nothing is known of: it hides what has the same name further out. */
export interface NameResolution {
  value: AbstractValue | null;
  tier: EvidenceTier;
}

/** Of a type that no name is known of. */
export const UNKNOWN_TYPE: BoundType = { is: 'named', head: '', args: [] };
export const EXTERNAL: AbstractValue = { is: 'external' };
export const RESOLVED_OUTSIDE: NameResolution = { value: EXTERNAL, tier: 'external' };
export const UNKNOWN_NAME: NameResolution = { value: null, tier: 'unresolved' };

export function symbolValue({ file, symbol }: SymbolRef): AbstractValue {
  return symbol < 0 ? { is: 'files', files: [file] } : { is: 'symbol', file, symbol };
}

/** One number for a symbol of a file: files have fewer symbols than this. */
const MAX_SYMBOLS = 2 ** 24;

export function keyOf(file: number, symbol: number): number {
  return file * MAX_SYMBOLS + symbol + 1;
}
