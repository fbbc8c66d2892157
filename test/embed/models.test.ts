/** The table of models: names as every server spells them, and what follows for vectors. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxCharacters, modelFacts } from '../../src/embed/models.js';

test('models are found in the table by the names that servers give them', () => {
  const SIZES: Record<string, number | null | undefined> = {
    'nomic-embed-text': 768,
    'nomic-embed-text:latest': 768,
    'nomic-embed-text:v1.5': 768,
    'nomic-ai/nomic-embed-text-v1.5': 768,
    'text-embedding-nomic-embed-text-v1.5': 768,
    'mxbai-embed-large:335m': 1_024,
    'mixedbread-ai/mxbai-embed-large-v1': 1_024,
    'intfloat/multilingual-e5-large-instruct': 1_024,
    'intfloat/e5-base-v2': 768,
    'zylonai/multilingual-e5-large': 1_024,
    'jeffh/intfloat-multilingual-e5-small:f16': 384,
    'bge-m3': 1_024,
    'BAAI/bge-small-en-v1.5': 384,
    'bge-large': 1_024,
    'qwen3-embedding': null,
    'qwen3-embedding:0.6b': 1_024,
    'Qwen/Qwen3-Embedding-4B': 2_560,
    'text-embedding-qwen3-embedding-8b': 4_096,
    'snowflake-arctic-embed': null,
    'snowflake-arctic-embed:33m': 384,
    'snowflake-arctic-embed:110m': 768,
    'Snowflake/snowflake-arctic-embed-m-long': 768,
    'snowflake-arctic-embed:335m': 1_024,
    'snowflake-arctic-embed2:568m': 1_024,
    'Snowflake/snowflake-arctic-embed-l-v2.0': 1_024,
    'Snowflake/snowflake-arctic-embed-m-v1.5': 768,
    'embeddinggemma:300m': 768,
    'all-minilm:33m': 384,
    'sentence-transformers/all-MiniLM-L6-v2': 384,
    'text-embedding-3-small': 1_536,
    'openai/text-embedding-3-large': 3_072,
    'text-embedding-ada-002': 1_536,
    'unclemusclez/jina-embeddings-v2-base-code': 768,
    'my-own-model': undefined,
  };
  for (const [name, size] of Object.entries(SIZES)) assert.equal(modelFacts(name)?.native, size, name);
});

test('the model decides prefixes and whether vectors can be shortened', () => {
  const prefixes = (name: string) => [modelFacts(name)?.document, modelFacts(name)?.query];
  assert.deepEqual(prefixes('nomic-embed-text'), ['search_document: ', 'search_query: ']);
  assert.deepEqual(prefixes('intfloat/e5-large-v2'), ['passage: ', 'query: ']);
  assert.deepEqual(prefixes('snowflake-arctic-embed2'), ['', 'query: ']);
  assert.deepEqual(prefixes('embeddinggemma'), ['title: none | text: ', 'task: code retrieval | query: ']);
  assert.deepEqual(prefixes('text-embedding-3-small'), ['', '']);
  for (const name of ['mxbai-embed-large', 'bge-base-en-v1.5', 'snowflake-arctic-embed']) {
    assert.deepEqual(prefixes(name), ['', 'Represent this sentence for searching relevant passages: ']);
  }
  assert.match(modelFacts('qwen3-embedding:4b')?.query ?? '', /^Instruct: .*\nQuery:$/);
  const CUT: Record<string, boolean> = {
    ...{ 'nomic-embed-text': true, 'nomic-embed-text:v1.5': true, 'nomic-embed-text-v1': false },
    ...{ 'bge-m3': false, 'snowflake-arctic-embed-m-v1.5': true, 'text-embedding-ada-002': false },
  };
  for (const [name, may] of Object.entries(CUT)) assert.equal(modelFacts(name)?.isMatryoshka, may, name);
  assert.deepEqual([maxCharacters(modelFacts('all-minilm')), maxCharacters(null)], [768, 6_144]);
});
