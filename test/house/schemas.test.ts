/** The files of `schemas/` are what the code checks and prints. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ERROR_CODES } from '../../src/base/errors.js';
import { artifactsSchema, configSchema } from '../../src/config/file-schema.js';
import { loadDocuments } from '../../src/questions/asker.js';
import { errorSchema } from '../../src/questions/shared-output.js';
import { check } from '../support/check.js';
import { ROOT } from './root.js';

const FOLDER = new URL('schemas/', ROOT);

interface Documents {
  documents(
    config: typeof configSchema,
    artifacts: typeof artifactsSchema,
    declared: Awaited<ReturnType<typeof loadDocuments>>,
  ): { file: string; text: string }[];
}

test('every published JSON Schema is fresh; if not, run `npm run schemas`', async () => {
  const { documents } = (await import(new URL('documents.mjs', FOLDER).href)) as Documents;
  const generated = documents(configSchema, artifactsSchema, await loadDocuments());
  for (const { file, text } of generated) assert.equal(readFileSync(new URL(file, FOLDER), 'utf8'), text, file);
  const published = readdirSync(FOLDER).filter((name) => name.endsWith('.schema.json'));
  assert.deepEqual(published.sort(), generated.map(({ file }) => file).sort());
});

test('every document says its version, and refuses what it does not describe', () => {
  const error = { code: 'DISK' satisfies keyof typeof ERROR_CODES, message: 'full', hint: ERROR_CODES.DISK };
  check(errorSchema, { schemaVersion: 1, error });
  assert.throws(() => check(errorSchema, { schemaVersion: 2, error }), /const/);
  assert.throws(() => check(errorSchema, { schemaVersion: 1, error, more: 1 }), /additional/);
});
