/**
 * Texts in UTF-8, whatever they are stored in, as ripgrep reads them: everything behind the readers of blobs and files counts bytes of
 * UTF-8. Lines stay the same lines.
 */
import { isAscii, isUtf8 } from 'node:buffer';

/** As git does: bytes in which a NUL makes a file binary. */
const PROBE = 8_000;
/** Control characters that texts have: from backspace to carriage return, and escape. */
const isControl = (byte: number): boolean => byte < 0x20 && !(byte >= 0x08 && byte <= 0x0d) && byte !== 0x1b;

/**
 * Returns the same bytes for UTF-8 and for what is no text. UTF-16 needs its mark, which is left out; in other texts, bytes that are not
 * UTF-8 are characters of Windows-1252, which has those of Latin-1. `encoding`: what git says of a file of the work tree; nothing
 * changes where it does not fit.
 */
export function inUtf8(bytes: Buffer, encoding?: string): Buffer {
  const known = wideText(bytes) ?? (encoding === undefined ? null : textIn(bytes, encoding));
  if (known !== null) return known;
  if (isUtf8(bytes) || bytes.subarray(0, PROBE).some(isControl)) return bytes;
  return Buffer.from(mixedText(bytes));
}

/** UTF-16 with a mark in UTF-8; null for other bytes, also for those of an image that happens to begin so. */
function wideText(bytes: Buffer): Buffer | null {
  const mark = bytes.length >= 2 ? bytes.readUInt16BE(0) : 0;
  if (mark !== 0xfffe && mark !== 0xfeff) return null;
  const units = bytes.subarray(2, bytes.length - (bytes.length % 2));
  const text = mark === 0xfffe ? units.toString('utf16le') : Buffer.from(units).swap16().toString('utf16le');
  return text.slice(0, PROBE).includes('\0') ? null : Buffer.from(text);
}

/** Null for bytes that are UTF-8 as they are, such as text that an editor has not saved, and for what cannot be decoded. */
function textIn(bytes: Buffer, encoding: string): Buffer | null {
  if (isUtf8(bytes) && !bytes.includes(0)) return null;
  try {
    return Buffer.from(new TextDecoder(encoding.replace(/-BOM$/i, ''), { fatal: true }).decode(bytes));
  } catch {
    return null;
  }
}

/** Characters of Windows-1252 from 0x80 on, where Latin-1 has control characters; the five that it leaves out stand for themselves. */
const FROM_0X80 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Node's own decoder takes Latin-1 for it in several versions. */
const singleBytes = (bytes: Buffer): string =>
  bytes.toString('latin1').replace(/[\u0080-\u009f]/g, (char) => FROM_0X80[char.charCodeAt(0) - 0x80]);

/** Runs of UTF-8 as they are; between them bytes that are not. */
function mixedText(bytes: Buffer): string {
  const parts: string[] = [];
  let from = 0;
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceAt(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    parts.push(bytes.toString('utf8', from, at));
    const start = at;
    while (at < bytes.length && sequenceAt(bytes, at) === 0) at++;
    parts.push(singleBytes(bytes.subarray(start, at)));
    from = at;
  }
  parts.push(bytes.toString('utf8', from));
  return parts.join('');
}

/** Bytes of the UTF-8 character at an offset; 0 if there is none. */
function sequenceAt(bytes: Buffer, at: number): number {
  const first = bytes[at];
  if (first < 0x80) return 1;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  const sequence = bytes.subarray(at, at + length);
  return first >= 0xc2 && sequence.length === length && isUtf8(sequence) && !isAscii(sequence) ? length : 0;
}
