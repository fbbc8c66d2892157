/** A note that is not there: the hint names what the asker has, a command or a tool. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type NoteSet, noteBy } from '../../../src/questions/note/answer.js';

test('an unknown note is answered with the command that lists them, and for agents with the tool', () => {
  const none = { notes: [] } as unknown as NoteSet;
  const ask = (isAgent: boolean) => () => noteBy(none, 'abc', { isAgent });
  assert.throws(ask(false), { code: 'BAD_ARGUMENT', hint: 'git socraticode note list --all' });
  assert.throws(ask(true), { code: 'BAD_ARGUMENT', hint: 'codebase_note_list with all lists every note.' });
});
