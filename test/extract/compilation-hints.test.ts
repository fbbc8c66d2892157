import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withHints } from '../../src/extract/compilation-hints.js';
import { grammarCode } from '../../src/extract/grammar-files.js';

/** The hints of a module: a count of functions, and a byte for each. */
function hintsOf(module: Uint8Array<ArrayBuffer>): Buffer[] {
  return WebAssembly.Module.customSections(new WebAssembly.Module(module), 'compilationHints').map((bytes) =>
    Buffer.from(bytes),
  );
}

test('most functions of a grammar are optimised, its largest ones are not, and nothing else of the module changes', () => {
  const code = grammarCode('TypeScript');
  const hinted = withHints(code);
  const [hints, ...others] = hintsOf(hinted);
  assert.deepEqual(others, []);
  const tiers = hints.subarray(2);
  const large = tiers.filter((tier) => tier === 0b010101).length;
  assert.equal(tiers.filter((tier) => tier === 0b101001).length, tiers.length - large);
  assert.ok(large >= 1 && large < 5, `${large} large functions of ${tiers.length}`);
  const added = hinted.length - code.length;
  const at = Buffer.from(hinted).indexOf('compilationHints');
  const rest = Buffer.concat([hinted.subarray(0, at - 4), hinted.subarray(at - 4 + added)]);
  assert.ok(rest.equals(Buffer.from(code)));
});

test('a module without code comes back as it is', () => {
  const empty = Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
  assert.deepEqual(withHints(empty), empty);
});
