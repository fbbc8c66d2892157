/** The table of settings: its defaults, its schema, and the values that each setting takes. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { configSchema } from '../../src/config/file-schema.js';
import { resolveConfig } from '../../src/config/resolve.js';
import {
  allowedValues,
  checkedValue,
  defaultConfig,
  SECTIONS,
  SETTINGS,
  type Setting,
  settingAt,
} from '../../src/config/settings.js';
import { faultOf } from '../support/check.js';

const ROOT = new URL('../../../', import.meta.url);
const TABLE = Object.entries<Setting>(SETTINGS);

test('each configuration has defaults of its own: what is added to one stands in no other', () => {
  const before = JSON.stringify(defaultConfig(SETTINGS));
  const spoil = (value: unknown): void => {
    if (Array.isArray(value)) value.push('more');
    else if (typeof value === 'object' && value !== null) {
      for (const inner of Object.values(value)) spoil(inner);
      Object.assign(value, { more: 'more' });
    }
  };
  spoil(defaultConfig(SETTINGS));
  assert.equal(JSON.stringify(defaultConfig(SETTINGS)), before);
});

test('every default is a value that its setting takes', () => {
  for (const [key, setting] of TABLE) {
    if (setting.default === undefined) continue;
    assert.deepEqual(checkedValue(setting, setting.default, []), setting.default, key);
    assert.deepEqual(settingAt(defaultConfig(SETTINGS), key), setting.default, key);
  }
});

test('a repository sets how it is read and shared, and nothing that costs money, sends code or reads what is outside', () => {
  const own = TABLE.filter(([, { userOnly }]) => !userOnly).map(([key]) => key);
  assert.deepEqual(own.sort(), [
    ...['embedder.dimensions', 'embedder.model', 'embedder.name', 'exclude', 'graph.rules', 'include', 'languages'],
    ...['linkedProjects', 'maxFileBytes', 'projectId', 'search.limit', 'search.minScore', 'search.mode'],
    ...['share.fetch', 'tags.rules', 'tags.starter', 'vectors.index', 'vectors.share'],
  ]);
});

test('settings that only the user may set are not in the schema of the file', () => {
  type Properties = Record<string, { properties?: Properties }>;
  const { properties } = configSchema() as { properties: Properties };
  for (const [key, { userOnly }] of TABLE) {
    const [section, name] = key.split('.');
    const isIn = name === undefined ? section in properties : name in (properties[section]?.properties ?? {});
    assert.equal(isIn, !userOnly, key);
  }
});

test('every setting says its effect in one sentence, and the values that it takes', () => {
  for (const [key, setting] of TABLE) {
    assert.match(setting.summary, /^[A-Z].*\.$/, key);
    // A pattern says nothing to a reader.
    if (setting.type === 'text' || setting.type === 'list' || setting.type === 'pairs') assert.ok(setting.form, key);
    assert.match(allowedValues(setting), /\w/, key);
  }
  for (const [section, description] of Object.entries(SECTIONS)) {
    assert.ok(TABLE.some(([key]) => key.startsWith(`${section}.`)));
    assert.match(description, /^[A-Z].*\.$/);
  }
});

/** Values of each setting that are refused in every source. */
const REFUSED: Readonly<Record<string, readonly unknown[]>> = {
  projectId: ['', 'a b', 'a/b', 'x'.repeat(129), 7, null],
  linkedProjects: ['a', [''], ['a\u0000b'], ['https://evil.example/x.git'], ['x'.repeat(1_025)], [1], {}],
  'linked.allow': [['code'], ['~other'], [''], ['~/a\nb']],
  include: ['a', [''], ['*a*a*a*a*b'], ['x'.repeat(513)], Array.from({ length: 1_001 }, () => 'x')],
  exclude: [[null], null, 5],
  jobs: [0, 65, 1.5, '2'],
  maxFileBytes: [1_023, 16_777_217, 2_000.5, '2000', Number.NaN, Number.POSITIVE_INFINITY, true],
  languages: [[], { inc: 'php' }, { '.x': 'klingon' }, { '.x': '' }, { '.x': 1 }, { [`.${'x'.repeat(32)}`]: 'php' }],
  'embedder.name': ['custom', 'constructor', '', 1],
  'embedder.model': ['http://x', '-x', '$(id)', '', 'x'.repeat(129)],
  'embedder.dimensions': [15, 4_097, '64'],
  'embedder.endpoint': ['http://me:x@h', 'http://h?q', 'file:///x', `http://${'x'.repeat(1_024)}`],
  'web.editor': ['notepad', 'javascript:alert(1)', 1, null],
  'embedder.remote': ['true', 1, null],
  'embedder.batch': [0, 2_049, 1.5],
  'embedder.concurrency': [0, 17],
  'embedder.keepAlive': ['5d', '-2', '', 5],
  'embedder.timeout': [0, 301],
  'summarizer.name': ['builtin', '', 1],
  'summarizer.model': ['http://x', '-x', '$(id)', ''],
  'summarizer.endpoint': ['http://me:x@h', 'file:///x'],
  'summarizer.remote': ['true', 1],
  'summarizer.concurrency': [0, 17],
  'summarizer.timeout': [0, 601],
  'summarizer.inputPrice': [-1, '1'],
  'summarizer.outputPrice': [100_001],
  'vectors.share': ['maybe', true],
  'vectors.index': ['flat'],
  'share.fetch': ['always'],
  'share.verify': [-1, 1.5, '5'],
  'fleet.url': ['ftp://host/fleet', 5],
  'fleet.repo': ['', 5],
  'fleet.family': ['', 5],
  'fleet.refs': ['main', [''], [5]],
  'fleet.content': ['yes', 1],
  'context.allow': [['specs'], '/specs'],
  'search.limit': [0, 101, 1.5, '10'],
  'search.mode': ['words', ['lexical']],
  'search.minScore': [-0.1, 1.1, '0'],
  'graph.rules': [
    {},
    ['a'],
    [{ form: ['a'] }],
    [{ from: 5 }],
    [{ allow: 'no' }],
    [{ to: '*a*a*a*a*b' }],
    [{ why: '' }],
  ],
  'tags.rules': [
    {},
    [{ path: 'src' }],
    [{ tag: 'Auth', path: 'src' }],
    [{ tag: 'auth', path: '*a*a*a*a*b' }],
    [{ tag: 'auth', is: 'tests' }],
    [{ tag: 'auth', regex: '' }],
    [{ tag: 'auth', paths: 'src' }],
  ],
  'tags.starter': [['everything'], 5],
};

test('values out of range or of another type are refused, never converted', () => {
  for (const [key, setting] of TABLE) {
    assert.ok(REFUSED[key], key);
    for (const value of REFUSED[key])
      assert.equal(checkedValue(setting, value, ['php', 'c']), undefined, `${key}: ${JSON.stringify(value)}`);
  }
});

test('the published schema takes an empty file and every default, and refuses unknown keys', () => {
  const schema = configSchema();
  const file = defaultConfig(SETTINGS) as Record<string, unknown>;
  const { linked: _, context: __, summarizer: ____, web: _____, fleet: ______, ...shared } = file;
  // For users alone, among settings that a file may hold.
  delete (shared.share as Record<string, unknown>).verify;
  const { embedder: ___, ...rest } = shared;
  for (const good of [{}, { $schema: 'x' }, { ...rest, embedder: { name: 'builtin' } }])
    assert.equal(faultOf(schema, good), undefined, JSON.stringify(good));
  for (const bad of [{ serach: {} }, { search: { limt: 1 } }, { embedder: { endpoint: 'http://x' } }])
    assert.notEqual(faultOf(schema, bad), undefined, JSON.stringify(bad));
});

test('the settings of this repository are valid', () => {
  const text = readFileSync(new URL('.socraticode.json', ROOT), 'utf8');
  const file = { text, origin: '.socraticode.json' };
  const { config } = resolveConfig({ env: {}, gitConfig: [], languageIds: [], file });
  assert.equal(config.projectId, 'git-socraticode');
});
