/**
 * Says in a WebAssembly module which functions V8 shall optimise: a section `compilationHints` with one byte a function, as proposed in
 * https://github.com/WebAssembly/compilation-hints (an earlier form, which V8 reads). Small functions do most of the work of a parser
 * and are optimised in milliseconds; the few large ones, such as lexers, take longer to optimise than a run of a few hundred files
 * gains. Programs that do not know the section skip it.
 */

/** Bytes of a function's body above which it stays in baseline code. With 12,000, runs of 50 files cost no more than without hints. */
const LARGE_BYTES = 12_000;
const SECTION = Buffer.from('compilationHints');
/** Compile at the first call; bits 2 and 3 are the tier of that, bits 4 and 5 the tier that follows. */
const LAZY = 1;
const BASELINE = LAZY | (1 << 2) | (1 << 4);
const OPTIMISED = LAZY | (2 << 2) | (2 << 4);
const HEADER_BYTES = 8;
const CUSTOM_SECTION = 0;
const CODE_SECTION = 10;

/** The module with hints, which have to stand before its code. A module without code comes back as it is. */
export function withHints(module: Uint8Array): Uint8Array<ArrayBuffer> {
  for (let at = HEADER_BYTES; at < module.length; ) {
    const [length, content] = numberAt(module, at + 1);
    if (module[at] === CODE_SECTION)
      return Buffer.concat([module.subarray(0, at), hints(module, content), module.subarray(at)]);
    at = content + length;
  }
  return Buffer.from(module);
}

function hints(module: Uint8Array, code: number): Uint8Array {
  const [count, first] = numberAt(module, code);
  const tiers = Buffer.alloc(count);
  for (let i = 0, at = first; i < count; i++) {
    const [bytes, body] = numberAt(module, at);
    tiers[i] = bytes > LARGE_BYTES ? BASELINE : OPTIMISED;
    at = body + bytes;
  }
  const content = [leb128(SECTION.length), SECTION, leb128(count), tiers];
  const bytes = content.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([Buffer.of(CUSTOM_SECTION), leb128(bytes), ...content]);
}

/** An unsigned number in LEB128, and the offset behind it. */
function numberAt(bytes: Uint8Array, from: number): [value: number, behind: number] {
  let value = 0;
  let at = from;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++];
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return [value >>> 0, at];
  }
}

function leb128(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return Buffer.of(...bytes, rest);
}
