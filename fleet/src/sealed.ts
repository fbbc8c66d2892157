/** Sealed bytes: a checksum before canonical CBOR, so that a flipped bit in a store is noticed before anything is read. */
import { createHash } from 'node:crypto';
import { brotliCompressSync, brotliDecompressSync, constants, deflateRawSync, inflateRawSync } from 'node:zlib';
import {
  type CborLimits,
  type CborValue,
  commandText,
  decodeCanonical,
  encodeCanonical,
  SocraticodeError,
} from './internal.js';

const SEAL_BYTES = 8;
/** Level 6 gives 3 % more than 9 at half the time. */
const LEVEL = 6;

function checksum(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest().subarray(0, SEAL_BYTES);
}

/** Bytes behind their checksum: what is deflated shows no flipped bit. */
export const checked = (content: Uint8Array): Uint8Array => new Uint8Array(Buffer.concat([checksum(content), content]));

/** Opens bytes that `checked` made. Throws FLEET_STORE. */
export function unchecked(bytes: Uint8Array, what: string): Uint8Array {
  const content = bytes.subarray(SEAL_BYTES);
  if (bytes.length <= SEAL_BYTES || checksum(content).compare(bytes, 0, SEAL_BYTES) !== 0) damaged(what);
  return content;
}

export const sealed = (value: CborValue): Uint8Array => checked(encodeCanonical(value));

/** Opens bytes that `sealed` made. `what` names them in messages. Throws FLEET_STORE. */
export function unsealed(bytes: Uint8Array, what: string, limits: CborLimits): unknown {
  const content = unchecked(bytes, what);
  try {
    return decodeCanonical(content, limits);
  } catch (cause) {
    damaged(what, cause);
  }
}

/** Limits of CBOR with a few items around byte strings of up to `maxBytes` together. */
export function limitsOf(maxBytes: number, maxEntries = 64): CborLimits {
  return { maxBytes, maxDepth: 4, maxItems: maxEntries * 16, maxEntries, maxString: maxBytes };
}

export function deflated(bytes: Uint8Array): Uint8Array {
  return deflateRawSync(bytes, { level: LEVEL });
}

/** Throws FLEET_STORE for bytes that are not deflated, or that inflate to more than `most` bytes. */
export function inflated(bytes: Uint8Array, most: number, what: string): Buffer {
  try {
    return inflateRawSync(bytes, { maxOutputLength: Math.max(1, most) });
  } catch (cause) {
    damaged(what, cause);
  }
}

/**
 * Brotli packs postings to .84 of the size that deflate gives, in twice the time (1 ms a unit), and takes half as much longer
 * to unpack (.1 ms). Quality 9 saves not a byte more.
 */
const QUALITY = 5;

export function packed(bytes: Uint8Array): Uint8Array {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;
  return brotliCompressSync(bytes, {
    params: { [BROTLI_PARAM_QUALITY]: QUALITY, [BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });
}

/** Assumed ratio of unpacked to packed postings, rounded up: zlib fills one buffer of this size. */
const EXPANDED = 4;
const LEAST_BUFFER = 1_024;

/**
 * Opens bytes that `packed` made, in a buffer of their own size, since zlib's results keep a whole chunk in memory: 16 kB for 5
 * kB. Throws FLEET_STORE for other bytes, or for more than `most` unpacked ones.
 */
export function unpacked(bytes: Uint8Array, most: number, what: string): Buffer {
  const chunkSize = Math.max(LEAST_BUFFER, EXPANDED * bytes.length);
  try {
    const found = brotliDecompressSync(bytes, { maxOutputLength: Math.max(1, most), chunkSize });
    return Buffer.from(new Uint8Array(found).buffer);
  } catch (cause) {
    damaged(what, cause);
  }
}

/** Next step for tables that are damaged or of another version. */
export const REBUILD = `Make new tables beside these: ${commandText('fleet rebuild')}`;

export function damaged(what: string, cause?: unknown): never {
  throw new SocraticodeError('FLEET_STORE', `${what} is damaged`, { cause });
}
