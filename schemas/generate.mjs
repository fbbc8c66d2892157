// Writes the JSON Schemas that are derived from declarations. Run `npm run schemas` after a change; a test compares.
import { writeFileSync } from 'node:fs';
import { artifactsSchema, configSchema } from '../dist/config/file-schema.js';
import { loadDocuments } from '../dist/questions/asker.js';
import { documents } from './documents.mjs';

for (const { file, text } of documents(configSchema, artifactsSchema, await loadDocuments()))
  writeFileSync(new URL(file, import.meta.url), text);
