import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { DEFAULTS } from '../../src/config/defaults.js';
import { CONFIG_KEYS } from '../../src/config/keys.js';
import { resolveConfig } from '../../src/config/resolve.js';
import { configSchema, leafSchemas } from '../../src/config/schema.js';

const ROOT = new URL('../../../', import.meta.url);

test('the defaults are what the schema gives for an empty file', () => {
  assert.deepEqual(configSchema().parse({}), DEFAULTS);
});

test('schema and table have the same keys, and every key says what it does', () => {
  const schemas = leafSchemas();
  assert.deepEqual(Object.keys(schemas).sort(), Object.keys(CONFIG_KEYS).sort());
  for (const [key, schema] of Object.entries(schemas)) assert.match(schema.description ?? '', /^[A-Z].*\.$/, key);
});

test('the settings of this repository are valid', async () => {
  const text = readFileSync(new URL('.socraticode.json', ROOT), 'utf8');
  const { config } = await resolveConfig({
    env: {},
    gitConfig: [],
    languageIds: [],
    file: { text, origin: '.socraticode.json' },
  });
  assert.equal(config.projectId, 'git-socraticode');
});
