/**
 * What is known about embedding models (data). A prefix is part of what a model was trained on: without it, answers
 * get worse, so it belongs to the model and not to the settings. After a change here, bump `MODELS_VERSION`.
 */

export interface ModelFacts {
  /** Numbers per vector; null where variants of different size share the name. */
  native: number | null;
  /** Tokens of one text that are embedded. */
  tokens: number;
  /** Trained so that the first numbers of a vector are a smaller vector (Matryoshka)? */
  isMatryoshka: boolean;
  /** Stand before every document and every query. */
  document: string;
  query: string;
  /** Does OpenAI's `dimensions` parameter work with it? Servers refuse it for models they do not know it of. */
  takesDimensions?: true;
}

/** Part of an embedder's id: the same model with another prefix or length gives other vectors. */
export const MODELS_VERSION = 1;

const PASSAGES = 'Represent this sentence for searching relevant passages: ';
const TASK = 'Instruct: Given a question or a name, retrieve the source code that answers or defines it\nQuery:';
const NOMIC = { document: 'search_document: ', query: 'search_query: ' };
const E5 = { tokens: 512, isMatryoshka: false, document: 'passage: ', query: 'query: ' };
const BGE = { tokens: 512, isMatryoshka: false, document: '', query: PASSAGES };
const ARCTIC = { tokens: 512, isMatryoshka: false, document: '', query: PASSAGES };
const ARCTIC_2 = { tokens: 8_192, isMatryoshka: true, document: '', query: 'query: ' };
/** Sees 32,768 tokens, of which more than these are of no use to a passage. */
const QWEN_3 = { tokens: 8_192, isMatryoshka: true, document: '', query: TASK };
const PLAIN = { isMatryoshka: false, document: '', query: '' };

/** The first row whose pattern fits the bare name (see `bareName`) counts. */
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

/** Of a model that is not in the table; servers cut or refuse what is too long for it. */
const UNKNOWN_TOKENS = 2_048;
/** Code has 3 to 4 characters a token; with fewer, the server cuts a little more. */
const CHARACTERS_PER_TOKEN = 3;

/** `nomic-ai/nomic-embed-text:latest` and LM Studio's `text-embedding-nomic-embed-text` -> `nomic-embed-text`. */
export function bareName(model: string): string {
  const name = model.toLowerCase().replace(/:latest$/, '');
  return name.slice(name.lastIndexOf('/') + 1).replace(/^text-embedding-(?!\d|ada)/, '');
}

/** What is known about `model`, as Ollama, Hugging Face, LM Studio or OpenAI spell it; null if nothing is. */
export function modelFacts(model: string): ModelFacts | null {
  const name = bareName(model);
  return MODELS.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}

/** UTF-16 code units of one text worth sending. */
export function maxCharacters(facts: ModelFacts | null): number {
  return (facts?.tokens ?? UNKNOWN_TOKENS) * CHARACTERS_PER_TOKEN;
}

/** Names what a model's vectors depend on, for profiles: `nomic-embed-text:latest` is `nomic-embed-text`. */
export function embedderId(provider: string, model: string): string {
  return `${provider}/${model.replace(/:latest$/, '')}@${MODELS_VERSION}`;
}
