import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { z } from 'zod';
import { DEFAULTS } from '../../src/config/defaults.js';
import { CONFIG_KEYS, type KeySpec } from '../../src/config/keys.js';
import { resolveConfig } from '../../src/config/resolve.js';
import { configSchema, leafSchemas } from '../../src/config/schema.js';

const ROOT = new URL('../../../', import.meta.url);

const at = (value: unknown, key: string): unknown =>
  key.split('.').reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], value);

test('the defaults are what the schema gives for an empty file, and for the keys that a file cannot have', () => {
  const empty = configSchema().parse({});
  const schemas: Record<string, z.ZodType> = leafSchemas();
  for (const [key, spec] of Object.entries<KeySpec>(CONFIG_KEYS)) {
    assert.deepEqual(schemas[key].parse(undefined), at(DEFAULTS, key), key);
    assert.deepEqual(at(empty, key), spec.userOnly ? undefined : at(DEFAULTS, key), key);
  }
});

test('what only the user may set is not in the schema of the file', () => {
  const json = JSON.stringify(z.toJSONSchema(configSchema(), { io: 'input' }));
  for (const [key, spec] of Object.entries<KeySpec>(CONFIG_KEYS)) {
    const isThere = json.includes(`"${key.slice(key.lastIndexOf('.') + 1)}":`);
    assert.equal(isThere, !spec.userOnly, key);
  }
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
