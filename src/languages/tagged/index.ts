/**
 * Languages that data alone describes: a grammar, a file of queries for definitions and references (`grammars/tags/NAME.scm`), comments,
 * and paths of imports. Their names are linked among files that import each other, or that their language loads together.
 */
import { type Conventions, type Language, type Semantics, semantics, words } from '../language.js';

interface Said
  extends Pick<
    Language,
    | 'namePattern'
    | 'contentStart'
    | 'contentLanguage'
    | 'foreign'
    | 'sharedExtensions'
    | 'conventions'
    | 'rules'
    | 'imports'
  > {
  names?: string;
  interpreters?: string;
  /** Name of the grammar; '' for none: a file is read by its words and brackets then. Default: the id. */
  grammar?: string;
  plain?: Language['plain'];
  semantics?: Partial<Semantics>;
}

/** `extensions`: separated by spaces, as `names` and `interpreters` are. */
function tagged<Id extends Language['id']>(id: Id, extensions: string, said: Said = {}): Language {
  const { names = '', interpreters = '', grammar = id, plain = 'code', semantics: meaning, ...more } = said;
  return {
    ...{ id, plain, extensions: words(extensions), names: words(names), interpreters: words(interpreters) },
    ...(grammar === '' ? { tokens: true } : { grammar: { name: grammar } }),
    relations: true,
    rules: async () => (await import('./rules.js')).taggedRules(grammar || id),
    imports: async () => (await import('./rules.js')).pathsOf(grammar || id),
    semantics: semantics({ family: id, transitive: true, globalFunctions: true, globalTypes: true, ...meaning }),
    ...more,
  };
}

const SCRIPTS = { topLevelCode: true, untypedMembers: true } as const satisfies Conventions;

export const clojure = tagged('clojure', 'clj cljs cljc edn bb', { grammar: '', interpreters: 'clojure bb' });
export const cmake = tagged('cmake', 'cmake', { grammar: '', names: 'cmakelists.txt', conventions: SCRIPTS });
export const dockerfile = tagged('dockerfile', 'dockerfile', {
  grammar: '',
  names: 'dockerfile containerfile',
  namePattern: /^(?:dockerfile|containerfile)[.-]/,
  conventions: SCRIPTS,
});
export const elm = tagged('elm', 'elm', {
  semantics: { openEnums: true },
  conventions: { mainNames: new Set(['main']) },
});
export const erlang = tagged('erlang', 'erl hrl escript', {
  grammar: '',
  names: 'rebar.config',
  interpreters: 'escript',
  conventions: { testName: /_test_?$/ },
});
export const fortran = tagged('fortran', 'f f77 f90 f95 f03 f08 for', {
  grammar: '',
  semantics: { openNamespaces: true },
});
export const graphql = tagged('graphql', 'graphql gql graphqls', {
  grammar: '',
  conventions: { describes: 'fields' },
});
export const julia = tagged('julia', 'jl', {
  interpreters: 'julia',
  semantics: { openNamespaces: true },
  conventions: SCRIPTS,
});
export const makefile = tagged('makefile', 'mk mak make', {
  names: 'makefile gnumakefile bsdmakefile kbuild',
  interpreters: 'make',
  namePattern: /^(?:gnu)?makefile[.-](?!pl$)/,
  grammar: 'make',
  conventions: { ...SCRIPTS, targets: true },
});
export const nix = tagged('nix', 'nix', { grammar: '', conventions: SCRIPTS });
export const ocaml = tagged('ocaml', 'ml mli mll mly', {
  names: 'dune dune-project',
  interpreters: 'ocaml',
  semantics: { openEnums: true, openNamespaces: true },
  conventions: { topLevelCode: true },
});
export const perl = tagged('perl', 'pl pm t pod psgi', {
  grammar: '',
  names: 'cpanfile',
  interpreters: 'perl',
  // Prolog: its comments, or a directive or a clause behind them.
  foreign: /^\s*(?:%[%\s!]|\/\*)|^(?:\s|%[^\n]*\n)*(?::-|[a-z]\w*\([^()\n]*\)\s*(?::-|-->|\.\s*(?:\n|%)))/,
  semantics: { openNamespaces: true },
  conventions: { ...SCRIPTS, runtimeName: /^(?:BEGIN|END|INIT|CHECK|UNITCHECK|DESTROY|AUTOLOAD|import|unimport)$/ },
});
export const powershell = tagged('powershell', 'ps1 psm1 psd1', { interpreters: 'pwsh', conventions: SCRIPTS });
export const protobuf = tagged('protobuf', 'proto', { grammar: '', conventions: { describes: 'services' } });
export const r = tagged('r', 'r rmd', { names: '.rprofile', interpreters: 'rscript', conventions: SCRIPTS });
export const solidity = tagged('solidity', 'sol', { semantics: { implicitThis: true } });
export const terraform = tagged('terraform', 'tf tfvars hcl', {
  names: '.terraformrc',
  grammar: 'hcl',
  semantics: { dottedNames: '.', parts: 'package', importedParts: { read: 'output', write: 'var' } },
  conventions: SCRIPTS,
});
export const tex = tagged('tex', 'tex sty bib ltx dtx', {
  plain: 'text',
  grammar: 'latex',
  conventions: { pathClass: 'document' },
});
/** Starts of a module's body, and directives that no other language has. */
const VERILOG =
  /^[ \t]*(?:`(?:timescale|include|define|ifn?def|default_nettype)\b|(?:macro)?module\s+\\?\w+\s*[#(;]|primitive\s+\w+\s*\(|endmodule\b)/m;
export const verilog = tagged('verilog', 'sv svh vh', {
  sharedExtensions: ['v'],
  contentLanguage: (text) => (VERILOG.test(text) ? 'verilog' : null),
});
export const xml = tagged(
  'xml',
  'xml xsd xsl xslt plist csproj vbproj fsproj props targets resx xaml axaml wsdl rng nuspec storyboard xib ui qrc iml pom',
  {
    plain: 'markup',
    contentStart: /^(?:\u00ef\u00bb\u00bf)?\s*<\?xml\b/,
    // Services of Symfony are linked as those in YAML are, and elements of all files have names.
    ...{ relations: 'formats', keyPaths: /./ },
    rules: async () => {
      const [{ taggedRules }, { readServices }] = await Promise.all([
        import('./rules.js'),
        import('../data/infrastructure.js'),
      ]);
      return { ...taggedRules('xml'), formats: readServices };
    },
    imports: async () => (await import('../data/rules.js')).imports,
    semantics: { family: 'data', dottedNames: '.' },
    conventions: { pathClass: 'data' },
  },
);
export const zig = tagged('zig', 'zig zon', {
  conventions: { mainNames: new Set(['main']) },
});
