/** Known models, with the prefixes that they were trained with, and how much text a request may hold. */
export interface ModelFacts {
  /** Numbers per vector; null if variants of different size share the name. */
  native: number | null;
  /** Tokens of one text that the model embeds. */
  tokens: number;
  /** True if the model was trained so that the first numbers of a vector are a smaller vector (Matryoshka). */
  isMatryoshka: boolean;
  /** Prefix of every document; `query` is the prefix of every query. */
  document: string;
  query: string;
  /**
   * True if OpenAI's `dimensions` parameter works for this model. Servers refuse it for models that they do not know.
   */
  takesDimensions?: true;
}

/** Part of an embedder's id, because another prefix or length gives other vectors for the same model. */
const MODELS_VERSION = 1;

const PASSAGES = 'Represent this sentence for searching relevant passages: ';
const TASK = 'Instruct: Given a question or a name, retrieve the source code that answers or defines it\nQuery:';
const NOMIC = { document: 'search_document: ', query: 'search_query: ' };
const E5 = { tokens: 512, isMatryoshka: false, document: 'passage: ', query: 'query: ' };
const BGE = { tokens: 512, isMatryoshka: false, document: '', query: PASSAGES };
const ARCTIC = { tokens: 512, isMatryoshka: false, document: '', query: PASSAGES };
const ARCTIC_2 = { tokens: 8_192, isMatryoshka: true, document: '', query: 'query: ' };
/** The model sees 32,768 tokens; a passage gains nothing from more than 8,192. */
const QWEN_3 = { tokens: 8_192, isMatryoshka: true, document: '', query: TASK };
const PLAIN = { isMatryoshka: false, document: '', query: '' };

/** The first row whose pattern matches the bare name (see `bareName`) counts. */
const MODELS: readonly (readonly [RegExp, ModelFacts])[] = [
  [/^nomic-embed-text-v2/, { native: 768, tokens: 512, isMatryoshka: true, ...NOMIC }],
  [/^nomic-embed-text[-:]v1(?![.\d])/, { native: 768, tokens: 2_048, isMatryoshka: false, ...NOMIC }],
  [/^nomic-embed-text/, { native: 768, tokens: 2_048, isMatryoshka: true, ...NOMIC }],
  [
    /^nomic-embed-code/,
    { ...PLAIN, native: 3_584, tokens: 8_192, query: 'Represent this query for searching relevant code: ' },
  ],
  [/^mxbai-embed-large/, { native: 1_024, tokens: 512, isMatryoshka: true, document: '', query: PASSAGES }],
  [/(?:^|-)e5-large-instruct/, { ...E5, native: 1_024, document: '', query: `${TASK} ` }],
  [/(?:^|-)e5-small/, { ...E5, native: 384 }],
  [/(?:^|-)e5-base/, { ...E5, native: 768 }],
  [/(?:^|-)e5-large/, { ...E5, native: 1_024 }],
  [/^bge-m3/, { ...PLAIN, native: 1_024, tokens: 8_192 }],
  [/^bge-(?:small|base|large)-zh/, { ...BGE, native: null, query: '为这个句子生成表示以用于检索相关文章：' }],
  [/^bge-small/, { ...BGE, native: 384 }],
  [/^bge-base/, { ...BGE, native: 768 }],
  [/^bge-large/, { ...BGE, native: 1_024 }],
  [/^qwen3-embedding[-:]0\.6b/, { ...QWEN_3, native: 1_024 }],
  [/^qwen3-embedding[-:]4b/, { ...QWEN_3, native: 2_560 }],
  [/^qwen3-embedding[-:]8b/, { ...QWEN_3, native: 4_096 }],
  [/^qwen3-embedding/, { ...QWEN_3, native: null }],
  [/^snowflake-arctic-embed-m-v1\.5/, { ...ARCTIC, native: 768, isMatryoshka: true }],
  [/^snowflake-arctic-embed-m-v2/, { ...ARCTIC_2, native: 768 }],
  [/^snowflake-arctic-embed(?:2|-l-v2)/, { ...ARCTIC_2, native: 1_024 }],
  [/^snowflake-arctic-embed(?:-xs|-s|:22m|:33m)(?![a-z])/, { ...ARCTIC, native: 384 }],
  [/^snowflake-arctic-embed(?:-m|:110m|:137m)(?![a-z])/, { ...ARCTIC, native: 768 }],
  [/^snowflake-arctic-embed(?:-l|:335m)(?![a-z])/, { ...ARCTIC, native: 1_024 }],
  [/^snowflake-arctic-embed/, { ...ARCTIC, native: null }],
  [
    /^embeddinggemma/,
    {
      ...{ native: 768, tokens: 2_048, isMatryoshka: true },
      ...{ document: 'title: none | text: ', query: 'task: code retrieval | query: ' },
    },
  ],
  [/^all-minilm/, { ...PLAIN, native: 384, tokens: 256 }],
  [/^jina-embeddings-v2-base/, { ...PLAIN, native: 768, tokens: 8_192 }],
  [/^granite-embedding/, { ...PLAIN, native: null, tokens: 512 }],
  [/^text-embedding-3-small/, { ...PLAIN, native: 1_536, tokens: 8_191, isMatryoshka: true, takesDimensions: true }],
  [/^text-embedding-3-large/, { ...PLAIN, native: 3_072, tokens: 8_191, isMatryoshka: true, takesDimensions: true }],
  [/^text-embedding-ada-002/, { ...PLAIN, native: 1_536, tokens: 8_191 }],
];

/** Tokens assumed for a model that is not in the table. Servers cut or refuse longer texts. */
const UNKNOWN_TOKENS = 2_048;
/** Code has 3 to 4 characters a token. With 3, the server may have to cut a little more itself. */
const CHARACTERS_PER_TOKEN = 3;

/**
 * Removes registry, organisation and `:latest`: `nomic-ai/nomic-embed-text:latest` and LM Studio's
 * `text-embedding-nomic-embed-text` both become `nomic-embed-text`.
 */
function bareName(model: string): string {
  const name = model.toLowerCase().replace(/:latest$/, '');
  return name.slice(name.lastIndexOf('/') + 1).replace(/^text-embedding-(?!\d|ada)/, '');
}

/** Finds a model in the table, spelled as Ollama, Hugging Face, LM Studio or OpenAI do; null if it is not there. */
export function modelFacts(model: string): ModelFacts | null {
  const name = bareName(model);
  return MODELS.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}

/** UTF-16 code units of one text that are worth sending. */
export function maxCharacters(facts: ModelFacts | null): number {
  return (facts?.tokens ?? UNKNOWN_TOKENS) * CHARACTERS_PER_TOKEN;
}

/**
 * Identifies everything that a model's vectors depend on, for profiles. `nomic-embed-text:latest` counts as
 * `nomic-embed-text`.
 */
export function embedderId(provider: string, model: string): string {
  return `${provider}/${model.replace(/:latest$/, '')}@${MODELS_VERSION}`;
}

/** About 20,000 tokens: half a minute for a small model on a slow machine, and well below the limits of any server. */
const MAX_BATCH_CHARACTERS = 65_536;

/** Returns the first `length` UTF-16 code units of `text`, or one fewer if the cut would split a surrogate pair. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length);
}

/**
 * Collects texts into batches of at most `size` texts and MAX_BATCH_CHARACTERS code units. A single text may be longer.
 */
export class BatchMaker {
  #texts: string[] = [];
  #characters = 0;

  /** A text counts with at most `perText` code units, because the model sees no more of it. */
  constructor(
    private readonly size: number,
    private readonly perText: number,
  ) {}

  /** Adds a text. Returns the batch before it if the text no longer fits into that batch, else null. */
  add(text: string): string[] | null {
    const characters = Math.min(text.length, this.perText);
    const isFull = this.#texts.length >= this.size || this.#characters + characters > MAX_BATCH_CHARACTERS;
    const full = isFull ? this.take() : null;
    this.#texts.push(text);
    this.#characters += characters;
    return full;
  }

  /** Returns the texts collected so far and starts a new batch; null if there are none. */
  take(): string[] | null {
    const texts = this.#texts;
    this.#texts = [];
    this.#characters = 0;
    return texts.length === 0 ? null : texts;
  }
}

/** Yields `texts` in order, in batches of at most `size`. Each text counts with at most `perText` code units. */
export function* sliceBatches(texts: readonly string[], size: number, perText: number): Generator<string[]> {
  const maker = new BatchMaker(size, perText);
  for (const text of texts) {
    const full = maker.add(text);
    if (full !== null) yield full;
  }
  const rest = maker.take();
  if (rest !== null) yield rest;
}
