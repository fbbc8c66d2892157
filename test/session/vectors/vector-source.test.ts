/** Names of vectors: what makes another profile, and what is said of vectors that are missing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EmbedderSettings } from '../../../src/config/settings.js';
import { createEmbedder, vectorSource, vectorState } from '../../../src/session/vectors/vector-source.js';

const builtin = { name: 'builtin' } as EmbedderSettings;
const provider = (more: object = {}) => ({ name: 'ollama', model: 'some-model', ...more }) as EmbedderSettings;
const source = (embedder: EmbedderSettings, profile = 'syntax-1') => vectorSource({ profile }, { embedder });

test('vectors have another profile for another embedder, model, size or syntax, and the same wherever the model runs', () => {
  const all = [
    source(builtin),
    source(builtin, 'syntax-2'),
    source(provider()),
    source(provider(), 'syntax-2'),
    source(provider({ model: 'other-model' })),
    source(provider({ dimensions: 64 })),
  ];
  assert.equal(new Set(all.map(({ profile }) => profile)).size, all.length);
  assert.equal(new Set(all.map(({ about }) => about)).size, all.length);
  const elsewhere = source(provider({ endpoint: 'http://192.0.2.1:1', batch: 3 }));
  assert.equal(elsewhere.profile, source(provider()).profile);
});

test('vectors of a provider cost something and are kept; those of the built-in model are made again', async () => {
  assert.deepEqual([source(builtin).costly, source(provider()).costly], [false, true]);
  const { embedder, model, dimensions } = source(provider({ dimensions: 64 }));
  assert.deepEqual([embedder, model, dimensions], ['ollama', 'some-model', 64]);
  const own = await createEmbedder({ embedder: builtin });
  assert.equal(source(builtin).dimensions, own.dimensions);
});

test('missing vectors are a reason to index again for a provider alone, and as long as some are missing', () => {
  const reason = (embedder: EmbedderSettings, covered: number) =>
    vectorState({ embedder }, { covered, total: 1_200 }).reason;
  assert.equal(reason(builtin, 3), null);
  assert.equal(reason(provider(), 1_200), null);
  assert.match(`${reason(provider(), 1_100)}`, /^1,100 of 1,200 chunks have vectors of some-model; indexing again/);
  assert.deepEqual(vectorState({ embedder: provider() }, { covered: 1, total: 1 }), {
    covered: 1,
    total: 1,
    reason: null,
  });
});
