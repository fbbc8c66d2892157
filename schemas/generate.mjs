// Writes the JSON Schemas that are derived from zod. Run `npm run schemas` after a change; a test compares.
import { writeFileSync } from 'node:fs';
import { configSchema } from '../dist/config/schema.js';
import { render } from './render.mjs';

const DOCUMENTS = [
  { file: 'socraticode.schema.json', title: '.socraticode.json', schema: configSchema(), io: 'input' },
];

for (const { file, ...document } of DOCUMENTS) writeFileSync(new URL(file, import.meta.url), render(document));
