// The truth of compilers that are asked in their own language: go/types, javac, rustc, and php-parser for PHP. Each program
// beside this file writes JSON: `files`, `symbols`, `refs` by symbol, `relatives` (members that override each other),
// `overloads` of one type, and the names that it `known`s on each line. The programs are those of Debian: golang-go,
// default-jdk-headless, rustc and cargo (1.63, the last that writes what it resolved), php-cli and php-parser.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));

/** Writes what the compiler of a language knows of a clone to a file. */
export function indexNatively(project, file, { id }) {
  if (id === 'rust') return writeFileSync(file, JSON.stringify(rustTruth(project)));
  const { directory } = project;
  const programs = {
    go: ['go', ['run', '.', directory], { cwd: here('graph-truth-go'), env: { GOFLAGS: '-mod=mod', GOPROXY: 'off' } }],
    java: [
      'java',
      ['--add-exports', 'jdk.compiler/com.sun.tools.javac.api=ALL-UNNAMED', here('GraphTruth.java'), directory],
      { env: {} },
    ],
    php: ['php', [here('graph-truth.php'), directory], { env: {} }],
  };
  const [command, args, { cwd, env }] = programs[id];
  const stdio = ['ignore', openSync(file, 'w'), 'inherit'];
  const run = spawnSync(command, args, { cwd, stdio, env: { ...process.env, CGO_ENABLED: '0', ...env } });
  if (run.status !== 0) throw new Error(`${command} failed on ${directory}: ${run.error ?? run.status}`);
}

const GROUPS = {
  ...{ function: 'functions', macro: 'functions', method: 'members', 'static-method': 'members', field: 'members' },
  ...{
    constructor: 'constructors',
    variant: 'members',
    property: 'members',
    constant: 'members',
    type: 'types',
    value: 'variables',
  },
};

/** As `openScip` in graph-truth-symbols.mjs. Overloads of one type are one symbol, unless they are told apart. */
export function openNativeIndex(file, { directory, apart }) {
  const { files, symbols, refs, relatives, overloads = {}, known, skip = {} } = JSON.parse(readFileSync(file, 'utf8'));
  const paths = new Set(files);
  const byId = new Map(symbols.map((symbol) => [symbol.id, symbol]));
  const texts = new Map();
  const lineOf = (path, line) => {
    if (!texts.has(path)) texts.set(path, readFileSync(join(directory, path), 'utf8').split('\n'));
    return texts.get(path)[line - 1] ?? '';
  };
  // A tab is one column here and more of them for javac: the name is looked for in its line.
  const placeOf = ({ path, line, name }) => {
    const column = Math.max(0, findName(lineOf(path, line), name));
    return { path, line, column, endColumn: column + name.length };
  };
  const isIn = ([path, line]) => paths.has(path) && !(line >= skip[path]);
  const sitesOf = (id, name, isDefinition) => {
    const own = byId.get(id);
    const definition = own === undefined ? [] : [{ ...placeOf(own), isDefinition: true }];
    const uses = (refs[id] ?? [])
      .filter(isIn)
      .map(([path, line]) => ({ ...placeOf({ path, line, name }), isDefinition }));
    return [...definition, ...uses];
  };
  const merged = (id) => (apart ? [id] : [id, ...(overloads[id] ?? [])]);
  return {
    paths,
    apart,
    lastLine: (path) => skip[path] ?? Number.POSITIVE_INFINITY,
    definitions: symbols
      .filter(({ id, kind }) => GROUPS[kind] !== undefined && (apart || !(overloads[id] ?? []).some((one) => one < id)))
      .map((symbol) => ({ id: symbol.id, name: symbol.name, group: GROUPS[symbol.kind], ...placeOf(symbol) })),
    sites: async ({ id, name }) => merged(id).flatMap((one) => sitesOf(one, name, false)),
    relatives: async ({ id, name }) =>
      merged(id).flatMap((one) => (relatives[one] ?? []).flatMap((other) => sitesOf(other, name, false))),
    named: (path, line) => {
      const text = lineOf(path, line);
      return (known[path]?.[line] ?? []).map((name) => {
        const column = findName(text, name);
        return { column, endColumn: column + name.length, name };
      });
    },
  };
}

/** Column of a name as a word, -1 if the line has none. */
function findName(text, name) {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    if (!/[\w$]/.test(text[at - 1] ?? ' ') && !/[\w$]/.test(text[at + name.length] ?? ' ')) return at;
  return -1;
}

// Rust: rustc writes its analysis of each crate while cargo checks the libraries, without tests, whose packages are missing.

const RUST_KINDS = {
  ...{ Function: 'function', Method: 'method', Field: 'field', Struct: 'type', Enum: 'type', Trait: 'type' },
  ...{
    Type: 'type',
    Union: 'type',
    TupleVariant: 'variant',
    StructVariant: 'variant',
    Const: 'value',
    Static: 'value',
  },
  Macro: 'macro',
};

function rustTruth({ directory, paths }) {
  for (const path of paths) if (/(?:^|\/)Cargo\.toml$/.test(path)) withoutTests(join(directory, path));
  const home = join(tmpdir(), 'socraticode-graph-truth-cargo');
  mkdirSync(home, { recursive: true });
  const registry =
    '[source.crates-io]\nreplace-with = "debian"\n[source.debian]\ndirectory = "/usr/share/cargo/registry"\n';
  writeFileSync(join(home, 'config.toml'), `${registry}[net]\noffline = true\n`);
  const target = join(directory, 'target-graph-truth');
  const env = {
    ...process.env,
    CARGO_HOME: home,
    RUSTC: '/usr/bin/rustc',
    RUSTC_BOOTSTRAP: '1',
    CARGO_TARGET_DIR: target,
  };
  Object.assign(env, { RUSTFLAGS: '-Zsave-analysis -Zalways-encode-mir --cap-lints allow', CARGO_INCREMENTAL: '0' });
  // The crates of the workspace write their intermediate code, too: it has the type on which a trait's method is called.
  const wrapper = join(home, 'with-mir.sh');
  writeFileSync(wrapper, '#!/bin/sh\nexec "$@" --emit=mir -Zmir-opt-level=0\n', { mode: 0o755 });
  env.RUSTC_WORKSPACE_WRAPPER = wrapper;
  const args = ['check', '--lib', ...(process.env.GRAPH_TRUTH_CARGO?.split(' ') ?? ['--workspace'])];
  spawnSync('rm', ['-f', join(directory, 'Cargo.lock')]);
  const run = spawnSync('/usr/bin/cargo', args, { cwd: directory, env, encoding: 'utf8', maxBuffer: 1 << 28 });
  const folder = join(target, 'debug/deps/save-analysis');
  if (!existsSync(folder)) throw new Error(`cargo wrote no analysis: ${run.stderr}`.slice(0, 4000));
  return readAnalysis(directory, folder, receiversIn(join(target, 'debug/deps')));
}

/** Leaves out sections of a manifest that need packages of tests. */
function withoutTests(file) {
  const parts = readFileSync(file, 'utf8').split(/^(?=\[)/m);
  const isNeeded = (part) =>
    !/^\[(?:\[(?:bench|test|example)\]|dev-dependencies|target\..*\.dev-dependencies)/.test(part);
  writeFileSync(file, parts.filter(isNeeded).join(''));
}

function readAnalysis(directory, folder, receivers) {
  const docs = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
  const lines = new Map();
  const pathOf = (name) => name.replace(/^\.\//, '').replace(`${directory}/`, '');
  const lineOf = (path, line) => {
    if (!lines.has(path)) lines.set(path, readLines(join(directory, path)));
    return lines.get(path)[line - 1] ?? [];
  };
  const isHere = (path) => !path.startsWith('/') && lineOf(path, 1) !== undefined && lines.get(path).length > 0;
  const textOf = ({ file_name: name, line_start: line, column_start: from, column_end: to }) =>
    lineOf(pathOf(name), line)
      .slice(from - 1, to - 1)
      .join('');
  const truth = { files: new Set(), symbols: new Map(), refs: {}, relatives: {}, known: {}, at: new Map() };
  Object.assign(truth, { receivers, implementations: new Map() });
  const note = (path, line, name) => {
    truth.known[path] ??= {};
    truth.known[path][line] ??= [];
    truth.known[path][line].push(name);
  };
  const view = { pathOf, lineOf, isHere, textOf, note };
  for (const doc of docs) addDefinitions(truth, doc, view);
  for (const doc of docs) addRelatives(truth, doc, view);
  const seen = new Set();
  for (const doc of docs) addUses(truth, doc, view, seen);
  const symbols = [...truth.symbols.values()];
  return {
    files: [...truth.files].sort(),
    symbols,
    refs: truth.refs,
    relatives: withSiblings(truth.relatives),
    known: truth.known,
    skip: testsOf(truth.files, directory),
  };
}

function readLines(file) {
  return existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .map((line) => [...line])
    : [];
}

/** Identifies a definition across crates. */
function globalId({ prelude }, { krate, index }) {
  const crate = krate === 0 ? prelude.crate_id : prelude.external_crates.find(({ num }) => num === krate)?.id;
  return crate === undefined ? null : `${crate.name}|${JSON.stringify(crate.disambiguator)}|${index}`;
}

function addDefinitions({ files, symbols, at, known }, doc, { pathOf, lineOf, isHere, textOf, note }) {
  for (const { id, name, kind, span } of doc.defs) {
    const path = pathOf(span.file_name);
    if (!isHere(path)) continue;
    files.add(path);
    note(path, span.line_start, name, known);
    const place = `${path}:${span.line_start}:${span.column_start}`;
    at.set(globalId(doc, id), place);
    const isAlias = kind !== 'Type' || new RegExp(`\\btype\\s+${name}\\b`).test(lineOf(path, span.line_start).join(''));
    if (RUST_KINDS[kind] === undefined || /^\d+$/.test(name) || textOf(span) !== name || !isAlias) continue;
    if (!symbols.has(place))
      symbols.set(place, { id: place, name, kind: RUST_KINDS[kind], path, line: span.line_start });
  }
}

function addRelatives({ at, relatives, symbols, implementations }, doc, { lineOf }) {
  for (const { id, decl_id: declared } of doc.defs) {
    const [own, name] = [at.get(globalId(doc, id)), declared && globalId(doc, declared)];
    if (!own || !name || at.get(name) === own) continue;
    // A method of a trait from outside has no place, but uses.
    if (!at.has(name)) at.set(name, `outside ${name}`);
    const other = at.get(name);
    relatives[own] ??= new Set();
    relatives[other] ??= new Set();
    relatives[own].add(other);
    relatives[other].add(own);
    const head = symbols.has(own) ? headOfBlock(symbols.get(own), lineOf) : null;
    if (head !== null) implementations.set(other, [...(implementations.get(other) ?? []), { id: own, head }]);
  }
}

/** Longest head of an `impl` block, in lines. */
const MAX_HEAD_LINES = 12;

/** Name of the type for which the `impl` block around a method is; null for blocks of parameters and of types without a name. */
function headOfBlock({ path, line }, lineOf) {
  for (let at = line; at > 0; at--) {
    if (!/^\s*(?:unsafe\s+)?impl\b/.test(lineOf(path, at).join(''))) continue;
    const lines = Array.from({ length: MAX_HEAD_LINES }, (_, i) => lineOf(path, at + i).join(''));
    const head = lines.join(' ').split('{')[0];
    const type = head.slice(head.search(/\sfor\s+[^<]/) + 5);
    const name = headOf(type);
    return name === null || new RegExp(`[<,]\\s*${name}\\s*[:,>]`).test(head.slice(0, -type.length)) ? null : name;
  }
  return null;
}

/** Last name of a type's path without its arguments: `Cart` of `&'a shop::Cart<T>`; null for tuples, slices, `dyn Rule`. */
function headOf(type) {
  const found = /^\s*(?:&\s*(?:'\w+\s+)?(?:mut\s+)?)*((?:\w+::)*)(\w+)\s*(?=$|[<,]|\s)/.exec(type);
  return found === null || found[2] === 'dyn' || found[2] === 'impl' ? null : found[2];
}

/** By place of a method's name, the type on which the method of a trait is called, as the intermediate code of the crates has it. */
function receiversIn(folder) {
  const found = new Map();
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.mir'))) {
    let place = '';
    for (const line of readFileSync(join(folder, name), 'utf8').split('\n')) {
      const span = /\/\/ \+ span: (.+?:\d+:\d+): \d+:\d+$/.exec(line);
      if (span !== null) place = span[1];
      const call = place === '' ? null : /\/\/ \+ literal: .*\{<(.+?) as .+>::\w+/.exec(line);
      if (call !== null) found.set(place, headOf(call[1]));
      if (span === null) place = '';
    }
  }
  return found;
}

/** Implementations of one method of a trait are relatives, too. */
function withSiblings(relatives) {
  const found = {};
  for (const [id, own] of Object.entries(relatives)) {
    const all = new Set([...own].flatMap((other) => [other, ...(relatives[other] ?? [])]));
    all.delete(id);
    found[id] = [...all];
  }
  return found;
}

function addUses(
  { files, symbols, refs, at, receivers, implementations },
  doc,
  { pathOf, isHere, textOf, note },
  seen,
) {
  for (const { span, ref_id: meant } of doc.refs) {
    const path = pathOf(span.file_name);
    if (!isHere(path)) continue;
    files.add(path);
    const name = textOf(span).replace(/^r#/, '');
    note(path, span.line_start, name);
    const declared = at.get(globalId(doc, meant));
    // A call on a value of a known type runs what that type has, of which rustc names the declaration in the trait.
    const type = receivers.get(`${path}:${span.line_start}:${span.column_start}`) ?? null;
    const own = type === null ? [] : (implementations.get(declared) ?? []).filter(({ head }) => head === type);
    const id = own.length === 1 ? own[0].id : declared;
    const key = `${id}@${path}:${span.line_start}:${span.column_start}`;
    const isKnown = symbols.get(id)?.name === name || id?.startsWith('outside ');
    if (!isKnown || seen.has(key)) continue;
    seen.add(key);
    refs[id] ??= [];
    refs[id].push([path, span.line_start]);
  }
}

/** First line of the tests at the end of files, which the library is checked without. */
function testsOf(files, directory) {
  const found = {};
  for (const path of files) {
    const text = readFileSync(join(directory, path), 'utf8');
    const tests = /^#\[cfg\(test\)\]\s*\n(?:#\[.*\]\n)*\s*(?:pub )?mod \w+\s*\{/m.exec(text);
    if (tests !== null) found[path] = text.slice(0, tests.index).split('\n').length;
  }
  return found;
}

/** Version of a compiler, for the head of the report. */
export function nativeVersion(id) {
  const command = {
    go: ['go', 'version'],
    java: ['javac', '-version'],
    rust: ['/usr/bin/rustc', '--version'],
    php: ['php', '-r', 'echo "php-parser, php ", PHP_VERSION;'],
  }[id];
  return execFileSync(command[0], command.slice(1), { encoding: 'utf8' }).trim();
}
