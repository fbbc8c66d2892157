/** All numbers of the ranking, with their reasons. */

/** BM25F. A definition's own name says what a chunk is for. A path is chosen with care, but many chunks share it. */
export const BM25F = {
  /** Saturation: the tenth occurrence of a word adds little to the third. */
  k1: 1.2,
  body: { weight: 1, b: 0.75 },
  /** Names are short and every word in them counts, so their length is hardly normalised. */
  name: { weight: 2, b: 0.3 },
  enclosing: { weight: 1, b: 0.3 },
  path: { weight: 1.5, b: 0.5 },
  /** Messages of the commits that made or changed lines of the chunk: people name what they work on in words that the code may lack. */
  message: { weight: 1, b: 0.5 },
} as const;

/** Features of a descriptive query without vectors. Each feature is scaled to 0..1 before its weight applies. */
const LEXICAL_NATURAL = {
  bm25: 3,
  /** Share of the query's idf mass in the file name: the strongest hint of where a topic lives. */
  fileName: 1,
  /** Share of the query's idf mass in the parent directory's name. */
  directory: 1,
  /** Query words that are the beginning of a word in the file name, or have one as their beginning: "auth" and `authentication.ts`. */
  prefix: 1.5,
  /** Share of the file name that the query covers: `router.go` beats `router_test_helpers.go` for "router". */
  nameCoverage: 1.1,
  /** Files whose names other files use are good places to start reading. */
  centrality: 0.7,
  /** Query words in names that the chunk defines. */
  defined: 1.1,
  /** Share of the query's idf mass that occurs in the chunk: all words once are better than one word often. */
  coverage: 1.1,
  /** Definition of an identifier that the query spells out. */
  definition: 2,
  dense: 0,
  denseRare: 0,
  denseFile: 0,
  /** Query words in subjects of commits that changed the file: people name what they work on in words that the code may lack. */
  history: 1,
  /** Query words in what a model wrote about the file. Half the weight of commits, since a model retells the code's own words. */
  summary: 0.5,
  /** Commits of near meaning that changed the file, for a query that describes a change or a fault. */
  changes: 0,
  /**
   * Files of rules, for a question who may do what: they have few of its words, but a name that says what they are. On 26 such questions
   * about five repositories the first result is right for 20 in place of 6 (MRR .82 for .31).
   */
  permission: 5,
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
  history: 0,
  summary: 0,
  changes: 0,
  permission: 0,
};

export type Feature = keyof typeof LEXICAL_NATURAL;
type Weights = Record<Feature, number>;

/** Weights of a question that differ from those of a description, with and without vectors. */
const QUESTION = {
  /** "How are events dispatched" is answered by the code that does it, rarely by a file with just those words in its name. */
  nameCoverage: 0.4,
  /** Such code is in files where things come together, whose names other files use. */
  centrality: 1.2,
  /** A person already knows the names that a question spells out. */
  definition: 1.2,
};

/** Weights with vectors: words count less for what words and vectors both express. */
const HYBRID_NATURAL: Weights = {
  ...LEXICAL_NATURAL,
  bm25: 3,
  /** Similarity of the chunk and its neighbours. */
  dense: 1.6,
  /** Rare words carry the meaning of a query: weighted by idf, they find chunks that the plain sum misses. */
  denseRare: 1.9,
  /** Similarity of the file as a whole to the topic. Its best chunks, and the commits that changed it, say the same more exactly. */
  denseFile: 0.6,
};

/** For a single name, meaning only breaks ties among its definitions. */
const HYBRID_SYMBOL: Weights = { ...LEXICAL_SYMBOL, centrality: 1, dense: 1 };

const NOTHING = Object.fromEntries(Object.keys(LEXICAL_NATURAL).map((name) => [name, 0])) as Weights;
const SEMANTIC: Weights = { ...NOTHING, dense: 2, denseRare: 1, denseFile: 1 };

/** Weights of a description of a change or a fault: those who made like changes before had to find the same files. */
const HYBRID_CHANGE: Weights = { ...HYBRID_NATURAL, changes: 1 };

export const WEIGHTS = {
  lexical: {
    natural: LEXICAL_NATURAL,
    change: LEXICAL_NATURAL,
    question: { ...LEXICAL_NATURAL, ...QUESTION },
    symbol: LEXICAL_SYMBOL,
  },
  hybrid: {
    natural: HYBRID_NATURAL,
    change: HYBRID_CHANGE,
    question: { ...HYBRID_NATURAL, ...QUESTION, denseFile: 0.7 },
    symbol: HYBRID_SYMBOL,
  },
  semantic: { natural: SEMANTIC, change: SEMANTIC, question: SEMANTIC, symbol: SEMANTIC },
} as const;

/** How good an answer a definition of the queried name is, 0..1: people mostly look for types and top-level names. */
export const DEFINITION = {
  base: 0.5,
  typeLike: 0.2,
  topLevel: 0.1,
  exported: 0.1,
  /** Bonus that grows up to `fullSizeLines` lines: a 200-line class is the definition, a 2-line one a stand-in. */
  size: 0.1,
  fullSizeLines: 200,
  /** Factor for names that differ in case from a capitalised query: `Deserialize` is the trait, `deserialize` its many methods. */
  otherCase: 0.5,
  /** Factor for fields, keys, headings and variables of that name. */
  dataLike: 0.6,
} as const;

/** Bonus for a definition in a file of the same name (`Router` in router.ts). */
export const SAME_FILE_BONUS = 1;

/** Weights that combine chunk and path vectors into one score, and that spread scores among the chunks of a file. */
export const DENSE = {
  /** Weight of the path's unit vector relative to the chunk's: a file's path says half as much as its text. */
  path: 0.5,
  /** Weight of each neighbour in the file: a chunk's end and the next one's beginning are about the same thing. */
  neighbour: 0.25,
  /** Largest number of chunks for the mean of a file. */
  fileChunks: 32,
  /**
   * Cosine under the built-in model below which a chunk counts as unrelated. The nearest chunk to questions about cooking or football
   * reaches 0.15 to 0.35 in repositories of code; a right answer reaches 0.37 or more in 19 of 20 cases. The lower floor is for searches
   * by meaning alone, either on request or because no word matches.
   */
  floor: { hybrid: 0.35, semantic: 0.25 },
  /** Number of nearest chunks that become candidates for ranking. */
  candidates: 200,
} as const;

/** Effects of the chunks of one file on each other. */
export const FILE = {
  /**
   * Share of the top score that a file's best chunk gains, scaled by the file's summed scores relative to the best file's. One chunk
   * answers a question, and other chunks merely support it; a name belongs to the file that uses it all over.
   */
  coherence: { natural: 0.3, question: 0.2, symbol: 0.5 },
  /**
   * Part with which a chunk counts in that sum, to the power of its place in its file. A few chunks show that a file is about a
   * description; large files won it because they are large. A question is about a file where things come together, which is large.
   */
  fading: { natural: 0.7, question: 1, symbol: 1 },
  /**
   * Factor for further chunks of a file, because ten results should show more than one file. It is multiplied with their share of the
   * best chunk's score, to this power. So a chunk that answers as well as the best one stays near it, however large the file is: halving
   * with each chunk put the very method of a file of 2,000 lines at place 29.
   */
  further: 0.5,
  steepness: 2,
} as const;

/**
 * Gains from calls, for descriptions and questions with vectors; a score of the first page is 5 to 12. Half as much gains half as much,
 * and twice as much nothing. Without vectors the first judge loses .002, so searches by words alone do without.
 */
export const CALLS = {
  /** Chunks that are read: those of the first page, which are read to be shown, and a few more. */
  read: 15,
  /** Chunks whose calls and whose definitions count. */
  best: 10,
  /** Gain of a chunk that a result calls, times the result's share of the best score. */
  called: 1,
  /** Gain of a chunk that uses what a result defines. */
  uses: 0.5,
  /** Maximum number of definitions of one name. `letters`: minimum length of the name, since `get` is anybody's. */
  definitions: 3,
  letters: 3,
} as const;

/**
 * Gains that choose the chunk that comes first for a file, next to its own score of 3 to 10. On 1,026 files of 24 repositories with known
 * answers, the shown chunk has the intended lines in .533 in place of .486: of descriptions .596 for .484, of subjects of commits .491
 * for .488.
 */
export const BEST_CHUNK = {
  /** Files that are looked at, and chunks of each: with 8 chunks the share is .003 higher, with 3 it is .013 lower. */
  files: 10,
  chunks: 5,
  /** Gain of a definition at the top level, which a description is about. At 2, subjects of commits lose .012. */
  topLevel: 1.5,
  /** Gain for all of the query's words in the first lines of code, which have names, parameters and results. */
  signature: 1,
  lines: 2,
  /** Loss of imports and loose code. */
  loose: 1,
  /** Loss of a test below the code that it tests. It still raises its file. */
  ownTest: 4,
} as const;

/**
 * Parts of a result's file that are named below it. Of 757 files of 19 repositories that are among ten results, the results have the
 * intended lines in .536, with these parts in .690; two parts of all ten results: .697, three: .738, for 53 and 86 tokens more.
 */
export const NEXT_PARTS = {
  /** Files that have some, and parts of each. Ten results of an agent take 880 tokens without, 929 with them. */
  files: 3,
  each: 3,
  /** Share of the best own score in the file below which a part is not named; .3 names the same parts. */
  share: 0.5,
} as const;

/** Factors for files that are rarely intended, unless the query asks for their class. */
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

/** Limits on reading text for what a query has as typed: each chunk read costs about 0.1 ms. */
export const EXACT = {
  /** Lines of pasted code that are looked for. */
  lines: 50,
  /** Chunks with every word of the text. */
  candidates: 100,
  /** Chunks with every word of a name or of a message. Of a name, the others are read, too, if none of these has its bytes. */
  named: 20,
  /** Ranked chunks, which may hold some of the lines. */
  ranked: 30,
  /** Ranked chunks from which those with a quoted phrase are taken. */
  phrases: 200,
  /** Words next to a literal (`5000ms`) up to which the query is about the literal. */
  wordsBesideLiteral: 3,
  /** Words with a meaning of their own next to a quoted phrase, up to which every result must have the phrase. */
  wordsBesidePhrase: 3,
  /** Places of a trace that come first. Callers further out only pass on values. */
  places: 4,
} as const;

/**
 * Share of the chunks of product code from which on the repository is about a word: in a test runner, "test" asks for no tests, and in a
 * library for JSON, "json" for no data. In 35 other repositories "example" reaches 0.22, in comments, and "test" 0.06.
 */
export const TOPIC_SHARE = 0.25;

/** Factor, less one, by which the words of a file of rules count among candidates: of "may a user edit a document" it may have one alone. */
export const PERMISSION_LEAD = 4;

/** Number of chunks that are ranked; beyond a few hundred, none reaches the first page. */
export const CANDIDATES = 600;

/** Bounds for words that count as related by their beginning: "serialization" and `serializer`, but not `state` and `static`. */
export const KINSHIP = {
  minLetters: 4,
  /** Share of the shorter word's letters that must be equal. */
  minShare: 0.75,
  discount: 0.8,
} as const;

/** A query in other words than the code's, told by the share of its idf mass in the chunk that has most of it. */
export const OTHER_WORDS = {
  /**
   * From `none` on the query has the code's own words, up to `full` it has others. About one judged question in ten is below .42, and three
   * of four that were asked in other words.
   */
  none: 0.42,
  full: 0.35,
  /** Smallest number of words of such a query: fewer say too little about what was meant. */
  words: 3,
  /**
   * Part of the gain of a file's chunks that such a query leaves out. The words that it shares with the code are accidental, and a large file
   * has many of them. With all of it left out, one judged question more is wrong.
   */
  coherence: 0.5,
} as const;

/** Words of the same meaning, for a query in other words than the code's. Chosen on 50 questions about eight repositories. */
export const SYNONYMS = {
  /** Share of the chunks below which a word is rare enough to be searched for together with its synonyms. */
  rare: 0.03,
  /** Largest number of synonyms of a word, of those that the snapshot has. */
  most: 8,
  /** Weight of an occurrence of a synonym. */
  weight: 0.5,
} as const;

/** Bounds for the words that a misspelt query word may stand for. */
export const CORRECTION = {
  minLetters: 5,
  maxLetters: 24,
  /** Word length from which two typing errors are allowed. */
  twoEditsFrom: 8,
  /** Number of terms with shared trigrams that are compared letter by letter. */
  candidates: 200,
  /** Largest number of terms that replace one word. */
  kept: 2,
} as const;
