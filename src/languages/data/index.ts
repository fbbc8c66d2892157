/** Data and documents: JSON, YAML, TOML, Markdown, reStructuredText, AsciiDoc, notebooks. */
import { type Language, type ParsingRules, semantics, wordSet, words } from '../language.js';
import { python } from '../python/index.js';

async function rules(id: 'markdown') {
  return { definitions: (await import('./rules.js'))[id] };
}

async function tomlRules() {
  const [own, { readEntryPoints }] = await Promise.all([import('./rules.js'), import('../python/imports.js')]);
  return { definitions: own.toml, relations: own.relations, formats: readEntryPoints };
}

/** Files of Kubernetes, Compose and others: their parts are linked. */
const FORMATS = {
  relations: 'formats',
  // Values of charts, variables of Ansible, and manifests of npm.
  keyPaths: /(?:^|\/)(?:(?:values(?:[.-][\w.-]+)?|(?:defaults|vars)\/[\w.-]+)\.ya?ml|package\.json)$/,
  imports: async () => (await import('./rules.js')).imports,
  semantics: semantics({ family: 'data', dottedNames: '.', globalTypes: true, globalFunctions: true }),
} satisfies Partial<Language>;

async function rulesWithFormats(id: 'json' | 'yaml') {
  const [own, { readFormats }] = await Promise.all([import('./rules.js'), import('./formats.js')]);
  return { definitions: own[id], relations: own.relations, formats: readFormats };
}

/** Words of the paths that Ansible and Helm give files of one kind, and of the names that its plays and tasks get. */
const FILE_WORDS = wordSet('defaults files handlers main plays roles tasks templates values vars yaml yml');

/** Templates of CloudFormation end in `.template`. */
const STACK = /\bAWSTemplateFormatVersion\b/;

export const json: Language = {
  id: 'json',
  plain: 'data',
  extensions: words('json jsonc json5 jsonl ndjson geojson topojson webmanifest code-workspace avsc har tfstate map'),
  names: words(
    '.babelrc .eslintrc .prettierrc .jshintrc .jscsrc .swcrc composer.lock pipfile.lock flake.lock deno.lock bun.lock .watchmanconfig .arcconfig',
  ),
  contentLanguage: (text) => (!STACK.test(text) ? null : /^\s*\{/.test(text) ? 'json' : 'yaml'),
  ...FORMATS,
  grammar: { name: 'json' },
  rules: () => rulesWithFormats('json'),
  // A package that is built from `src/cart.ts` states `dist/cart.js`.
  conventions: { pathClass: 'data', targets: true, describes: 'operations', madeWords: wordSet('src ts tsx') },
};

export const yaml: Language = {
  id: 'yaml',
  plain: 'data',
  extensions: words('yaml yml cff'),
  names: words('.clang-format .clang-tidy .yamllint .gemrc'),
  ...FORMATS,
  grammar: { name: 'yaml' },
  rules: () => rulesWithFormats('yaml'),
  conventions: { pathClass: 'data', targets: true, describes: 'operations', madeWords: FILE_WORDS },
};

/** Templates of Go: those of Helm define names that manifests use. */
export const templ: Language = {
  id: 'templ',
  plain: 'markup',
  extensions: words('templ gohtml tmpl gotmpl tpl'),
  ...FORMATS,
  keyPaths: undefined,
  tokens: true,
  conventions: { madeWords: FILE_WORDS },
  rules: async () => {
    const [{ templ, relations }, { readHelm }] = await Promise.all([
      import('./rules.js'),
      import('./infrastructure.js'),
    ]);
    return { definitions: templ, relations, formats: readHelm };
  },
};

export const toml: Language = {
  id: 'toml',
  plain: 'data',
  extensions: words('toml'),
  names: words('cargo.lock poetry.lock pipfile uv.lock gopkg.lock'),
  grammar: { name: 'toml', expando: '_' },
  rules: tomlRules,
  // Entry points of Python are names of its modules.
  relations: 'formats',
  keyPaths: /(?:^|\/)pyproject\.toml$/,
  imports: python.imports,
  semantics: python.semantics,
  conventions: { pathClass: 'data' },
};

export const ini: Language = {
  id: 'ini',
  plain: 'data',
  extensions: words('ini cfg conf properties desktop service socket timer'),
  names: words('.editorconfig .gitconfig .gitmodules .npmrc .pylintrc .flake8 .coveragerc setup.cfg .hgrc'),
  tokens: true,
  rules: async () => {
    const [own, { readSetupEntries }] = await Promise.all([import('./rules.js'), import('../python/imports.js')]);
    return { definitions: own.templ, relations: own.relations, formats: readSetupEntries };
  },
  relations: 'formats',
  keyPaths: /(?:^|\/)setup\.cfg$/,
  imports: python.imports,
  semantics: python.semantics,
  conventions: { pathClass: 'data' },
};

export const markdown: Language = {
  id: 'markdown',
  plain: 'text',
  extensions: words('md markdown mdx mkd mdown mkdn'),
  names: words('readme contributing changelog'),
  grammar: { name: 'markdown' },
  rules: () => rules('markdown'),
  document: async () => (await import('./readers.js')).readMarkdown,
  conventions: { pathClass: 'document' },
};

export const rst: Language = {
  id: 'rst',
  plain: 'text',
  extensions: words('rst rest'),
  rules: async () => ({ sections: { read: (await import('./readers.js')).readRst } }),
  document: async () => (await import('./readers.js')).readRst,
  conventions: { pathClass: 'document' },
};

export const asciidoc: Language = {
  id: 'asciidoc',
  plain: 'text',
  extensions: words('adoc asciidoc asc'),
  rules: async () => ({ sections: { read: (await import('./readers.js')).readAsciidoc } }),
  document: async () => (await import('./readers.js')).readAsciidoc,
  conventions: { pathClass: 'document' },
};

export const notebook: Language = {
  id: 'notebook',
  plain: 'text',
  extensions: words('ipynb'),
  rules: async () => {
    const [{ codeOfNotebook, piecesOfNotebook, readNotebook }, { relations }] = await Promise.all([
      import('./readers.js'),
      python.rules?.() ?? Promise.resolve<ParsingRules>({}),
    ]);
    return { sections: { read: readNotebook, pieces: piecesOfNotebook, code: codeOfNotebook }, relations };
  },
  relations: true,
  scripts: ['python', 'r', 'julia'],
  imports: python.imports,
  semantics: python.semantics,
  document: async () => (await import('./readers.js')).readNotebook,
  conventions: { pathClass: 'document', topLevelCode: true, untypedMembers: true },
};
