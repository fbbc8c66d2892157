/** Definitions of JSON, YAML, TOML and Markdown: keys and sections. */
import type { DefinitionRules } from '../roles/definitions.js';

/** Most keys of a data file that are symbols. */
const MAX_KEYS = 200;
const NO_DOCS = {};

export const markdown: DefinitionRules = {
  definitions: [
    {
      node: 'section',
      kind: 'section',
      nameText:
        /(?:[^\S\n]*\n)*[^\S\n]{0,3}(?:#{1,6}[^\S\n]+([^\n]*?)(?:[^\S\n]+#+)?[^\S\n]*$|([^\n]+)\n[^\S\n]*(?:=+|-+)[^\S\n]*$)/my,
      exported: {},
    },
  ],
  comments: [],
  docs: NO_DOCS,
  exported: {},
};

export const json: DefinitionRules = {
  definitions: [{ node: 'pair', kind: 'key', name: 'key', found: 'walk', body: 'value', limit: MAX_KEYS }],
  walk: ['object'],
  comments: ['comment'],
  docs: NO_DOCS,
  exported: {},
};

export const yaml: DefinitionRules = {
  definitions: [
    { node: 'block_mapping_pair', kind: 'key', name: 'key', found: 'walk', body: 'value', limit: MAX_KEYS },
  ],
  walk: ['document', 'block_node', 'block_mapping'],
  comments: ['comment'],
  docs: { line: /^#/ },
  exported: {},
};

export const toml: DefinitionRules = {
  definitions: [
    {
      node: ['table', 'table_array_element'],
      kind: 'key',
      nameText: /\[\[?\s*([^\]\s](?:[^\]\n]*[^\]\s])?)\s*\]/y,
      limit: MAX_KEYS,
    },
    { node: 'pair', kind: 'key', nameText: /("[^"\n]*"|[\w.-]+)/y, found: 'walk', limit: MAX_KEYS },
  ],
  comments: ['comment'],
  docs: { line: /^#/ },
  exported: {},
};
