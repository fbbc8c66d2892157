/** A blob's bytes as a JavaScript string, with the exact way back: grammars count UTF-16 units, records count bytes. */
import { isAscii, isUtf8 } from 'node:buffer';

/** One checkpoint per this many UTF-16 units bounds the scan of `toByte` without a table as large as the text. */
const CHECKPOINT_UNITS = 256;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const LINE_FEED = 10;

export interface SourceText {
  /** The text without a byte order mark. */
  readonly text: string;
  /** Length of the blob in bytes, byte order mark included. */
  readonly byteLength: number;
  /** Number of lines; a final line break doesn't start another one. */
  readonly lines: number;
  /** UTF-16 offset (0 to text.length) -> byte offset. Offsets inside a surrogate pair map to the pair's start. */
  toByte(unit: number): number;
  /** Byte offset -> 1-based line. Lines end at LF, so CRLF works and a lone CR isn't a line end. */
  lineOf(byte: number): number;
}

/** Decodes UTF-8 (with or without byte order mark); anything that isn't valid UTF-8 is read as latin1. */
export function decode(bytes: Uint8Array): SourceText {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const starts = lineStarts(view);
  const lines = view.length === 0 ? 0 : starts[starts.length - 1] === view.length ? starts.length - 1 : starts.length;
  const lineOf = (byte: number): number => upperBound(starts, byte);
  const base = { byteLength: view.length, lines, lineOf };
  if (isAscii(view) || !isUtf8(view)) return { ...base, text: view.toString('latin1'), toByte: (unit) => unit };
  const skip = BYTE_ORDER_MARK.every((value, index) => view[index] === value) ? BYTE_ORDER_MARK.length : 0;
  const text = view.toString('utf8', skip);
  return { ...base, text, toByte: byteMap(text, skip) };
}

function lineStarts(view: Buffer): number[] {
  const starts = [0];
  for (let at = view.indexOf(LINE_FEED); at !== -1; at = view.indexOf(LINE_FEED, at + 1)) starts.push(at + 1);
  return starts;
}

/** Number of entries of the sorted list that are <= value. */
function upperBound(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function byteMap(text: string, skip: number): (unit: number) => number {
  const checkpoints = new Uint32Array(Math.floor(text.length / CHECKPOINT_UNITS) + 1);
  let byte = skip;
  for (let unit = 0; unit < text.length; unit++) {
    if (unit % CHECKPOINT_UNITS === 0) checkpoints[unit / CHECKPOINT_UNITS] = byte;
    byte += unitBytes(text, unit);
  }
  if (text.length % CHECKPOINT_UNITS === 0) checkpoints[checkpoints.length - 1] = byte;
  return (unit) => {
    // The low half of a pair owns none of the pair's bytes, so stepping back to the high half is exact.
    const target = isLowSurrogate(text.charCodeAt(unit)) ? unit - 1 : unit;
    const checkpoint = Math.floor(target / CHECKPOINT_UNITS);
    let at = checkpoints[checkpoint];
    for (let i = checkpoint * CHECKPOINT_UNITS; i < target; i++) at += unitBytes(text, i);
    return target === 0 ? 0 : at;
  };
}

/** UTF-8 bytes that a UTF-16 unit stands for; a pair's four bytes are all counted at its high half. */
function unitBytes(text: string, unit: number): number {
  const code = text.charCodeAt(unit);
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  if (code >= 0xd800 && code < 0xdc00) return 4;
  return isLowSurrogate(code) ? 0 : 3;
}

/** True in the middle of a surrogate pair: no cut may fall there. Valid UTF-8 never decodes to a lone half. */
export function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000;
}
