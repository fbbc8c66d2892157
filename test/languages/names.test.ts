/** Names of languages as people say them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearestLanguage, resolveLanguages } from '../../src/languages/detect.js';
import { LANGUAGE_IDS } from '../../src/languages/ids.js';

test('a language goes by its id, an extension and the names that people use, in any case', () => {
  const meant: Record<string, string[]> = {
    Python: ['python'],
    py: ['python'],
    '.rs': ['rust'],
    golang: ['go'],
    'C++': ['cpp'],
    'c#': ['csharp'],
    ts: ['typescript', 'tsx'],
    shell: ['bash'],
    klingon: [],
    constructor: [],
  };
  for (const [word, ids] of Object.entries(meant)) assert.deepEqual(resolveLanguages(word), ids, word);
  for (const id of LANGUAGE_IDS) assert.deepEqual(resolveLanguages(id), [id]);
});

test('the nearest language is offered for a mistyped one, and none for another word', () => {
  assert.equal(nearestLanguage('pyhton'), 'python');
  assert.equal(nearestLanguage('gollang'), 'golang');
  assert.equal(nearestLanguage('klingon'), null);
});
