/** Type parameters in facts: the type that arguments must have, and the one that is meant without an argument, as in `Cart = Basket`. */

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
