/** Languages of documents: Markdown, reStructuredText, AsciiDoc. */
import type { Language } from '../language.js';
import { words } from '../words.js';

export const markdown: Language = {
  id: 'markdown',
  plain: 'text',
  extensions: words('md markdown mdx mkd mdown mkdn'),
  names: words('readme contributing changelog'),
  grammar: { name: 'markdown' },
  rules: async () => ({ definitions: (await import('./definitions.js')).markdown }),
  document: async () => (await import('./markdown.js')).readMarkdown,
  conventions: { pathClass: 'document' },
};

export const rst: Language = {
  id: 'rst',
  plain: 'text',
  extensions: words('rst rest'),
  document: async () => (await import('./rst.js')).readRst,
  conventions: { pathClass: 'document' },
};

export const asciidoc: Language = {
  id: 'asciidoc',
  plain: 'text',
  extensions: words('adoc asciidoc asc'),
  document: async () => (await import('./asciidoc.js')).readAsciidoc,
  conventions: { pathClass: 'document' },
};
