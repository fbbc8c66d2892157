/** Texts are read in UTF-8, whatever they are stored in, and what is no text stays as it is. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inUtf8 } from '../../src/base/binary.js';

const TEXT = 'class Größe { // „naïve“ – 名前 😀\r\n}\n';

function wide(text: string, isBig = false): Buffer {
  const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
  return isBig ? bytes.swap16() : bytes;
}

const read = (bytes: Buffer): string => inUtf8(bytes).toString('utf8');

test('UTF-16 with a mark is read without the mark, in either order of bytes', () => {
  assert.deepEqual([read(wide(TEXT)), read(wide(TEXT, true)), read(wide(''))], [TEXT, TEXT, '']);
  assert.equal(read(Buffer.concat([wide(TEXT), Buffer.from([0x41])])), TEXT, 'half a character at the end');
});

test('UTF-8 is the same buffer, with or without a mark', () => {
  for (const text of ['', 'plain', TEXT, `\ufeff${TEXT}`]) {
    const bytes = Buffer.from(text);
    assert.equal(inUtf8(bytes), bytes);
  }
});

test('single bytes are Windows-1252, and so Latin-1', () => {
  const latin = Array.from({ length: 96 }, (_, i) => String.fromCharCode(0xa0 + i)).join('');
  assert.equal(read(Buffer.from(`x ${latin}`, 'latin1')), `x ${latin}`);
  const bytes = Buffer.from([0x93, 0x61, 0x94, 0x20, 0x96, 0x20, 0x80, 0x85, 0x9f, 0x81, 0x0a]);
  assert.equal(read(bytes), '“a” – €…Ÿ\u0081\n');
});

test('a text of two encodings keeps what is UTF-8', () => {
  const bytes = Buffer.concat([Buffer.from('é 名 😀 '), Buffer.from('é', 'latin1'), Buffer.from(' ü\n')]);
  assert.equal(read(bytes), 'é 名 😀 é ü\n');
  // Cut characters and overlong forms are no UTF-8.
  assert.equal(read(Buffer.from([0xe5, 0x90, 0x41])), 'å\u0090A');
  assert.equal(read(Buffer.from([0xc0, 0x80, 0x41])), 'À€A');
  assert.equal(read(Buffer.from([0xed, 0xa0, 0x80])), 'í\u00a0€');
});

test('what is no text stays as it is', () => {
  for (const bytes of [
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]),
    Buffer.from([0xff, 0xfe, 0, 0, 0x41, 0, 0, 0]),
    Buffer.from([0xff, 0xfe, 0x41, 0, 0, 0]),
    Buffer.from([0x86, 0x63, 0x67, 0x73, 0x63, 3, 0xe9]),
  ])
    assert.equal(inUtf8(bytes), bytes);
});

test('what git says of a file decides where its bytes do not, unless they are UTF-8 already', () => {
  for (const encoding of ['UTF-16LE', 'utf-16le']) {
    assert.equal(inUtf8(Buffer.from('plain\n', 'utf16le'), encoding).toString(), 'plain\n');
    assert.equal(inUtf8(Buffer.from(TEXT, 'utf16le'), encoding).toString(), TEXT);
  }
  for (const text of ['plain\n', TEXT]) {
    const bytes = Buffer.from(text);
    assert.equal(inUtf8(bytes, 'UTF-16LE'), bytes, 'as an editor has saved it');
  }
});
