/**
 * tree-sitter with one grammar, as a WebAssembly module (see `grammars/README.md`). Source text is hostile input: whatever it
 * does to the parser stays inside the module's memory, and ends as an exception here.
 */
import { keepBaselineWasm } from '../base/tiering.js';
import { type GrammarNames, SyntaxTree } from './syntax-tree.js';

/** The module's functions. Addresses and sizes are in bytes of its memory. */
interface Functions {
  memory: { buffer: ArrayBuffer };
  allocate(bytes: number): number;
  /** Parses UTF-16 text, which it frees, and returns the count of nodes, 0 for none. */
  parse(text: number, bytes: number): number;
  /** Address of the columns of the last tree. */
  columns(): number;
  kind_count(): number;
  kind_name(kind: number): number;
  kind_type(kind: number): number;
  field_count(): number;
  field_name(field: number): number;
}

/** A module whose memory has grown beyond this by one file starts anew with the next: memory of modules never shrinks. */
const RESTART_BYTES = 64 << 20;
/** Bytes of a node in the columns of a tree. */
const NODE_BYTES = 20;
/** `TSSymbolTypeRegular`: a kind that has a name in the grammar. */
const REGULAR = 0;
/** Answer of WASI to calls about files: there are none. */
const BAD_DESCRIPTOR = 8;

export class WasmParser {
  private readonly module: WebAssembly.Module;
  private functions: Functions | null = null;
  private names: GrammarNames | null = null;

  constructor(code: Uint8Array<ArrayBuffer>) {
    keepBaselineWasm();
    this.module = new WebAssembly.Module(code);
  }

  /** `source`: the text of the same length that nodes show as theirs. Throws if the parser fails, which leaves nothing behind. */
  parse(text: string, source: string): SyntaxTree {
    try {
      return this.parsed(text, source);
    } catch (error) {
      this.functions = null;
      throw error;
    }
  }

  private parsed(text: string, source: string): SyntaxTree {
    this.functions ??= this.start();
    const { allocate, parse, columns, memory } = this.functions;
    const bytes = 2 * text.length;
    const at = allocate(bytes);
    // At address 0 the parser keeps its own data.
    if (at === 0 && bytes > 0) throw new Error(`the parser has no memory for ${bytes} bytes`);
    Buffer.from(memory.buffer, at, bytes).write(text, 'utf16le');
    const count = parse(at, bytes);
    if (count === 0) throw new Error('the parser gave no tree');
    const from = columns();
    const tree = new SyntaxTree(this.namesOf(), source, count, memory.buffer.slice(from, from + NODE_BYTES * count));
    if (memory.buffer.byteLength > RESTART_BYTES) this.functions = null;
    return tree;
  }

  private start(): Functions {
    const none: Record<string, Record<string, () => number>> = {};
    for (const { module, name } of WebAssembly.Module.imports(this.module)) {
      none[module] ??= {};
      none[module][name] = () => BAD_DESCRIPTOR;
    }
    return new WebAssembly.Instance(this.module, none).exports as unknown as Functions;
  }

  private namesOf(): GrammarNames {
    this.names ??= readNames(this.functions as Functions);
    return this.names;
  }
}

function readNames(functions: Functions): GrammarNames {
  const kinds = Array.from({ length: functions.kind_count() }, (_, i) => textAt(functions, functions.kind_name(i)));
  const named = Uint8Array.from(kinds, (_, i) => Number(functions.kind_type(i) === REGULAR));
  const numbers = new Map<string, number[]>();
  for (const [number, kind] of kinds.entries())
    if (named[number] === 1) numbers.set(kind, [...(numbers.get(kind) ?? []), number]);
  const fields = new Map<string, number>();
  for (let i = 1; i <= functions.field_count(); i++) fields.set(textAt(functions, functions.field_name(i)), i);
  return { kinds, named, numbers, fields };
}

function textAt({ memory }: Functions, address: number): string {
  const bytes = Buffer.from(memory.buffer, address);
  return bytes.toString('utf8', 0, bytes.indexOf(0));
}
