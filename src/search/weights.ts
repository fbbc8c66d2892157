/** Every number of the ranking, with its reason (data). */

/** BM25F: a definition's own name says what a chunk is for; a path is chosen with care but shared by many chunks. */
export const BM25F = {
  /** Saturation: the tenth occurrence of a word says little that the third did not. */
  k1: 1.2,
  body: { weight: 1, b: 0.75 },
  /** Names are short and all meant: their length is no padding to be normalised away. */
  name: { weight: 2, b: 0.3 },
  enclosing: { weight: 1, b: 0.3 },
  path: { weight: 1.5, b: 0.5 },
} as const;

/** Without vectors: features of a descriptive query; each is scaled to 0..1 before its weight applies. */
const LEXICAL_NATURAL = {
  bm25: 3,
  /** Share of the query's idf mass in the file name: the strongest hint of where a topic lives. */
  fileName: 1,
  /** The same for the parent directory. */
  directory: 1,
  /** Query words that begin a file-name word or the other way round: "auth" and `authentication.ts`. */
  prefix: 1.5,
  /** Share of the file name that the query covers: `router.go` beats `router_test_helpers.go` for "router". */
  nameCoverage: 1.5,
  /** Files whose names others use are where an answer starts. */
  centrality: 0.7,
  /** Query words in names the chunk defines. */
  defined: 1.1,
  /** Share of the query's idf mass in the chunk at all: all words once beat one word often. */
  coverage: 1.1,
  /** The definition of an identifier that the query spells out. */
  definition: 2,
  dense: 0,
  denseRare: 0,
  denseFile: 0,
};

/** Features of a query that is one name. */
const LEXICAL_SYMBOL: Weights = {
  bm25: 1,
  fileName: 1,
  directory: 0,
  prefix: 0,
  nameCoverage: 0.5,
  centrality: 2,
  defined: 0,
  coverage: 0,
  /** The definition itself comes first. */
  definition: 4,
  dense: 0,
  denseRare: 0,
  denseFile: 0,
};

export type Feature = keyof typeof LEXICAL_NATURAL;
type Weights = Record<Feature, number>;

/** How a question differs from a description, with and without vectors. */
const QUESTION = {
  /** "How are events dispatched" is answered where it happens, seldom in a file of just those words. */
  nameCoverage: 0.5,
  /** It happens where things come together: in files whose names others use. */
  centrality: 1.2,
  /** The names a question spells out are what the asker knows already. */
  definition: 1.2,
};

/** With vectors, words count for less of what both say. */
const HYBRID_NATURAL: Weights = {
  ...LEXICAL_NATURAL,
  bm25: 2.5,
  /** The chunk and its neighbours. */
  dense: 1.6,
  /** Rare words carry the meaning of a query: weighted by idf they find what the plain sum blurs. */
  denseRare: 1.9,
  /** A file that is about the topic as a whole. */
  denseFile: 1.5,
};

/** For one name, meaning only breaks ties among its definitions. */
const HYBRID_SYMBOL: Weights = { ...LEXICAL_SYMBOL, centrality: 1, dense: 1 };

const NOTHING = Object.fromEntries(Object.keys(LEXICAL_NATURAL).map((name) => [name, 0])) as Weights;
const SEMANTIC: Weights = { ...NOTHING, dense: 2, denseRare: 1, denseFile: 1 };

export const WEIGHTS = {
  lexical: {
    natural: LEXICAL_NATURAL,
    question: { ...LEXICAL_NATURAL, ...QUESTION },
    symbol: LEXICAL_SYMBOL,
  },
  hybrid: {
    natural: HYBRID_NATURAL,
    question: { ...HYBRID_NATURAL, ...QUESTION, denseFile: 1 },
    symbol: HYBRID_SYMBOL,
  },
  semantic: { natural: SEMANTIC, question: SEMANTIC, symbol: SEMANTIC },
} as const;

/** How good an answer a definition of the queried name is, 0..1: types and top-level names are what is meant. */
export const DEFINITION = {
  base: 0.5,
  typeLike: 0.2,
  topLevel: 0.1,
  exported: 0.1,
  /** Reached at this many lines: a 200-line class is the definition, a 2-line one a stand-in. */
  size: 0.1,
  fullSizeLines: 200,
  /** For a capitalised query, names that differ in case: `Deserialize` is the trait, `deserialize` its many methods. */
  otherCase: 0.5,
  /** Fields, keys, headings and variables of that name. */
  dataLike: 0.6,
} as const;

/** A definition in a file of the same name (`Router` in router.ts). */
export const SAME_FILE_BONUS = 1;

/** How chunk vectors and path words make one score, and how chunks of a file share theirs. */
export const DENSE = {
  /** Of the path's unit vector beside the chunk's: a file's place says half as much as its text. */
  path: 0.5,
  /** Of each neighbour in the file: a chunk's end and the next one's beginning are about the same thing. */
  neighbour: 0.25,
  /** A file's mean is taken over this many chunks at most. */
  fileChunks: 32,
  /**
   * Cosine under the built-in model below which a chunk is about something else: the nearest chunk to questions about
   * cooking or football reaches 0.15 to 0.35 in repositories of code, a right answer 0.37 or more in 19 of 20 cases.
   * Where meaning is all there is, because it was asked for or no word matches, more is shown.
   */
  floor: { hybrid: 0.35, semantic: 0.25 },
  /** Nearest chunks that pass on to ranking. */
  candidates: 200,
} as const;

/** How chunks of one file act on each other. */
export const FILE = {
  /**
   * A file's best chunk gains this share of the top score, scaled by the file's summed scores over the best file's.
   * A question is answered by one place, which other chunks merely support; a name is at home where it is all over.
   */
  coherence: { natural: 0.3, question: 0.4, symbol: 0.5 },
  /** The nth chunk of a file counts this much to the power n - 1: ten places should show more than one file. */
  saturation: 0.5,
} as const;

/** Factors for files that are rarely what is meant, unless the query asks for their kind. */
export const CLASS_FACTOR = {
  source: 1,
  forwarding: 0.5,
  declaration: 0.7,
  test: 0.3,
  example: 0.3,
  legacy: 0.3,
  generated: 0.3,
  vendored: 0.3,
  document: 0.5,
  data: 0.5,
} as const;

/** Chunks that pass on to ranking; beyond a few hundred nothing reaches the first page. */
export const CANDIDATES = 600;

/** When two words count as related by their beginning: "serialization" and `serializer`, not `state` and `static`. */
export const KINSHIP = {
  minLetters: 4,
  /** Of the shorter word. */
  minShare: 0.75,
  discount: 0.8,
} as const;

/** Which words of the repository a misspelt query word may stand for. */
export const CORRECTION = {
  minLetters: 5,
  maxLetters: 24,
  /** Two typing errors are believed from this length on. */
  twoEditsFrom: 8,
  /** Terms sharing trigrams that are compared letter by letter. */
  candidates: 200,
  /** Terms that one word is replaced by at most. */
  kept: 2,
} as const;
