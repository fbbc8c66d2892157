/** The line about the last change in the box beside a name. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { LastChanges } from '../../src/lsp/features.js';
import type { GraphSymbolResponse } from '../../src/questions/graph/symbol/question.js';
import type { Project } from '../../src/serve/project.js';

test('a history that could not be read is read again with the next box, and nobody is told of a failure', async () => {
  let asked = 0;
  const project = {
    root: '/repository',
    get session() {
      asked++;
      throw new Error('an object is missing');
    },
  } as unknown as Project;
  const found = { commit: 'c', definitions: [{ path: 'a.ts', symbol: 'total' }] } as unknown as GraphSymbolResponse;
  const changes = new LastChanges();
  for (const times of [1, 2, 3]) {
    assert.equal(await changes.of(project, found), '');
    // The box does not wait for it.
    for (let tries = 0; asked < times && tries < 1_000; tries++) await setTimeout(20);
    assert.equal(asked, times);
  }
  assert.equal(await changes.of(project, { ...found, commit: null } as GraphSymbolResponse), '');
  assert.equal(asked, 3, 'no commit has no history');
});
