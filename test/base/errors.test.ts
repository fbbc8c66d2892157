/** Errors, progress and what is shown of untrusted text. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ERROR_CODES, isSocraticodeError, SocraticodeError, systemFailure, unexpected } from '../../src/base/errors.js';
import { safeJson, visibleLine, visibleText } from '../../src/base/printable.js';
import { meterLine } from '../../src/base/progress.js';
import { packageVersion } from '../../src/base/runtime.js';

test('an error has a hint: its own, or that of its code', () => {
  const cause = new Error('first');
  const error = new SocraticodeError('DISK', 'x', { cause, hint: 'do this' });
  assert.deepEqual([error.cause, error.hint, isSocraticodeError(error, 'LOCKED')], [cause, 'do this', false]);
  assert.equal(new SocraticodeError('DISK', 'x').hint, ERROR_CODES.DISK);
  assert.equal(isSocraticodeError(cause), false);
});

test('a failure that was not foreseen is a cancelled command, a fault of the system, or a bug', () => {
  const aborted = new AbortController();
  aborted.abort();
  for (const [error, code] of [
    [aborted.signal.reason, 'CANCELLED'],
    [Object.assign(new Error('x'), { code: 'ENOSPC' }), 'DISK'],
    [new SocraticodeError('LOCKED', 'x'), 'LOCKED'],
    [new TypeError('x is undefined'), 'INTERNAL'],
    [null, 'INTERNAL'],
  ])
    assert.equal(unexpected(error).code, code);
});

test('an error of the system has a next step of its own kind, and any other error has none', () => {
  const told = (code: string, more = {}) => {
    const failure = systemFailure(Object.assign(new Error('x'), { code, ...more }));
    return failure && [failure.code, failure.message, failure.hint];
  };
  assert.deepEqual(told('EACCES'), ['DISK', 'x', ERROR_CODES.DISK]);
  for (const code of ['ENOENT', 'ENOTDIR'])
    assert.match(told(code)?.[2] ?? '', /^It was removed or replaced meanwhile: run again/, code);
  assert.deepEqual(told('ENOENT', { syscall: 'uv_cwd' })?.slice(0, 2), [
    'BAD_ARGUMENT',
    'the current directory is gone',
  ]);
  assert.equal(told('EACCES', { syscall: 'uv_cwd' })?.[0], 'DISK');
  for (const code of ['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM']) assert.equal(told(code)?.[0], 'RESOURCES', code);
  for (const code of ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND', 'ERR_DLOPEN_FAILED'])
    assert.notEqual(told(code), null, code);
  assert.deepEqual([told('EPIPE'), systemFailure({ code: 'ENOENT' })], [null, null]);
  assert.equal(isSocraticodeError(new SocraticodeError('DISK', 'x'), 'DISK'), true);
});

const HOSTILE = '\u001b[2J\u202e\u200b\ufeff\u2066\u0000\u0085\u061c\u2028\u{e0041}\u007f';

test('terminal text holds no character that moves the cursor, hides or reorders text', () => {
  const bad = /[\u0080-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|\udb40[\udc00-\udc7f]/;
  const isControl = (text: string) => [...text].some((c) => c < ' ' && c !== '\n' && c !== '\t');
  assert.ok(!bad.test(visibleText(HOSTILE)) && !isControl(visibleText(HOSTILE)));
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      assert.ok(!bad.test(visibleLine(text)) && !/[\n\t\r]/.test(visibleLine(text)) && !isControl(visibleText(text)));
    }),
  );
  assert.equal(visibleText('a\r\nb\n'), 'a\nb\n');
  assert.equal(visibleLine('größe 名前 \u{1f600}'), 'größe 名前 \u{1f600}');
});

test('whatever Unicode calls unseen is escaped, in text and in JSON; letters, signs and emoji are not', () => {
  const unseen = /[\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/u;
  const seenFormats = new Set(['\u06dd', '\u070f', '\u{110bd}']);
  // Blocks in which something is unseen; elsewhere a sample.
  const isDense = (point: number) =>
    [
      [0, 0x3100],
      [0xfd00, 0x11200],
      [0x16f00, 0x17000],
      [0x1bc00, 0x1d200],
      [0xdff00, 0xe1100],
    ].some(([from, to]) => point >= from && point < to);
  for (let point = 0xa0; point <= 0x10ffff; point += isDense(point) ? 1 : 31) {
    if (point >= 0xd800 && point < 0xe000) continue;
    const sign = String.fromCodePoint(point);
    // One variation selector belongs to an emoji.
    const isSelector = point >= 0xfe00 && point <= 0xfe0f;
    const isNumberSign = (point >= 0x600 && point <= 0x605) || /[\u0890\u0891\u08e2\u{110cd}]/u.test(sign);
    const isHidden =
      (unseen.test(sign) && !isSelector && !isNumberSign && !seenFormats.has(sign)) ||
      /[\u2800\u{16fe4}\u{1d159}]/u.test(sign);
    assert.equal(visibleText(`a${sign}b`) === `a${sign}b`, !isHidden, point.toString(16));
    assert.equal(/^[\x20-\x7e]*$/.test(safeJson(sign)), isHidden, point.toString(16));
  }
  assert.equal(visibleText('\u{1d173}\u{1d17a}\u2800'), '\\ud834\\udd73\\ud834\\udd7a\\u2800');
  for (const text of ['❤️ größe 名前', 'ﷺ ١٢٣', '👩🏽 ok', 'a\u00a0b']) assert.equal(visibleText(text), text);
  assert.equal(visibleText('x\ufe00\ufe01'), 'x\\ufe00\\ufe01');
});

test('safeJson keeps the value and escapes invisible characters', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) =>
      assert.deepEqual(JSON.parse(safeJson(value)), JSON.parse(JSON.stringify(value))),
    ),
  );
  assert.equal(JSON.parse(safeJson(HOSTILE)), HOSTILE);
  assert.match(safeJson({ [HOSTILE]: HOSTILE }), /^[\x20-\x7e]*$/);
});

test('the progress meter shows percent, counts, rate and time left', () => {
  assert.equal(
    meterLine('indexing', 1204, 2930, 1000, { note: '8 chunks' }),
    'indexing  41% 1,204/2,930 files, 8 chunks, 1204/s, 2 s left',
  );
  assert.equal(meterLine('x', 0, 0, 0), 'x 100% 0/0 files, 0/s');
  // Columns: a line as wide as the terminal would wrap.
  const at = (columns: number) => meterLine('indexing', 1204, 2930, 1000, { note: '8 chunks', columns });
  assert.equal(at(44), 'indexing  41% 1,204/2,930 files, 8 chunks');
  assert.equal(at(41), 'indexing  41% 1,204/2,930 files');
  for (let columns = 1; columns < 80; columns++) assert.ok(at(columns).length < columns, String(columns));
});

test('the version is the one in package.json', () => {
  assert.match(packageVersion(), /^\d+\.\d+\.\d+/);
  assert.notEqual(packageVersion(), '0.0.0');
});
