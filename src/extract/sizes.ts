/** Chunk sizes in UTF-16 units: what fits an embedding window, reads as one thing, and still tells one thing. */
export const SIZES = {
  /** No chunk is larger. */
  cap: 1_500,
  /** Neighbours are merged up to this. */
  merged: 1_000,
  /** A definition of this size is a chunk of its own, and a file of this size needs no cutting. */
  alone: 600,
  /** A part smaller than this isn't worth a boundary of its own. */
  part: 400,
  /** A chunk smaller than this joins a neighbour if one has room. */
  tiny: 200,
} as const;
