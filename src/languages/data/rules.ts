/** Rules of JSON, YAML, TOML, Markdown and templates: keys and sections as definitions, and the imports of formats, paths and classes of PHP. */
import { words } from '../language.js';
import { Autoload } from '../php/imports.js';
import type { DefinitionRules, Heading } from '../roles/definitions.js';
import { type Blank, blanked, withoutMarks } from '../roles/masks.js';
import { external, type ImportRules, pathImports, UNRESOLVED } from '../roles/project.js';
import type { RelationRules } from '../roles/relations.js';
import { readMarkdown } from './readers.js';

/** Most keys of a data file that are symbols. */
const MAX_KEYS = 200;
const NO_DOCS = {};

const UNDERLINED = /\n {0,3}(?:=+|-+)[^\S\n]*(?:\n|$)/;

/**
 * The grammar begins no section at a heading that is underlined. It reads a text of the same length, in which marks in front of such a
 * heading stand in place of its line.
 */
function withMarkedHeadings(text: string): string {
  if (!UNDERLINED.test(text)) return text;
  const blank: Blank[] = [];
  const headings = readMarkdown(text).filter((part): part is Heading => part.is === 'heading');
  for (const { level, start } of headings) {
    const lineEnd = text.indexOf('\n', start);
    const first = start + text.slice(start, lineEnd).search(/\S/);
    const underlineEnd = text.indexOf('\n', lineEnd + 1);
    if (lineEnd === -1 || text[first] === '#') continue;
    const marks = '#'.repeat(Math.min(level, lineEnd - first));
    blank.push([first, Math.min(first + marks.length + 1, lineEnd), marks]);
    blank.push([lineEnd + 1, underlineEnd === -1 ? text.length : underlineEnd, '']);
  }
  return blank.length === 0 ? text : blanked(text, blank);
}

export const markdown: DefinitionRules = {
  parsed: withMarkedHeadings,
  definitions: [
    {
      node: 'section',
      kind: 'section',
      nameText:
        /(?:[^\S\n]*\n)*[^\S\n]{0,3}(?:#{1,6}[^\S\n]+([^\n]*?)(?:[^\S\n]+#+)?[^\S\n]*$|(?!(?:[-*+>|<]|\d{1,9}[.)])\s)([^\n]+)\n[^\S\n]*(?:=+|-+)[^\S\n]*$)/my,
      exported: {},
    },
  ],
  comments: [],
  docs: NO_DOCS,
  exported: {},
};

/** Relations are stated by the readers of formats alone; files of no format state none. */
export const relations: RelationRules = {
  lexical: { joins: ['.'], quotes: '"\'', lineComments: ['#'] },
  nodes: {},
};

/** A folder stands for the file in it that its tools read, and npm leaves out the ending of code. */
const PATHS = pathImports({
  endings: words(
    '/kustomization.yaml /kustomization.yml /action.yml /action.yaml /Dockerfile .js .mjs .cjs .ts /index.js /index.ts',
  ),
});

/** Paths, and classes of PHP (`\\App\\Till`): by the rules of composer.json, or else below `src` without their first name. */
export const imports: ImportRules = {
  ...PATHS,
  create: (project) => {
    const [paths, classes] = [PATHS.create(project), new Autoload(project)];
    return {
      resolve: (file, stated) => {
        if (stated.specifier[0] !== '\\') return paths.resolve(file, stated);
        const path = classes.file(stated.specifier.slice(1));
        if (path !== null) return { kind: 'files', paths: [path], tier: 'path' };
        const parts = stated.specifier.split('\\').slice(2);
        const found = paths.resolve(file, { ...stated, specifier: `|src/${parts.join('/')}.php` });
        return found === UNRESOLVED ? external(stated.specifier.split('\\')[1]) : found;
      },
      neighbours: (file) => paths.neighbours?.(file) ?? [],
      isPeer: (file, other) => paths.isPeer?.(file, other) ?? false,
    };
  },
};

export const json: DefinitionRules = {
  definitions: [{ node: 'pair', kind: 'key', name: 'key', found: 'walk', body: 'value', limit: MAX_KEYS }],
  walk: ['object'],
  comments: ['comment'],
  docs: NO_DOCS,
  exported: {},
};

export const yaml: DefinitionRules = {
  // Charts of Helm, and files of Ansible and Salt.
  repaired: withoutMarks,
  definitions: [
    { node: 'block_mapping_pair', kind: 'key', name: 'key', found: 'walk', body: 'value', limit: MAX_KEYS },
  ],
  walk: ['document', 'block_node', 'block_mapping'],
  comments: ['comment'],
  docs: { line: /^#/ },
  exported: {},
};

/** No words are looked at: templates are found in the text. */
export const templ: DefinitionRules = {
  tokens: { comments: [], strings: [], word: /[^\n]+/y, ends: '', lines: true, statementsIn: [] },
  definitions: [],
  comments: [],
  docs: NO_DOCS,
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
