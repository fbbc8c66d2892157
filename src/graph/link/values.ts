/** Abstract values: the part of an expression's value that linking can know. */
import type { EvidenceTier } from '../types.js';
import type { TypeExpression } from './type-text.js';

/** Symbol of a file; symbol -1 stands for the whole file. */
export interface SymbolRef {
  file: number;
  symbol: number;
}

/** Type arguments, with the scope that their names belong to. */
export interface TypeArguments {
  file: number;
  scope: number;
  list: readonly BoundType[];
  /** Names of the parameters that they stand for, where those are known. */
  names?: readonly string[];
}

/** Type as written. `elsewhere` replaces a type parameter by an argument from another scope. */
export type BoundType = TypeExpression | { is: 'elsewhere'; file: number; scope: number; type: BoundType };

export type AbstractValue =
  /**
   * The symbol itself: a class, a function, or a constant of unknown value. `via` is the type that it was looked up in
   * as a member.
   */
  | { is: 'symbol'; file: number; symbol: number; args?: TypeArguments; via?: SymbolRef }
  /** Instance of the type `symbol`. `own`: inherited members do not count, as for the parameters of its constructor. */
  | { is: 'instance'; file: number; symbol: number; args?: TypeArguments; own?: true }
  /** Instance accessed through its parent types, as `super` is. */
  | { is: 'parents'; file: number; symbol: number }
  /** Module with the exports of these files. */
  | { is: 'files'; files: readonly number[] }
  /** Collection with elements of a type written in that scope. */
  | { is: 'list'; file: number; scope: number; element: BoundType }
  /** Function with a result and parameters of types written in that scope. */
  | { is: 'function'; file: number; scope: number; result: BoundType; parameters: readonly BoundType[] }
  /** One of several values, such as a union type. */
  | { is: 'several'; values: readonly AbstractValue[] }
  /** Value from outside of the repository. */
  | { is: 'external' };

/**
 * Resolution of a name. `value` is null for a name that is bound to something unknown; it still hides outer
 * definitions.
 */
export interface NameResolution {
  value: AbstractValue | null;
  tier: EvidenceTier;
  /** A field whose type is written hides fields of its name in parent types, whatever the type is. */
  declared?: boolean;
}

/** Type without a known name. */
export const UNKNOWN_TYPE: BoundType = { is: 'named', head: '', args: [] };
export const EXTERNAL: AbstractValue = { is: 'external' };
export const RESOLVED_OUTSIDE: NameResolution = { value: EXTERNAL, tier: 'external' };
export const UNKNOWN_NAME: NameResolution = { value: null, tier: 'unresolved' };

export function symbolValue({ file, symbol }: SymbolRef): AbstractValue {
  return symbol < 0 ? { is: 'files', files: [file] } : { is: 'symbol', file, symbol };
}

/** Maximum number of symbols of a file, so that `keyOf` gives each symbol its own number. */
const MAX_SYMBOLS = 2 ** 24;

export function keyOf(file: number, symbol: number): number {
  return file * MAX_SYMBOLS + symbol + 1;
}
