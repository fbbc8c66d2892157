/** Texts of checks: every group once, what to do below what is wrong, and for agents what is wrong first. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { doctorText, healthText } from '../../../src/questions/doctor/answer.js';
import { COMMAND_WORDS, plainPen } from '../../../src/questions/pen.js';

const pen = plainPen(COMMAND_WORDS);
type Checks = Parameters<typeof doctorText>[0]['checks'];
const check = (group: string, name: string, hint: string | null = null) => ({
  ...{ group, name, ok: hint === null, detail: `${name} it is`, hint, facts: {} },
});
const told = (...checks: ReturnType<typeof check>[]) =>
  doctorText({ checks: checks as unknown as Checks } as Parameters<typeof doctorText>[0], { pen });

test('checks stand in their groups, in columns, and the end says what needs attention', () => {
  assert.equal(
    told(
      check('git', 'git'),
      check('index', 'a'),
      check('git', 'version', 'Update it.'),
      check('disk', 'disk', 'Free it.'),
    ),
    `git
  ok git      git it is
  !  version  version it is
              -> Update it.
index
  ok a  a it is
disk
  !  disk  disk it is
           -> Free it.

2 of 4 checks need attention: git version, disk
`,
  );
  assert.equal(told(check('git', 'git')).split('\n').at(-2), 'all is well (1 check)');
});

test('agents read what is wrong first, with the next step behind it', () => {
  const checks = [check('', 'index'), check('', 'disk', 'Free it.'), { ...check('', 'odd'), ok: false }];
  assert.equal(
    healthText({ checks } as unknown as Parameters<typeof healthText>[0]),
    '! disk: disk it is; Free it.\n! odd: odd it is\nindex: index it is\n',
  );
});
