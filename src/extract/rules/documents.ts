/** Data and document formats: markup, style sheets, SQL, configuration. */
import type { LanguageRules } from './types.js';

/** Keys beyond this many say nothing about a data file any more. */
const MOST_KEYS = 200;
const NO_DOCS = {};

export const markdown: LanguageRules = {
  grammar: 'markdown',
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

export const json: LanguageRules = {
  grammar: 'json',
  definitions: [{ node: 'pair', kind: 'key', name: 'key', found: 'walk', body: 'value', limit: MOST_KEYS }],
  walk: ['object'],
  comments: ['comment'],
  docs: NO_DOCS,
  exported: {},
};

export const yaml: LanguageRules = {
  grammar: 'yaml',
  definitions: [
    { node: 'block_mapping_pair', kind: 'key', name: 'key', found: 'walk', body: 'value', limit: MOST_KEYS },
  ],
  walk: ['document', 'block_node', 'block_mapping'],
  comments: ['comment'],
  docs: { line: /^#/ },
  exported: {},
};

export const toml: LanguageRules = {
  grammar: 'toml',
  definitions: [
    { node: ['table', 'table_array_element'], kind: 'key', nameText: /\[\[?\s*([^\]\n]+?)\s*\]/y, limit: MOST_KEYS },
    { node: 'pair', kind: 'key', nameText: /("[^"\n]*"|[\w.-]+)/y, found: 'walk', limit: MOST_KEYS },
  ],
  comments: ['comment'],
  docs: { line: /^#/ },
  exported: {},
};

const SQL_NAME = (what: string) =>
  new RegExp(
    `create\\s+(?:[\\w()]+\\s+)*?${what}\\s+(?:concurrently\\s+)?(?:if\\s+not\\s+exists\\s+)?([\\w."\`\\[\\]$]+)`,
    'iy',
  );

export const sql: LanguageRules = {
  grammar: 'sql',
  definitions: [
    { node: 'create_table', kind: 'table', nameText: SQL_NAME('table') },
    { node: ['create_view', 'create_materialized_view'], kind: 'table', nameText: SQL_NAME('view') },
    { node: 'create_function', kind: 'function', nameText: SQL_NAME('(?:function|procedure)') },
    { node: 'create_trigger', kind: 'function', nameText: SQL_NAME('trigger') },
    { node: 'create_type', kind: 'type', nameText: SQL_NAME('type') },
    { node: 'create_schema', kind: 'namespace', nameText: SQL_NAME('schema') },
  ],
  wrappers: { statement: {} },
  comments: ['comment', 'marginalia'],
  docs: { line: /^--/, block: ['/*', '*/'] },
  exported: {},
};

export const css: LanguageRules = {
  grammar: 'Css',
  definitions: [
    { node: 'rule_set', kind: 'selector', nameText: /([^{]{1,200}?)\s*\{/y, body: '>block', limit: 2_000 },
    {
      node: ['media_statement', 'supports_statement', 'at_rule'],
      kind: 'selector',
      nameText: /(@[^{;]{1,200}?)\s*\{/y,
      body: '>block',
      limit: 500,
    },
    {
      node: 'keyframes_statement',
      kind: 'selector',
      nameText: /(@[\w-]*keyframes\s+[^\s{]+)/y,
      body: '>keyframe_block_list',
    },
  ],
  imports: ['import_statement', 'charset_statement', 'namespace_statement'],
  comments: ['comment'],
  docs: { block: ['/*', '*/'] },
  exported: {},
};

/** Characters that the grammar may read in vain: it looks for the end of each comment up to the end of the text. */
const MOST_SCANNED = 1_000_000;

/** A comment that nothing closes goes to the end of the text: nothing in it is read where there are many. */
function withoutOpenComments(text: string): string {
  const open = text.indexOf('<!--', Math.max(0, text.lastIndexOf('-->')));
  if (open === -1) return text;
  const most = MOST_SCANNED / (text.length - open);
  let count = 0;
  for (let at = open; at !== -1 && count <= most; at = text.indexOf('<!--', at + 1)) count++;
  return count <= Math.max(1, most) ? text : text.slice(0, open) + ' '.repeat(text.length - open);
}

export const html: LanguageRules = {
  grammar: 'Html',
  parsed: withoutOpenComments,
  definitions: [
    {
      node: 'element',
      kind: 'section',
      nameText:
        /<(?:h[1-6]\b[^>]{0,300}>\s*([^<]{1,150}?)\s*<|[a-z][\w-]*\b[^>]{0,300}?\sid\s*=\s*["']([\w:.-]{1,100})["'])/iy,
      limit: MOST_KEYS,
    },
  ],
  comments: ['comment'],
  docs: NO_DOCS,
  exported: {},
};
