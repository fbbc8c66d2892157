import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { jsonFault } from '../../src/config/json.js';

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test('agrees with JSON.parse on valid text and on text damaged in one place', () => {
  fc.assert(
    fc.property(
      fc.json({ maxDepth: 5 }),
      fc.nat(),
      fc.constantFrom('', ',', '"', '}', ']', ':', '0', 'x', '\n'),
      (text, seed, insert) => {
        assert.equal(jsonFault(text), null);
        const at = seed % (text.length + 1);
        const damaged = text.slice(0, at) + insert + text.slice(at + (insert === '' ? 1 : 0));
        assert.equal(jsonFault(damaged) === null, parses(damaged), damaged);
      },
    ),
    { numRuns: 2_000 },
  );
});

test('names the place of the first error', () => {
  const places: Record<string, string> = {
    '': '1:1',
    '{': '1:2',
    '[1,]': '1:4',
    '{"a" 1}': '1:6',
    "{'a': 1}": '1:2',
    '{"a": 1} x': '1:10',
    '{\n"a": tru}': '2:6',
    '{"a": "line\nbreak"}': '1:7',
    '// comment\n{}': '1:1',
    '[1 2]': '1:4',
    '{"a":01}': '1:7',
    '[}': '1:2',
  };
  for (const [text, place] of Object.entries(places)) {
    const fault = jsonFault(text);
    assert.equal(`${fault?.line}:${fault?.column}`, place, text);
  }
});
