/** Symbols of a file whose format gives definitions, beside the keys of its language. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertSound, factsOf } from './helpers.js';

/** `kind name: signature (doc)` of each symbol, in order, and the text of each. */
function symbolsOf(source: string, language: string) {
  const facts = factsOf(source, language);
  assertSound(source, facts);
  const shown = facts.symbols.map(({ kind, name, signature, doc }) => {
    const about = doc === null ? '' : ` (${source.slice(doc.start, doc.end)})`;
    return `${kind} ${name}: ${source.slice(signature.start, signature.end)}${about}`;
  });
  return { shown, texts: facts.symbols.map(({ start, end }) => source.slice(start, end)) };
}

test('keys that hold definitions of a format give way to these; those before, between and behind them stay', () => {
  const compose = `version: "3"
# What services share.
x-common:
  retries: 3
services:
  # Serves pages.
  web:
    image: shop
    depends_on: [db]
  db: {image: postgres}
x-more: 1
networks:
  inner:
    driver: bridge
name: shop
`;
  const { shown, texts } = symbolsOf(compose, 'yaml');
  assert.deepEqual(shown, [
    'key version: version:',
    'key x-common: x-common: (# What services share.)',
    'object services.web: web: (# Serves pages.)',
    'object services.db: db: {image: postgres}',
    'key x-more: x-more:',
    'object networks.inner: inner:',
    'key name: name:',
  ]);
  assert.equal(texts[2], 'web:\n    image: shop\n    depends_on: [db]');
  assert.equal(texts[5], 'inner:\n    driver: bridge');
});

test('a document that is a definition as a whole has no keys; the documents beside it keep theirs', () => {
  const object = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: app\ndata:\n  a: b';
  const { shown, texts } = symbolsOf(`name: shop\n---\n${object}\n---\nother: 1\n`, 'yaml');
  assert.deepEqual(shown, ['key name: name:', 'object ConfigMap.app: apiVersion: v1', 'key other: other:']);
  assert.equal(texts[1], object);
  assert.deepEqual(symbolsOf(`${object}\n`, 'yaml').shown, ['object ConfigMap.app: apiVersion: v1']);
});

test('definitions come in the order of the file, whatever the order of places in the format', () => {
  const yaml = `components:
  schemas:
    Pet: {type: object}
openapi: 3.0.0
paths:
  /pets:
    post:
      responses: {}
    get:
      operationId: listPets
      responses: {}
tags: [a]
`;
  const names = ({ shown }: { shown: string[] }) => shown.map((line) => line.slice(0, line.indexOf(':')));
  assert.deepEqual(names(symbolsOf(yaml, 'yaml')), [
    'type schemas.Pet',
    'key openapi',
    'function POST /pets',
    'function GET /pets',
    'constant listPets',
    'key tags',
  ]);
  const json =
    '{"components": {"schemas": {"Pet": {}}}, "openapi": "3.0.0", "paths": {"/pets": {"get": {"responses": {}}}}, "tags": []}';
  assert.deepEqual(names(symbolsOf(json, 'json')), [
    'type schemas.Pet',
    'key openapi',
    'function GET /pets',
    'key tags',
  ]);
});
