// Builds the grammars anew: `node grammars/build.mjs --tree-sitter DIR [NAME…]`, where DIR is a checkout of tree-sitter. Needs
// clang, wasm-ld, wasi-libc and wasm-opt (Debian 12: `apt-get install clang lld wasi-libc libclang-rt-14-dev-wasm32 binaryen`); see
// README.md.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { brotliCompressSync, constants } from 'node:zlib';
import { withShortcuts } from './shortcuts.mjs';
import { SOURCES } from './sources.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const { values, positionals } = parseArgs({ options: { 'tree-sitter': { type: 'string' } }, allowPositionals: true });
const checkout = values['tree-sitter'] ?? '.';
if (!existsSync(join(checkout, 'lib/src/lib.c'))) throw new Error('--tree-sitter names no checkout of tree-sitter');
const temporary = mkdtempSync(join(tmpdir(), 'grammars-'));
const library = withShortcuts(join(checkout, 'lib'), join(temporary, 'lib'));

const TARGET = ['--target=wasm32-wasi', '--sysroot=/usr', '-isystem', '/usr/include/wasm32-wasi'];
const COMPILE = [...TARGET, '-O3', '-mbulk-memory', '-DNDEBUG', '-D_POSIX_C_SOURCE=200112L', '-D_DEFAULT_SOURCE'];
/** Gives baseline code, which keeps few variables in registers, fewer of them. */
const OPTIMISE = ['-O3', '--enable-bulk-memory'];
/** The stack lies below all data, so that a stack that is too deep ends the parse instead of overwriting data. */
const LINK = '--no-entry,--strip-all,--gc-sections,--stack-first,-z,stack-size=1048576,--max-memory=536870912';

function compile(source, name, ...options) {
  const output = join(temporary, `${name}-${basename(source, '.c')}.o`);
  execFileSync('clang', [...COMPILE, ...options, '-c', source, '-o', output], { stdio: 'inherit' });
  return output;
}

/** Folder of a package's content, which npm brings. */
function unpacked(spec) {
  const folder = join(temporary, spec.replaceAll('/', '+'));
  if (existsSync(folder)) return folder;
  mkdirSync(folder);
  const archive = execFileSync('npm', ['pack', spec, '--silent', '--pack-destination', folder], { encoding: 'utf8' });
  execFileSync('tar', ['xzf', join(folder, archive.trim().split('\n').at(-1)), '-C', folder, '--strip-components=1']);
  return folder;
}

function build(
  name,
  { from, folder = 'src', symbol = `tree_sitter_${name}`, replacements = [], defines = [] },
  shared,
) {
  const source = join(unpacked(from), folder);
  const files = ['parser.c', 'scanner.c'].map((file) => join(source, file)).filter(existsSync);
  for (const [wrong, right] of replacements) {
    const text = readFileSync(files[1], 'utf8');
    if (!text.includes(wrong)) throw new Error(`the scanner of ${name} has no ${wrong}`);
    writeFileSync(files[1], text.replaceAll(wrong, right));
  }
  const [parser, ...scanner] = files;
  const objects = scanner.map((file) => compile(file, name, `-I${source}`));
  const lexing = [`-DPARSER="${parser}"`, ...defines.map((define) => `-D${define}`)];
  objects.push(compile(join(here, 'src/grammar.c'), name, `-I${source}`, ...lexing));
  const columns = compile(
    join(here, 'src/columns.c'),
    name,
    `-DLANGUAGE=${symbol}`,
    `-I${join(library, 'include')}`,
    `-I${join(library, 'src')}`,
  );
  const output = join(temporary, `${name}.wasm`);
  const link = ['-L/usr/lib/wasm32-wasi', '-nostartfiles', `-Wl,${LINK}`, '-o', output];
  execFileSync('clang', [...TARGET, ...shared, columns, ...objects, ...link], { stdio: 'inherit' });
  execFileSync('wasm-opt', [...OPTIMISE, output, '-o', output], { stdio: 'inherit' });
  const code = readFileSync(output);
  const options = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 };
  const packed = brotliCompressSync(code, {
    params: { ...options, [constants.BROTLI_PARAM_SIZE_HINT]: code.length },
  });
  writeFileSync(join(here, `${name}.wasm.br`), packed);
  console.log(`${name}: ${code.length} bytes, ${packed.length} compressed`);
  return { from, sha256: createHash('sha256').update(code).digest('hex').slice(0, 16) };
}

const shared = [
  compile(join(here, 'src/runtime.c'), 'tree-sitter', `-I${join(library, 'include')}`, `-I${join(library, 'src')}`),
  compile(join(here, 'src/wctype.c'), 'c'),
  // Else the compiler takes `malloc` and `memset` in `calloc` for a call of `calloc`.
  compile(join(here, 'src/memory.c'), 'c', '-fno-builtin'),
];
const path = join(here, 'manifest.json');
const { grammars } = JSON.parse(existsSync(path) ? readFileSync(path, 'utf8') : '{"grammars":{}}');
for (const [name, source] of Object.entries(SOURCES))
  if (positionals.length === 0 || positionals.includes(name)) grammars[name] = build(name, source, shared);
const head = execFileSync('git', ['-C', checkout, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
const parser = `tree-sitter ${head.slice(0, 12)}`;
const sorted = Object.fromEntries(Object.keys(SOURCES).map((name) => [name, grammars[name]]));
writeFileSync(path, `${JSON.stringify({ parser, grammars: sorted }, null, 2)}\n`);
rmSync(temporary, { recursive: true });
