/** The surfaces that are made from one declaration: options of the command line and input schemas of tools. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inputSchema } from '../../src/mcp/tool-schemas.js';
import {
  choice,
  commandText,
  describeParam,
  flag,
  integer,
  list,
  optionForm,
  splitParams,
  text,
} from '../../src/params/param.js';

const depth = integer({ summary: 'hops', min: 1, max: 10, default: 3, cli: { value: 'n' } });
const remote = text({ summary: 'a remote', cli: { value: 'name', bare: 'origin' } });
const target = text({ summary: 'a symbol', cli: { argument: '[target]' } });
const secret = text({ summary: 'for agents alone', cli: false });
const lang = list({ summary: 'languages', commas: true, cli: { value: 'id' } });

test('an option is spelled in kebab case, with its value', () => {
  assert.equal(optionForm('minDepth', depth), '--min-depth <n>');
  assert.equal(optionForm('remote', remote), '--remote [name]');
  assert.equal(optionForm('dryRun', flag({ summary: 'say only' })), '--dry-run');
});

test('help has the bounds, the choices and the default of the declaration', () => {
  assert.equal(describeParam(depth), 'hops, 1 to 10 (default: 3)');
  assert.equal(
    describeParam(choice(['a', 'b'], { summary: 'kind', defaultText: 'by name' })),
    'kind: a, b (default: by name)',
  );
  assert.equal(describeParam(integer({ summary: 'commits', min: 1, max: Number.MAX_SAFE_INTEGER })), 'commits');
});

test('arguments, options, and what the command line does not have', () => {
  const split = splitParams({ target, depth, secret });
  assert.deepEqual(split, { argumentKeys: ['target'], optionKeys: ['depth'] });
});

test('a command to type is spelled from names of parameters', () => {
  assert.equal(commandText('fsck', { repair: true }), 'git socraticode fsck --repair');
  assert.equal(
    commandText('remove', { remote: 'origin', dryRun: true }),
    'git socraticode remove --remote origin --dry-run',
  );
});

test('an input schema tells types, bounds and descriptions, no lengths', () => {
  const fields = [
    { key: 'depth', name: 'depth', label: 'depth', param: depth },
    { key: 'lang', name: 'languageFilter', label: 'languageFilter', param: lang, one: true },
    { key: 'target', name: 'target', label: 'target', param: { ...target, required: true } },
  ];
  assert.deepEqual(inputSchema(fields), {
    type: 'object',
    properties: {
      depth: { type: 'integer', description: 'hops', minimum: 1, maximum: 10 },
      languageFilter: { type: 'string', description: 'languages' },
      target: { type: 'string', description: 'a symbol' },
    },
    required: ['target'],
  });
});
