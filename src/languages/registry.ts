/** The closed table of languages: id, how its chunks are called without a symbol, and the file names that mean it. */
import type { PlainChunkKind } from './roles/symbol-kinds.js';

export interface Language {
  /** Kind of chunks that no symbol claims. */
  plain: PlainChunkKind;
  /** Extensions without the dot, lower case. */
  extensions: readonly string[];
  /** Whole file names, lower case. */
  names?: readonly string[];
  /** Programs in a `#!` line, without version numbers. */
  interpreters?: readonly string[];
}

type Row = [plain: PlainChunkKind, extensions: string, names?: string, interpreters?: string];

/** One line per language; lists are separated by spaces. */
const TABLE: Record<string, Row> = {
  typescript: ['code', 'ts mts cts', '', 'ts-node tsx deno'],
  tsx: ['code', 'tsx'],
  javascript: ['code', 'js mjs cjs jsx es6 pac', 'jakefile', 'node nodejs bun'],
  python: [
    'code',
    'py pyi pyw pyx pxd bzl star gyp gypi',
    'sconstruct sconscript wscript build build.bazel workspace tiltfile',
    'python pypy uv',
  ],
  java: ['code', 'java'],
  kotlin: ['code', 'kt kts ktm'],
  scala: ['code', 'scala sc sbt', '', 'scala amm'],
  c: ['code', 'c h idc'],
  cpp: ['code', 'cpp cc cxx c++ hpp hh hxx h++ ipp inl tpp cppm ixx cu cuh ino'],
  csharp: ['code', 'cs csx cake'],
  go: ['code', 'go'],
  rust: ['code', 'rs'],
  ruby: [
    'code',
    'rb rbw rake gemspec ru podspec jbuilder builder thor',
    'gemfile rakefile guardfile podfile vagrantfile capfile fastfile brewfile dangerfile berksfile',
    'ruby jruby rake',
  ],
  php: ['code', 'php php3 php4 php5 php7 phtml phpt', '', 'php'],
  swift: ['code', 'swift'],
  bash: [
    'code',
    'sh bash zsh ksh bats ebuild command',
    '.bashrc .bash_profile .bash_aliases .bash_logout .profile .zshrc .zshenv .zprofile .zlogin .kshrc pkgbuild apkbuild gradlew .envrc',
    'sh bash zsh ksh dash ash bats',
  ],
  lua: ['code', 'lua rockspec', '', 'lua luajit'],
  elixir: ['code', 'ex exs', '', 'elixir'],
  dart: ['code', 'dart', '', 'dart'],
  haskell: ['code', 'hs hsc lhs hs-boot', '', 'runhaskell runghc stack'],
  html: ['markup', 'html htm xhtml shtml'],
  css: ['style', 'css pcss postcss'],
  scss: ['style', 'scss'],
  less: ['style', 'less'],
  sql: ['code', 'sql ddl dml pgsql psql'],
  json: [
    'data',
    'json jsonc json5 jsonl ndjson geojson topojson webmanifest code-workspace ipynb avsc har tfstate map',
    '.babelrc .eslintrc .prettierrc .jshintrc .jscsrc .swcrc composer.lock pipfile.lock flake.lock deno.lock bun.lock .watchmanconfig .arcconfig',
  ],
  yaml: ['data', 'yaml yml cff', '.clang-format .clang-tidy .yamllint .gemrc'],
  toml: ['data', 'toml', 'cargo.lock poetry.lock pipfile uv.lock gopkg.lock'],
  markdown: ['text', 'md markdown mdx mkd mdown mkdn', 'readme contributing changelog'],
  vue: ['markup', 'vue'],
  svelte: ['markup', 'svelte'],
  dockerfile: ['code', 'dockerfile', 'dockerfile containerfile'],
  makefile: ['code', 'mk mak make', 'makefile gnumakefile bsdmakefile kbuild', 'make'],
  perl: ['code', 'pl pm t pod psgi', 'cpanfile', 'perl'],
  raku: ['code', 'raku rakumod p6 pm6', '', 'raku'],
  r: ['code', 'r rmd', '.rprofile', 'rscript'],
  julia: ['code', 'jl', '', 'julia'],
  clojure: ['code', 'clj cljs cljc edn bb', '', 'clojure bb'],
  erlang: ['code', 'erl hrl escript', 'rebar.config', 'escript'],
  gleam: ['code', 'gleam'],
  ocaml: ['code', 'ml mli mll mly', 'dune dune-project', 'ocaml'],
  reason: ['code', 're rei res resi'],
  fsharp: ['code', 'fs fsi fsx'],
  visualbasic: ['code', 'vb vbs bas cls frm'],
  nim: ['code', 'nim nims nimble'],
  zig: ['code', 'zig zon'],
  d: ['code', 'd di'],
  v: ['code', 'vsh'],
  crystal: ['code', 'cr', '', 'crystal'],
  groovy: ['code', 'groovy gradle gvy', 'jenkinsfile', 'groovy'],
  objectivec: ['code', 'm mm'],
  assembly: ['code', 's asm nasm'],
  fortran: ['code', 'f f77 f90 f95 f03 f08 for'],
  cobol: ['code', 'cob cbl cpy'],
  pascal: ['code', 'pas pp dpr lpr'],
  ada: ['code', 'adb ads'],
  vhdl: ['code', 'vhd vhdl'],
  verilog: ['code', 'v sv svh vh'],
  lisp: ['code', 'lisp lsp cl asd', '', 'sbcl'],
  scheme: ['code', 'scm ss rkt'],
  emacslisp: ['code', 'el', '.emacs'],
  prolog: ['code', 'pro prolog'],
  tcl: ['code', 'tcl', '', 'tclsh wish'],
  awk: ['code', 'awk', '', 'awk gawk'],
  fish: ['code', 'fish', '', 'fish'],
  powershell: ['code', 'ps1 psm1 psd1', '', 'pwsh'],
  batch: ['code', 'bat cmd'],
  applescript: ['code', 'applescript', '', 'osascript'],
  vim: ['code', 'vim', '.vimrc .gvimrc _vimrc'],
  solidity: ['code', 'sol'],
  move: ['code', 'move'],
  cairo: ['code', 'cairo'],
  apex: ['code', 'apex trigger'],
  haxe: ['code', 'hx'],
  elm: ['code', 'elm'],
  purescript: ['code', 'purs'],
  agda: ['code', 'agda'],
  lean: ['code', 'lean'],
  coffeescript: ['code', 'coffee litcoffee', 'cakefile', 'coffee'],
  livescript: ['code', 'ls'],
  actionscript: ['code', 'as'],
  gdscript: ['code', 'gd'],
  glsl: ['code', 'glsl vert frag geom comp'],
  hlsl: ['code', 'hlsl fx'],
  wgsl: ['code', 'wgsl'],
  metal: ['code', 'metal'],
  matlab: ['code', 'mlx'],
  protobuf: ['code', 'proto'],
  thrift: ['code', 'thrift'],
  capnp: ['code', 'capnp'],
  flatbuffers: ['code', 'fbs'],
  graphql: ['code', 'graphql gql graphqls'],
  prisma: ['code', 'prisma'],
  terraform: ['code', 'tf tfvars hcl', '.terraformrc'],
  bicep: ['code', 'bicep'],
  nix: ['code', 'nix'],
  starlark: ['code', 'bazel'],
  meson: ['code', '', 'meson.build meson_options.txt meson.options'],
  cmake: ['code', 'cmake', 'cmakelists.txt'],
  autoconf: ['code', 'ac am m4', 'configure.ac configure.in makefile.am'],
  ninja: ['code', 'ninja'],
  just: ['code', 'just', 'justfile .justfile'],
  earthly: ['code', '', 'earthfile'],
  procfile: ['data', '', 'procfile'],
  regex: ['code', 'rl'],
  xml: [
    'markup',
    'xml xsd xsl xslt svg plist csproj vbproj fsproj props targets resx xaml axaml wsdl rng nuspec storyboard xib ui qrc iml pom',
  ],
  handlebars: ['markup', 'hbs handlebars mustache'],
  ejs: ['markup', 'ejs eta'],
  pug: ['markup', 'pug jade'],
  haml: ['markup', 'haml slim'],
  twig: ['markup', 'twig jinja jinja2 j2 njk liquid'],
  erb: ['markup', 'erb eex leex heex rhtml'],
  blade: ['markup', 'blade'],
  astro: ['markup', 'astro'],
  razor: ['markup', 'cshtml razor aspx ascx jsp jspx'],
  templ: ['markup', 'templ gohtml tmpl gotmpl tpl'],
  sass: ['style', 'sass'],
  stylus: ['style', 'styl'],
  ini: [
    'data',
    'ini cfg conf properties desktop service socket timer',
    '.editorconfig .gitconfig .gitmodules .npmrc .pylintrc .flake8 .coveragerc setup.cfg .hgrc',
  ],
  dotenv: ['data', 'env', '.env .env.example .env.sample .env.template'],
  ignore: [
    'data',
    '',
    '.gitignore .gitattributes .dockerignore .npmignore .eslintignore .prettierignore .hgignore .gcloudignore .helmignore codeowners .mailmap .git-blame-ignore-revs',
  ],
  csv: ['data', 'csv tsv psv'],
  gomod: ['data', '', 'go.mod go.sum go.work go.work.sum'],
  lockfile: ['data', 'lock lockb', 'yarn.lock gemfile.lock mix.lock pubspec.lock podfile.lock package.resolved'],
  requirements: ['data', '', 'requirements.txt constraints.txt requirements-dev.txt'],
  cddl: ['code', 'cddl'],
  ebnf: ['code', 'ebnf bnf abnf g4 peg pest lalrpop'],
  rst: ['text', 'rst rest'],
  asciidoc: ['text', 'adoc asciidoc asc'],
  org: ['text', 'org'],
  tex: ['text', 'tex sty bib ltx dtx'],
  typst: ['text', 'typ'],
  man: ['text', '1 2 3 4 5 6 7 8 man mdoc'],
  texinfo: ['text', 'texi texinfo'],
  diff: ['data', 'diff patch'],
  po: ['data', 'po pot'],
  subtitles: ['text', 'srt vtt'],
  log: ['text', 'log'],
  text: [
    'text',
    'txt text',
    'license licence copying notice authors contributors maintainers todo news install version patents copyright unlicense',
  ],
};

export const LANGUAGES: Readonly<Record<string, Language>> = Object.fromEntries(
  Object.entries(TABLE).map(([id, [plain, extensions, names = '', interpreters = '']]) => [
    id,
    { plain, extensions: words(extensions), names: words(names), interpreters: words(interpreters) },
  ]),
);

export const LANGUAGE_IDS: readonly string[] = Object.keys(TABLE);

/** Extensions of files that are never text. */
export const BINARY_EXTENSIONS: ReadonlySet<string> = new Set(
  words(
    'png jpg jpeg gif bmp ico icns webp avif heic tif tiff psd ai eps raw jxl xcf sketch fig ' +
      'mp3 mp4 m4a m4v mov avi mkv webm wav flac ogg oga ogv opus aac wma wmv mpg mpeg mid midi ' +
      'zip gz tgz bz2 xz zst 7z rar tar lz lz4 lzma br cab iso dmg pkg deb rpm apk aab ipa whl egg jar war ear nupkg gem crx xpi ' +
      'woff woff2 ttf otf eot fon ' +
      'pdf doc docx xls xlsx ppt pptx odt ods odp epub mobi pages numbers key ' +
      'exe dll so dylib a o obj lib bin com msi class pyc pyo pyd elc beam wasm node ko rlib rmeta pdb ilk exp gch pch dex ' +
      'db sqlite sqlite3 mdb accdb dbf parquet arrow feather orc avro pkl pickle npy npz h5 hdf5 onnx pt pth safetensors tflite gguf mat rdata rds ' +
      'blend fbx glb 3ds max stl usdz uasset umap unitypackage swf fla ' +
      'p12 pfx jks keystore der crt cer gpg pgp snap img vmdk qcow2 vdi vhd pack idx swp dat',
  ),
);

function words(list: string): string[] {
  return list.split(/\s+/).filter((word) => word !== '');
}
