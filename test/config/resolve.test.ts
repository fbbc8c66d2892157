import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SocraticodeError } from '../../src/base/errors.js';
import {
  jsonFault,
  namedLinks,
  resolveConfig,
  resolveTable,
  unreadLines,
  unreadVariables,
} from '../../src/config/resolve.js';
import {
  type ConfigSources,
  defaultConfig,
  type GitConfigEntry,
  type GitConfigScope,
  SETTINGS,
  type SettingTable,
} from '../../src/config/settings.js';
import { integer, text } from '../../src/params/param.js';

const DEFAULTS = defaultConfig(SETTINGS);
const LANGUAGES = ['c', 'php', 'typescript'];

function git(key: string, value: string, scope: GitConfigScope = 'global'): GitConfigEntry {
  return { key: `socraticode.${key}`, value, scope, origin: `file:${scope}` };
}

async function resolve(sources: Partial<ConfigSources> & { json?: unknown; text?: string } = {}) {
  const { json, text = json === undefined ? undefined : JSON.stringify(json), ...rest } = sources;
  const file = text === undefined ? undefined : { text, origin: '.socraticode.json' };
  return resolveConfig({ env: {}, gitConfig: [], languageIds: LANGUAGES, file, ...rest });
}

/** Asserts that resolving fails with BAD_CONFIG and that the message has every part. */
async function refuses(sources: Parameters<typeof resolve>[0], ...parts: string[]): Promise<void> {
  await assert.rejects(resolve(sources), (error) => {
    assert.ok(error instanceof SocraticodeError && error.code === 'BAD_CONFIG', String(error));
    for (const part of parts) assert.ok(error.message.includes(part), `${error.message} lacks ${part}`);
    return true;
  });
}

test('without sources the defaults hold', async () => {
  const table: SettingTable = { limit: integer({ summary: '', min: 1, max: 9, default: 1 }) };
  const result = resolveTable(table, { env: { PATH: '/bin' }, gitConfig: [], languageIds: [] });
  assert.deepEqual(result, { config: { limit: 1 }, origins: { limit: 'default' } });
  const { config, origins } = await resolve({ json: { $schema: 'x' } });
  assert.deepEqual(config, DEFAULTS);
  assert.equal(origins['search.limit'], 'default');
  assert.ok(!('projectId' in origins));
});

test('command line beats environment beats git config beats file, key by key', async () => {
  const sources = {
    json: { search: { limit: 1, mode: 'lexical', minScore: 0.25 }, maxFileBytes: 2048, projectId: 'from-file' },
    gitConfig: [git('search.limit', '2'), git('search.mode', 'semantic'), git('maxfilebytes', '4k')],
    env: { SOCRATICODE_SEARCH_LIMIT: '3', SOCRATICODE_SEARCH_MODE: 'hybrid' },
    flags: { search: { limit: 4 }, 'search.mode': undefined },
  };
  const { config, origins } = await resolve(sources);
  assert.deepEqual(config.search, { limit: 4, mode: 'hybrid', minScore: 0.25 });
  assert.equal(config.maxFileBytes, 4096);
  assert.equal(origins['search.limit'], 'command line');
  assert.equal(origins['search.mode'], 'environment SOCRATICODE_SEARCH_MODE');
  assert.equal(origins.maxFileBytes, 'git config (global, file:global)');
  assert.equal(origins.projectId, '.socraticode.json');
  assert.equal(origins['vectors.share'], 'default');
});

test('a result does not change the defaults of the next one', async () => {
  const { config } = await resolve({ flags: { 'search.limit': 7 } });
  config.exclude.push('x');
  assert.deepEqual((await resolve()).config, DEFAULTS);
});

test('lists and languages in environment and git config', async () => {
  const { config } = await resolve({
    env: { SOCRATICODE_EXCLUDE: 'docs/**, *.gen.ts', SOCRATICODE_EXTENSION_LANGUAGE_MAP: '.inc:php,.X:c' },
    gitConfig: [git('include', 'a'), git('include', 'b'), git('include', 'c', 'local')],
  });
  assert.deepEqual(config.exclude, ['docs/**', '*.gen.ts']);
  assert.deepEqual(config.languages, { '.inc': 'php', '.x': 'c' });
  assert.deepEqual(config.include, ['a', 'b', 'c']);
});

test('an empty line of git config starts a list anew, and an empty variable counts as not set', async () => {
  const { config } = await resolve({
    gitConfig: [git('exclude', 'a'), git('exclude', '', 'local'), git('exclude', 'b', 'local')],
    env: { SOCRATICODE_SEARCH_LIMIT: '' },
  });
  assert.deepEqual(config.exclude, ['b']);
  assert.equal(config.search.limit, 10);
});

test('an unknown key is reported with its place and a suggestion, in every source', async () => {
  await refuses({ json: { serach: { limit: 1 } } }, '.socraticode.json', '"serach"', 'known: projectId');
  await refuses({ json: { search: { limt: 1 } } }, '"search.limt"', 'did you mean search.limit?');
  await refuses({ env: { SOCRATICODE_SERCH_LIMIT: '1' } }, 'environment', 'did you mean SOCRATICODE_SEARCH_LIMIT?');
  await refuses({ gitConfig: [git('search.modes', 'x', 'local')] }, 'git config (local', 'did you mean search.mode?');
  await refuses({ flags: { limit: 3 } }, 'command line', 'did you mean search.limit?');
});

test('variables with our prefix that are no settings are left alone', async () => {
  const env = {
    SOCRATICODE_LOG_LEVEL: 'debug',
    SOCRATICODE_TEST_X: '1',
    SOCRATICODE_CAMPAIGN: '9',
    SOCRATICODE_BRANCH_AWARE: 'true',
  };
  assert.deepEqual((await resolve({ env })).config, DEFAULTS);
});

test('a bad value is reported with its place and the allowed values, even if it is overridden', async () => {
  await refuses({ json: { search: { limit: 500 } } }, '.socraticode.json: search.limit is 500', 'from 1 to 100');
  await refuses({ json: { search: { limit: '5' } }, flags: { 'search.limit': 5 } }, 'search.limit is "5"');
  await refuses({ env: { SOCRATICODE_MAX_FILE_BYTES: 'big' } }, 'SOCRATICODE_MAX_FILE_BYTES', 'maxFileBytes is "big"');
  await refuses({ gitConfig: [git('vectors.share', 'maybe')] }, 'file:global', 'auto, always or never');
  await refuses({ json: { languages: { '.x': 'klingon' } } }, 'languages', 'known language');
  await refuses({ json: { search: 5 } }, 'search is 5', 'an object');
  await refuses({ json: [1] }, 'allowed: an object');
  await refuses({ json: { exclude: ['*a*a*a*a*b'] } }, 'exclude', 'at most 3');
});

test('a syntax error has its line and column', async () => {
  await refuses(
    { text: '{\n  "search": {\n    "limit": 5,\n  }\n}' },
    '.socraticode.json:4:3',
    'a key in double quotes',
  );
  await refuses({ text: '{ "a": ' }, '.socraticode.json:1:8', 'ends where a value');
  await refuses({ text: `{"exclude": ["${'x'.repeat(70_000)}"]}` }, 'more than 65536 bytes');
  await refuses({ text: '['.repeat(60_000) }, 'more than 8 levels');
  assert.deepEqual((await resolve({ text: '\ufeff{}' })).config, DEFAULTS);
});

test('prototypes cannot be reached', async () => {
  await refuses({ text: '{"__proto__": {"polluted": 1}}' }, 'unknown key "__proto__"');
  await refuses({ text: '{"search": {"__proto__": {"polluted": 1}}}' }, 'unknown key "search.__proto__"');
  await refuses({ text: '{"constructor": {"prototype": {"polluted": 1}}}' }, 'unknown key "constructor"');
  await refuses({ text: '{"languages": {"__proto__": "php"}}' }, 'languages');
  await refuses({ env: { SOCRATICODE_LANGUAGES: '__proto__:php' } }, 'languages');
  assert.equal(({} as Record<string, unknown>).polluted, undefined);
});

test('messages hold no control characters of a repository', async () => {
  const json = { projectId: '\u001b[31m\u202e' };
  await assert.rejects(resolve({ json }), (error) => error instanceof Error && /^[\x20-\x7e]*$/.test(error.message));
  await assert.rejects(
    resolve({ json: { '\u001b]0;x': 1 } }),
    (error) => error instanceof Error && /^[\x20-\x7e]*$/.test(error.message),
  );
});

test('a repository names no URL, no command and no path outside itself', async () => {
  const hostile: unknown[] = [
    { embedder: { name: 'openai', url: 'http://evil.example' } },
    { embedder: { name: 'openai', apiKey: 'x' } },
    { embedder: { name: 'http://evil.example' } },
    { embedder: { model: 'http://evil.example/x' } },
    { embedder: { model: '$(touch /tmp/x)' } },
    { embedder: { name: 'custom', command: 'sh' } },
    { hooks: { 'post-commit': 'rm -rf /' } },
    { linkedProjects: ['/etc'] },
    { linkedProjects: ['C:\\Users'] },
    { linkedProjects: ['\\\\host\\share'] },
    { linkedProjects: ['https://evil.example/x.git'] },
    { linkedProjects: ['~/other'] },
    { linked: { allow: ['/etc'] } },
    { context: { allow: ['/etc'] } },
  ];
  for (const json of hostile) await refuses({ json });
  await refuses({ gitConfig: [git('linkedProjects', '/etc', 'local')] }, 'only name relative paths');
});

test('links to other repositories add up; whether they may lead outside is decided where they are followed', async () => {
  const { config } = await resolve({
    json: { linkedProjects: ['../other', 'inner'] },
    gitConfig: [git('linkedProjects', '/home/me/lib', 'global'), git('linkedProjects', '../other', 'local')],
    env: { SOCRATICODE_LINKED_PROJECTS: '~/tools', SOCRATICODE_LINKED_ALLOW: '/home/me/code, ~/more' },
  });
  assert.deepEqual(config.linkedProjects, ['../other', 'inner', '/home/me/lib', '~/tools']);
  assert.deepEqual(config.linked.allow, ['/home/me/code', '~/more']);
  const emptied = await resolve({ json: { linkedProjects: ['a'] }, gitConfig: [git('linkedProjects', '', 'global')] });
  assert.deepEqual(emptied.config.linkedProjects, []);
  await refuses({ env: { SOCRATICODE_LINKED_ALLOW: 'code' } }, 'linked.allow');
});

test('a link is followed outside only if the user has named it, not for being in a file or git config of the repository', () => {
  const trustOf = (sources: Partial<ConfigSources>, ...paths: string[]) =>
    namedLinks(paths, { env: {}, gitConfig: [], ...sources }).map(({ path, trusted }) => `${path} ${trusted}`);
  const file = { text: '{"linkedProjects": ["../other", "inner"]}', origin: '.socraticode.json' };
  assert.deepEqual(trustOf({ file }, '../other', 'inner'), ['../other false', 'inner false']);
  for (const scope of ['local', 'worktree'] as const)
    assert.deepEqual(trustOf({ gitConfig: [git('linkedProjects', '../other', scope)] }, '../other'), [
      '../other false',
    ]);
  for (const scope of ['global', 'system'] as const)
    assert.deepEqual(trustOf({ gitConfig: [git('linkedProjects', '../other', scope)] }, '../other'), ['../other true']);
  const env = { SOCRATICODE_LINKED_PROJECTS: '/home/me/lib,inner' };
  assert.deepEqual(trustOf({ env }, '/home/me/lib', 'inner'), ['/home/me/lib true', 'inner true']);
  // Whoever else names it: the user has as well.
  assert.deepEqual(trustOf({ file, env }, '../other', 'inner'), ['../other false', 'inner true']);
  assert.deepEqual(trustOf({ file }), []);
});

test('where an embedder is: the user alone says so, as a plain http or https URL', async () => {
  for (const url of ['http://127.0.0.1:1234', 'https://gpu.example/v1/', 'http://[::1]:11434', 'http://gpu-box']) {
    const { config } = await resolve({ gitConfig: [git('embedder.endpoint', url)] });
    assert.equal(config.embedder.endpoint, url);
  }
  const bad = [
    'ftp://x',
    'gpu-box',
    'http://',
    'http://a b',
    'http://x?y',
    'http://x#y',
    'file:///etc/passwd',
    'http://x:y',
  ];
  for (const url of bad) await refuses({ env: { SOCRATICODE_EMBEDDER_ENDPOINT: url } }, 'an http or https URL');
  for (const embedder of [{ endpoint: 'http://x' }, { remote: true }, { batch: 2048 }, { timeout: 1 }]) {
    await refuses({ json: { embedder } }, 'cannot be set by a repository');
  }
});

test('a password in a URL is refused, and not repeated', async () => {
  const env = { SOCRATICODE_EMBEDDER_ENDPOINT: 'https://me:hunter2@gpu.example' };
  await assert.rejects(resolve({ env }), (error) => error instanceof Error && !/hunter2|me:/.test(error.message));
});

test('booleans are spelled as git spells them', async () => {
  for (const [text, value] of Object.entries({
    true: true,
    Yes: true,
    on: true,
    1: true,
    false: false,
    NO: false,
    0: false,
  })) {
    const { config } = await resolve({ gitConfig: [git('embedder.remote', text)] });
    assert.equal(config.embedder.remote, value, text);
  }
  assert.equal((await resolve({ flags: { 'embedder.remote': true } })).config.embedder.remote, true);
  for (const text of ['maybe', '2', 'constructor']) {
    await refuses({ env: { SOCRATICODE_EMBEDDER_REMOTE: text } }, 'true or false');
  }
});

test('what a request may be', async () => {
  const env = {
    SOCRATICODE_EMBEDDER_BATCH: '64',
    SOCRATICODE_EMBEDDER_KEEP_ALIVE: '-1',
    SOCRATICODE_EMBEDDER_TIMEOUT: '5',
  };
  const { config } = await resolve({ env, json: { vectors: { index: 'exact' } } });
  assert.deepEqual([config.embedder.batch, config.embedder.keepAlive, config.embedder.timeout], [64, '-1', 5]);
  assert.equal(config.vectors.index, 'exact');
  const bad: [string, string][] = [
    ...([
      ['batch', '0'],
      ['batch', '2049'],
      ['concurrency', '17'],
      ['timeout', '301'],
    ] as [string, string][]),
    ...([
      ['keepAlive', '5 m'],
      ['keepAlive', '-2'],
      ['keepAlive', '5d'],
      ['keepAlive', 'forever'],
    ] as [string, string][]),
  ];
  for (const [key, value] of bad) await refuses({ gitConfig: [git(`embedder.${key}`, value)] }, `embedder.${key}`);
});

test('keys for servers are no settings: the environment alone has them, and nothing reads them here', async () => {
  const env = { SOCRATICODE_OPENAI_API_KEY: 'sk-secret', OPENAI_API_KEY: 'sk-secret' };
  assert.doesNotMatch(JSON.stringify(await resolve({ env })), /sk-secret/);
  await refuses({ gitConfig: [git('openai.apiKey', 'sk-secret')] }, 'unknown key');
});

test('a key for users only is refused from file, local and worktree scope, with the reason', async () => {
  const table: SettingTable = { 'ollama.url': { ...text({ summary: '' }), userOnly: true } };
  const run = async (sources: Partial<ConfigSources>) =>
    resolveTable(table, { env: {}, gitConfig: [], languageIds: [], ...sources });
  const refused: Partial<ConfigSources>[] = [
    { file: { text: '{"ollama": {"url": "x"}}', origin: 'f' } },
    { gitConfig: [git('ollama.url', 'x', 'local')] },
    { gitConfig: [git('ollama.url', 'x', 'worktree')] },
  ];
  for (const sources of refused) {
    await assert.rejects(run(sources), (error) => {
      assert.ok(error instanceof SocraticodeError && error.code === 'BAD_CONFIG');
      assert.match(error.message, /ollama\.url cannot be set by a repository/);
      assert.match(error.hint, /git config --global socraticode\.ollama\.url/);
      return true;
    });
  }
  for (const scope of ['system', 'global', 'command'] as const) {
    assert.deepEqual((await run({ gitConfig: [git('ollama.url', 'x', scope)] })).config, { ollama: { url: 'x' } });
  }
  assert.deepEqual((await run({ env: { SOCRATICODE_OLLAMA_URL: 'x' } })).config, { ollama: { url: 'x' } });
});

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

test('variables of SocratiCode are named with what takes their place, unless that was chosen here', () => {
  const env = {
    EMBEDDING_PROVIDER: 'ollama',
    OLLAMA_URL: 'http://127.0.0.1:11434',
    MAX_FILE_SIZE_MB: '5',
    SEARCH_DEFAULT_LIMIT: '20',
    EXTENSION_LANGUAGE_MAP: '.tpl:html',
    INCLUDE_DOT_FILES: 'true',
    // No name of a model: the value is not repeated.
    EMBEDDING_MODEL: 'https://key@host/model',
    SEARCH_MIN_SCORE: '',
    PATH: '/bin',
  };
  const said = Object.fromEntries(
    unreadVariables(env, (key) => key === 'search.limit').map(({ name, instead }) => [name, instead]),
  );
  assert.deepEqual(said, {
    EMBEDDING_PROVIDER: 'git config --global socraticode.embedder.name ollama',
    EMBEDDING_MODEL: 'git config --global socraticode.embedder.model VALUE',
    OLLAMA_URL: 'git config --global socraticode.embedder.endpoint http://127.0.0.1:11434',
    MAX_FILE_SIZE_MB: 'git config --global socraticode.maxFileBytes 5m',
    EXTENSION_LANGUAGE_MAP: 'git config --global socraticode.languages .tpl:html',
    INCLUDE_DOT_FILES: 'files that git tracks are indexed, those with a dot, too; the setting exclude leaves some out',
  });
  // Each command sets what it says.
  const gitConfig = Object.values(said).flatMap((text) => {
    const [, key, value] = /^git config --global socraticode\.(\S+) (\S+)$/.exec(text) ?? [];
    return key === undefined || value === 'VALUE' ? [] : [git(key.toLowerCase(), value)];
  });
  const { config } = resolveConfig({ env, gitConfig, languageIds: [] });
  assert.deepEqual([config.maxFileBytes, config.languages], [5 << 20, { '.tpl': 'html' }]);
});

test('every variable of SocratiCode is read or named, those of other programs beside one of its own', () => {
  const all = [
    'EMBEDDING_PROVIDER EMBEDDING_MODEL EMBEDDING_DIMENSIONS EMBEDDING_CONTEXT_LENGTH EMBEDDING_QUERY_PREFIX',
    'EMBEDDING_DOCUMENT_PREFIX EMBEDDING_DOCUMENT_INCLUDE_PATH MAX_CHUNK_CHARS OLLAMA_MODE OLLAMA_URL OLLAMA_PORT',
    'OLLAMA_HOST OLLAMA_API_KEY OPENAI_API_KEY GOOGLE_API_KEY LMSTUDIO_URL LMSTUDIO_API_KEY LITELLM_URL LITELLM_API_KEY',
    'LITELLM_SEND_DIMENSIONS ORCAROUTER_URL ORCAROUTER_API_KEY ORCAROUTER_SEND_DIMENSIONS QDRANT_MODE QDRANT_URL',
    'QDRANT_HOST QDRANT_PORT QDRANT_GRPC_PORT QDRANT_API_KEY QDRANT_COLLECTION_PREFIX RESPECT_GITIGNORE',
    'INCLUDE_DOT_FILES EXTRA_EXTENSIONS EXTENSION_LANGUAGE_MAP INDEX_EXTENSIONLESS MAX_FILE_SIZE_MB',
    'SEARCH_DEFAULT_LIMIT SEARCH_MIN_SCORE SOCRATICODE_PROJECT_ID SOCRATICODE_BRANCH_AWARE SOCRATICODE_LINKED_PROJECTS',
    'SOCRATICODE_AUTO_RESUME SOCRATICODE_AUTO_RESUME_PROJECTS SOCRATICODE_LOG_LEVEL SOCRATICODE_LOG_FILE',
  ].flatMap((line) => line.split(' '));
  const read = ['OLLAMA_HOST', 'OPENAI_API_KEY', 'SOCRATICODE_PROJECT_ID', 'SOCRATICODE_LINKED_PROJECTS'];
  const env = Object.fromEntries(all.map((name) => [name, '1']));
  const named = unreadVariables(env).map(({ name }) => name);
  assert.deepEqual([...named, ...read, 'SOCRATICODE_LOG_LEVEL'].sort(), all.sort());
  assert.doesNotThrow(() => resolveConfig({ env, gitConfig: [], languageIds: [] }));

  const others = { QDRANT_URL: 'http://127.0.0.1:6333', QDRANT_API_KEY: 'x', GOOGLE_API_KEY: 'x' };
  assert.deepEqual(unreadVariables(others), []);
  const beside = unreadLines(unreadVariables({ ...others, EMBEDDING_PROVIDER: 'google' }));
  assert.deepEqual(
    beside.map((line) => line.replace(/ not read here.*/, '')),
    ['EMBEDDING_PROVIDER is', 'GOOGLE_API_KEY is', 'QDRANT_URL, QDRANT_API_KEY are'],
  );
});
