/**
 * The bytes of one posting: varint(document delta), then one byte tf (< 128) if the term occurs only in the body, or
 * 0x80 | field bits followed by a varint tf for each field present.
 */
import { ByteReader, type ByteWriter } from '../base/buffers.js';
import { BODY, ENCLOSING, NAME } from './lexical-format.js';

/** Postings of one term, decoded: parallel arrays of length `count`. */
export interface Postings {
  count: number;
  documents: Uint32Array;
  body: Uint16Array;
  name: Uint8Array;
  enclosing: Uint8Array;
}

/** Writes one posting; `packed` is body | name << 16 | enclosing << 24. */
export function writePosting(out: ByteWriter, delta: number, packed: number): void {
  const body = packed & 0xffff;
  const name = (packed >>> 16) & 0xff;
  const enclosing = packed >>> 24;
  out.varint(delta);
  if (name === 0 && enclosing === 0 && body < 128) {
    out.byte(body);
    return;
  }
  out.byte(0x80 | (body ? 1 << BODY : 0) | (name ? 1 << NAME : 0) | (enclosing ? 1 << ENCLOSING : 0));
  if (body) out.varint(body);
  if (name) out.varint(name);
  if (enclosing) out.varint(enclosing);
}

/** Decodes the run [from, to) of a shard's postings. */
export function readPostings(data: Uint8Array, from: number, to: number): Postings {
  // A posting takes at least two bytes.
  const capacity = (to - from) >>> 1;
  const out: Postings = {
    count: 0,
    documents: new Uint32Array(capacity),
    body: new Uint16Array(capacity),
    name: new Uint8Array(capacity),
    enclosing: new Uint8Array(capacity),
  };
  const reader = new ByteReader(data, from);
  let document = 0;
  for (; reader.at < to; out.count++) {
    document += reader.varint();
    out.documents[out.count] = document;
    const head = reader.byte();
    if (head < 0x80) {
      out.body[out.count] = head;
      continue;
    }
    if (head & (1 << BODY)) out.body[out.count] = reader.varint();
    if (head & (1 << NAME)) out.name[out.count] = reader.varint();
    if (head & (1 << ENCLOSING)) out.enclosing[out.count] = reader.varint();
  }
  return out;
}

/** Receives one posting: a document and the term's frequency in each field. */
export type PostingVisitor = (document: number, body: number, name: number, enclosing: number) => void;

/** Visits the run [from, to) of a shard's postings in order, without making anything: for whoever reads most terms of a shard. */
export function eachPosting(data: Uint8Array, from: number, to: number, visit: PostingVisitor): void {
  const reader = new ByteReader(data, from);
  let document = 0;
  while (reader.at < to) {
    document += reader.varint();
    const head = reader.byte();
    if (head < 0x80) visit(document, head, 0, 0);
    else {
      const body = head & (1 << BODY) ? reader.varint() : 0;
      const name = head & (1 << NAME) ? reader.varint() : 0;
      visit(document, body, name, head & (1 << ENCLOSING) ? reader.varint() : 0);
    }
  }
}
