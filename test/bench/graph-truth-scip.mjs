// Reads an index.scip: definitions of the repository's own symbols, and every other place that names them.
// The format is Protocol Buffers: github.com/sourcegraph/scip, scip.proto.
import { readFileSync } from 'node:fs';

/** Fields of one message: `[number, value]`, bytes as subarrays. Shape of a field: varint, 64 bits, bytes, 32 bits. */
function* fields(bytes) {
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++];
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const tag = varint();
    const wire = tag & 7;
    if (wire === 0) yield [tag >>> 3, varint()];
    else {
      const length = wire === 2 ? varint() : wire === 1 ? 8 : 4;
      at += length;
      yield [tag >>> 3, bytes.subarray(at - length, at)];
    }
  }
}

const textOf = (bytes) => Buffer.from(bytes).toString('utf8');

function numbersOf(bytes) {
  const found = [];
  for (let at = 0, value = 0, scale = 1; at < bytes.length; at++) {
    value += (bytes[at] & 127) * scale;
    scale *= 128;
    if (bytes[at] < 128) [value, scale] = [found.push(value) * 0, 1];
  }
  return found;
}

function readOccurrence(bytes) {
  const found = { range: [], symbol: '', roles: 0 };
  for (const [number, value] of fields(bytes)) {
    if (number === 1) found.range = typeof value === 'number' ? [...found.range, value] : numbersOf(value);
    else if (number === 2) found.symbol = textOf(value);
    else if (number === 3) found.roles = value;
  }
  return found;
}

/** A symbol, and those that it implements or overrides. */
function readSymbol(bytes) {
  const found = { symbol: '', relatives: [] };
  for (const [number, value] of fields(bytes)) {
    if (number === 1) found.symbol = textOf(value);
    else if (number === 4)
      for (const [field, name] of fields(value)) if (field === 1) found.relatives.push(textOf(name));
  }
  return found;
}

function readDocument(bytes) {
  const found = { path: '', occurrences: [], symbols: [] };
  for (const [number, value] of fields(bytes)) {
    if (number === 1) found.path = textOf(value);
    else if (number === 2) found.occurrences.push(readOccurrence(value));
    else if (number === 3) found.symbols.push(readSymbol(value));
  }
  return found;
}

/** Documents of an index, each `{path, occurrences: [{range, symbol, roles}], symbols: [{symbol, relatives}]}`. */
export function readScip(file) {
  const documents = [];
  for (const [number, value] of fields(readFileSync(file))) if (number === 2) documents.push(readDocument(value));
  return documents;
}
