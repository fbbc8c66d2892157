/** Written types, as far as members can be looked up in them. */

export type TypeExpression =
  /** Dotted name with arguments: `Cart`, `shop.Cart<Item>`. */
  | { is: 'named'; head: string; args: readonly TypeExpression[] }
  /** Collection, with the type of its elements or values: `Cart[]`, `[]Cart`, `map[K]V`, `[K: V]`. */
  | { is: 'list'; element: TypeExpression }
  /** Union `A | B`; with `together` the intersection `A & B`. */
  | { is: 'several'; parts: readonly TypeExpression[]; together?: true }
  /** Function type with its result and its parameters: `(id: string) => Cart`. */
  | { is: 'function'; result: TypeExpression; parameters: readonly TypeExpression[] }
  /** Type of a value, given as an access path: `typeof x`. */
  | { is: 'value'; chain: string }
  /** `[Cart, Item]` */
  | { is: 'tuple'; items: readonly TypeExpression[] }
  /** `{ cart: Cart }`; `index` is the type of all other members: `{ [id: string]: Cart }`. */
  | { is: 'object'; members: readonly (readonly [name: string, type: TypeExpression])[]; index?: TypeExpression }
  /**
   * `{ [K in keyof Cart]: Box<Cart[K]> }`: members of the type `of`, each with the type `value`. `key` is `K`. Where other keys are
   * named, as in `[K in Key]`, members have the names of those of `of`, but are its own.
   */
  | { is: 'mapped'; of: TypeExpression; key: string; value: TypeExpression; hasOwnMembers?: true }
  /** `Cart['items']`, `Cart[K]` */
  | { is: 'member'; of: TypeExpression; index: TypeExpression }
  /** `A extends B<infer C> ? D : E`; `inferred` are names that `pattern` gives to parts of `check`. */
  | {
      is: 'conditional';
      check: TypeExpression;
      pattern: TypeExpression;
      inferred: readonly string[];
      parts: readonly [TypeExpression, TypeExpression];
      /** Type that `check`, a type parameter, stands for. Of a union each part is decided by itself. */
      over?: TypeExpression;
    }
  /** The text of a string or number. */
  | { is: 'literal'; text: string };

/** Reads a written type; null if it is none. */
export type ReadType = (text: string) => TypeExpression | null;

/** Type of which nothing is known. */
export const UNKNOWN_EXPRESSION: TypeExpression = { is: 'named', head: '', args: [] };

/** Of a type parameter: the type that arguments must have, and the one that is meant without an argument, as in `Cart = Basket`. */
export interface TypeBound {
  bound: string;
  usual: string;
}

/** Text of a binding; '' where nothing is stated. */
export function joinBound({ bound, usual }: TypeBound): string {
  return usual === '' ? bound : `${bound} = ${usual}`.trim();
}

export function splitBound(text: string): TypeBound {
  const at = /(?:^|\s)= /.exec(text);
  if (at === null) return { bound: text, usual: '' };
  return { bound: text.slice(0, at.index).trim(), usual: text.slice(at.index + at[0].length) };
}
