/** Definitions of HTML and CSS. SCSS and LESS are read by their braces. */
import type { DefinitionRules } from '../roles/definitions.js';

/** Sections beyond this many say nothing about a page any more. */
const MAX_SECTIONS = 200;

export const css: DefinitionRules = {
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
const MAX_SCANNED = 1_000_000;

/** A comment that nothing closes goes to the end of the text: nothing in it is read where there are many. */
function withoutOpenComments(text: string): string {
  const open = text.indexOf('<!--', Math.max(0, text.lastIndexOf('-->')));
  if (open === -1) return text;
  const most = MAX_SCANNED / (text.length - open);
  let count = 0;
  for (let at = open; at !== -1 && count <= most; at = text.indexOf('<!--', at + 1)) count++;
  return count <= Math.max(1, most) ? text : text.slice(0, open) + ' '.repeat(text.length - open);
}

export const html: DefinitionRules = {
  parsed: withoutOpenComments,
  definitions: [
    {
      node: 'element',
      kind: 'section',
      nameText:
        /<(?:h[1-6]\b[^>]{0,300}>\s*([^<]{1,150}?)\s*<|[a-z][\w-]*\b[^>]{0,300}?\sid\s*=\s*["']([\w:.-]{1,100})["'])/iy,
      limit: MAX_SECTIONS,
    },
  ],
  comments: ['comment'],
  docs: {},
  exported: {},
};
