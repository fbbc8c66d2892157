// Compares two builds of the grammars: `node grammars/compare.mjs OLD NEW DIR…` parses the files of each DIR, whole and damaged, with
// the modules of both folders, and prints processor seconds. Exits with 1 if any tree differs in one byte.
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { brotliDecompressSync } from 'node:zlib';

const { values, positionals } = parseArgs({
  options: { files: { type: 'string', default: '400' }, damaged: { type: 'string', default: '2' } },
  allowPositionals: true,
});
const [before, after, ...folders] = positionals;
/** The extensions of grammars that are not named as the one of their files. */
const GRAMMARS = Object.entries({
  Css: 'css',
  Html: 'html htm',
  JavaScript: 'js mjs jsx',
  Tsx: 'tsx',
  TypeScript: 'ts',
  bash: 'sh',
  c: 'c h',
  cpp: 'cc cpp hpp',
  csharp: 'cs',
  elixir: 'ex exs',
  haskell: 'hs',
  kotlin: 'kt',
  markdown: 'md',
  python: 'py',
  ruby: 'rb',
  rust: 'rs',
  yaml: 'yml yaml',
}).flatMap(([grammar, names]) => names.split(' ').map((name) => [name, grammar]));
const grammars = new Map(GRAMMARS);
for (const own of ['dart', 'go', 'java', 'json', 'lua', 'php', 'scala', 'sql', 'swift', 'toml']) grammars.set(own, own);
/** Longer files are left out. */
const MAX_LENGTH = 300_000;
const NOISE = ['(', '}', '<', '"', "'", '`', '\0', '\n', 'é', '\ud800', '\u{1F600}'];

// Baseline code, in which the program runs them.
for (const flag of ['--liftoff-only', '--no-wasm-tier-up', '--no-wasm-dynamic-tiering']) setFlagsFromString(flag);

class Module {
  cpu = 0;
  instance = null;
  constructor(folder, grammar) {
    this.module = new WebAssembly.Module(brotliDecompressSync(readFileSync(join(folder, `${grammar}.wasm.br`))));
  }
  /** The columns of a tree, or the message of a failure. */
  parse(text) {
    const from = process.cpuUsage();
    try {
      this.instance ??= new WebAssembly.Instance(this.module, imports(this.module)).exports;
      const { allocate, parse, columns, memory } = this.instance;
      const at = allocate(2 * text.length);
      Buffer.from(memory.buffer, at, 2 * text.length).write(text, 'utf16le');
      const count = parse(at, 2 * text.length);
      const result = Buffer.from(memory.buffer.slice(columns(), columns() + 20 * count));
      if (memory.buffer.byteLength > 64 << 20) this.instance = null;
      return result;
    } catch (error) {
      this.instance = null;
      return Buffer.from(error.message);
    } finally {
      const { user, system } = process.cpuUsage(from);
      this.cpu += (user + system) / 1e6;
    }
  }
}

function imports(module) {
  const none = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    none[from] ??= {};
    none[from][name] = () => 8;
  }
  return none;
}

let seed = 7;
const random = (below) => {
  seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
  return Math.floor((seed / 0x80000000) * below);
};

/** The text cut off, with a hole, with noise, or turned around, at a place that chance chooses. */
function damage(text) {
  const at = random(text.length);
  const ways = [
    text.slice(0, at),
    text.slice(0, at) + text.slice(at + 1 + random(40)),
    text.slice(0, at) + NOISE[random(NOISE.length)] + text.slice(at),
    text.slice(at) + text.slice(0, at),
  ];
  return ways[random(ways.length)];
}

function filesByGrammar() {
  const found = new Map();
  for (const folder of folders)
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const grammar = grammars.get(extname(entry.name).slice(1));
      if (!entry.isFile() || grammar === undefined) continue;
      found.set(grammar, [...(found.get(grammar) ?? []), join(entry.parentPath ?? entry.path, entry.name)]);
    }
  return [...found].sort();
}

let different = 0;
for (const [grammar, files] of filesByGrammar()) {
  const [old, now] = [new Module(before, grammar), new Module(after, grammar)];
  let texts = 0;
  let wrong = 0;
  for (let i = 0; i < Number(values.files) && files.length > 0; i++) {
    const whole = readFileSync(files.splice(random(files.length), 1)[0], 'utf8');
    if (whole.length > MAX_LENGTH) continue;
    for (const text of [whole, ...Array.from({ length: Number(values.damaged) }, () => damage(whole))]) {
      texts++;
      if (!old.parse(text).equals(now.parse(text))) wrong++;
    }
  }
  different += wrong;
  console.log(
    `${grammar}: ${texts} texts, ${wrong} differ, ${old.cpu.toFixed(2)} s before, ${now.cpu.toFixed(2)} s after`,
  );
}
process.exitCode = different === 0 ? 0 : 1;
