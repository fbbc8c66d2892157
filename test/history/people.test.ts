/** Authors who are one person, by address and by name. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { People } from '../../src/history/people.js';

const by = (author: string, email: string) => ({ author, email });

test('commits that share an address or a name are of one person, who goes by the newest name', () => {
  const people = new People([
    by('Ann Lee', 'ann@example.com'),
    by('Ann', 'ann@home.example'),
    by('ann', 'ANN@example.com'),
    by('Ann Lee', 'ann@home.example'),
    by('Bob', 'bob@example.com'),
  ]);
  assert.deepEqual(
    ['Ann Lee', 'Ann', 'ann', 'Bob', 'Eve'].map((author) => people.nameOf({ author })),
    ['Ann Lee', 'Ann Lee', 'Ann Lee', 'Bob', 'Eve'],
  );
});

test('an address without a domain belongs to a machine, and makes nobody one', () => {
  const people = new People([by('Ann', 'root@localhost'), by('Bob', 'root@localhost'), by('Eve', ''), by('Tom', '')]);
  assert.deepEqual(
    ['Ann', 'Bob', 'Eve', 'Tom'].map((author) => people.nameOf({ author })),
    ['Ann', 'Bob', 'Eve', 'Tom'],
  );
});
