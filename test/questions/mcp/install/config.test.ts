/** Our entry into configurations and out again: nothing else may change, not by a byte. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import jsonc from 'jsonc-parser';
import { parse } from 'smol-toml';
import { ClientConfig } from '../../../../src/questions/mcp/client-config.js';
import { CLIENT_TABLE, CLIENTS, type ClientId, entryOf } from '../../../../src/questions/mcp/clients.js';

const NAME = 'socraticode';
const LAUNCH = { kind: 'path', command: ['git-socraticode'] } as const;

function config(client: ClientId, args: readonly string[] = ['mcp'], name = NAME): ClientConfig {
  const entry = (nested: boolean) => entryOf(client, LAUNCH, ['git-socraticode', ...args], nested);
  return new ClientConfig(CLIENT_TABLE[client], name, entry);
}

const crlf = (text: string) => text.replaceAll('\n', '\r\n');

const CURSOR = `{
  // Servers of the team
  "mcpServers": {
    "github": {
      "command": "npx", /* pinned */
      "args": ["-y",   "@modelcontextprotocol/server-github@1"],
      "env": { "TOKEN": "\${env:TOKEN}" }
    },
    "files": {"command":"files-mcp"} // mine
    // "old": { "command": "old" }
  },
  "other": [1,2,   3]
}
`;

const SHAPES: Record<string, string> = {
  'an empty section': '{\n  "mcpServers": {}\n}',
  'an empty section among others': '{\n  "mcpServers": {},\n  "x": 1\n}\n',
  'an empty section on one line': '{"mcpServers": {}}\n',
  'no section': '{\n  "theme": "dark",\n  "list": [\n    1\n  ]\n}\n',
  'no section, a comment at the end': '{\n  "theme": "dark" // nice\n  // that is all\n}\n',
  'no final line break': '{\n  "mcpServers": {\n    "a": {"command": "a"}\n  }\n}',
  'comments and odd blanks': CURSOR,
  'trailing commas': '{\n  "mcpServers": {\n    "a": {\n      "command": "a",\n    }, // keep\n  },\n}\n',
  'all on one line': '{"mcpServers":{"x":{"command":"a","args":[1,2]}}, "other": {"k":[1,2,3]}}',
  'one line, trailing comma': '{"mcpServers": {"x": {"command": "a"},}}\n',
  'comments only in the section': '{\n  "mcpServers": {\n    // none yet\n  }\n}\n',
  'four blanks': '{\n    "mcpServers": {\n        "a": {\n            "command": "a"\n        }\n    }\n}\n',
  tabs: '{\n\t"mcpServers": {\n\t\t"a": {\n\t\t\t"command": "a"\n\t\t}\n\t}\n}\n',
  'braces at the ends of lines': '{ "mcpServers": {\n    "a": { "command": "a" } },\n  "z": 0 }\n',
  'the section last, above it more': '{\n  "a": {\n    "b": 1\n  },\n\n  "mcpServers": {\n    "x": {}\n  }\n}\n',
  'keys that look like ours': '{\n  "x": "\\"mcpServers\\": {}",\n  "mcpServers": {\n    "socraticode2": {}\n  }\n}\n',
};

const forms = (shapes: Record<string, string>): [string, string][] =>
  Object.entries(shapes).flatMap(([what, text]): [string, string][] => [
    [what, text],
    [`${what}, CRLF`, crlf(text)],
    [`${what}, with a mark`, `\ufeff${text}`],
  ]);

/** Nothing of `before` is gone: the rest of `after` was put between. */
function onlyAdds(before: string, after: string): boolean {
  let at = 0;
  for (const letter of after) if (letter === before[at]) at++;
  return at === before.length;
}

test('JSON: what was there stays as it is, and comes back when our entry is taken out', () => {
  for (const [what, before] of forms(SHAPES)) {
    const cursor = config('cursor');
    const after = cursor.add(before);
    assert.deepEqual(cursor.look(after).existing, cursor.look('').wanted, what);
    assert.equal(cursor.add(after), after, `${what}: twice is once`);
    assert.equal(cursor.remove(after), before, what);
    const bare = (text: string) => jsonc.parse(text.replace('\ufeff', '')) as { mcpServers?: Record<string, unknown> };
    const servers = { ...bare(before).mcpServers, [NAME]: cursor.look('').wanted };
    assert.deepEqual(JSON.parse(JSON.stringify(bare(after))), { ...bare(before), mcpServers: servers }, what);
    if (before.includes('\r\n')) assert.doesNotMatch(after, /[^\r]\n/, what);
    assert.ok(onlyAdds(before, after), what);
  }
});

test('JSON: the style of the file is ours, too', () => {
  assert.match(config('cursor').add(SHAPES.tabs), /\n\t\t"socraticode": \{\n\t\t\t"type": "stdio",\n/);
  assert.match(config('cursor').add(SHAPES['four blanks']), /\n {8}"socraticode": \{\n {12}"type"/);
  const noted = config('cursor').add(CURSOR);
  assert.ok(noted.includes('"files": {"command":"files-mcp"}, // mine\n    "socraticode": {'), noted);
  const one = config('cursor').add(SHAPES['all on one line']);
  assert.ok(one.startsWith('{"mcpServers":{"x":{"command":"a","args":[1,2]}, "socraticode": { "type"'), one);
});

test('a file that install made is gone after uninstall; an empty one counts as none', () => {
  for (const client of CLIENTS) {
    for (const before of ['', '\n']) assert.equal(config(client).remove(config(client).add(before)), null, client);
  }
});

const EMPTY = [
  '{}',
  '{ }',
  '{\n}\n',
  '{\n\n  }',
  '{"mcpServers":{}}',
  '{\n  "mcpServers": {}\n}\n',
  '{\n  "mcpServers": {\n  }\n}\n',
];

test('a file without any server comes back as it was, and is not taken for one that install made', () => {
  for (const client of CLIENTS.filter((client) => CLIENT_TABLE[client].format === 'json')) {
    for (const shape of EMPTY.flatMap((text) => [text, crlf(text), `${text}\n`])) {
      const before = shape.replace('mcpServers', CLIENT_TABLE[client].section);
      const after = config(client).add(before);
      assert.equal(config(client).add(after), after, `${client}: twice is once`);
      assert.equal(config(client).remove(after), before, `${client}: ${after}`);
    }
  }
});

test('members added beside our entry, and edits of it, do not keep it from being taken out', () => {
  const cursor = config('cursor');
  const between =
    '{\n  "mcpServers": {\n    "socraticode": {\n      "command": "git-socraticode",\n      "args": ["mcp"], "env": {}\n    },\n    "b": {}\n  }\n}\n';
  assert.equal(cursor.remove(between), '{\n  "mcpServers": {\n    "b": {}\n  }\n}\n');
  const alone = '{\n  "a": 1,\n  "mcpServers": { "socraticode": { "command": "git-socraticode" } }\n}\n';
  assert.deepEqual(jsonc.parse(cursor.remove(alone) ?? ''), { a: 1, mcpServers: {} });
  assert.equal(cursor.remove('{"a": 1}'), '{"a": 1}');
});

test('an entry may have a name that every JavaScript object knows', () => {
  for (const client of ['cursor', 'codex'] as const) {
    const named = config(client, ['mcp'], 'constructor');
    const before = client === 'cursor' ? CURSOR : 'a = 1\n';
    assert.equal(named.look(before).existing, undefined, client);
    assert.equal(named.remove(named.add(before)), before, client);
  }
});

test('replacing an entry leaves what is around it', () => {
  const before = CURSOR.replace('"files": {"command":"files-mcp"} // mine', `"${NAME}": { "command": "else" } // mine`);
  const after = config('cursor').add(before);
  assert.ok(after.includes('    } // mine\n    // "old"'), after);
  assert.deepEqual(config('cursor').look(after).existing, config('cursor').look('').wanted);
});

test("opencode: comments allowed, its newer shape is used where the file has it, and a server named 'servers' is one", () => {
  const before =
    '{\n  // mine\n  "$schema": "https://opencode.ai/config.json",\n  "mcp": { "servers": { "x": { "type": "local", "command": ["x"] } } }\n}\n';
  const after = config('opencode').add(before);
  assert.deepEqual(jsonc.parse(after).mcp.servers[NAME], { type: 'local', command: ['git-socraticode', 'mcp'] });
  assert.equal(config('opencode').remove(after), before);
  const server = '{ "mcp": { "servers": { "type": "local", "command": ["x"] } } }';
  assert.ok(jsonc.parse(config('opencode').add(server)).mcp[NAME].enabled);
  const schema = '{\n  "$schema": "https://opencode.ai/config.json"\n}\n';
  assert.equal(config('opencode').remove(config('opencode').add(schema)), schema);
});

test('Zed: settings with comments and trailing commas stay, and our entry is removed with the section that it needed', () => {
  const before = '// My settings\n{\n  "vim_mode": true, // always\n  "theme": { "mode": "dark", },\n}\n';
  const after = config('zed').add(before);
  assert.deepEqual(jsonc.parse(after).context_servers[NAME], { command: 'git-socraticode', args: ['mcp'], env: {} });
  assert.ok(onlyAdds(before, after));
  assert.equal(config('zed').remove(after), before);
});

test('JSON that says something else, or nothing that can be read, is refused', () => {
  const bad = [
    '{"mcpServers": ',
    '[]',
    '{"mcpServers": []}',
    '{"mcpServers": 3}',
    '{"a": 1 "b": 2}',
    'nonsense',
    '{} {}',
    `${'['.repeat(100_000)}`,
  ];
  const twice = ['{"mcpServers": {}, "mcpServers": {"a": {}}}', `{"mcpServers": {"${NAME}": {}, "${NAME}": {}}}`];
  for (const text of [...bad, ...twice]) {
    for (const act of ['look', 'add', 'remove'] as const)
      assert.throws(() => config('cursor')[act](text), { code: 'BAD_CONFIG' }, `${act} ${text.slice(0, 50)}`);
  }
});

const CODEX: Record<string, string> = {
  'settings only': 'model = "gpt-5" # mine\n\n[profiles.fast]\nmodel = "x"\n',
  'servers before':
    '[mcp_servers.github]\ncommand = "npx"\nargs = [\n  "-y", # yes\n  "server",\n]\n\n[mcp_servers.github.env]\nTOKEN = "t"\n',
  'no final line break': '[a]\nb = 1',
  'blank lines at the end': 'a = 1\n\n\n',
  'a comment only': '# nothing yet\n',
  'text that looks like our table':
    'note = """\n[mcp_servers.socraticode2]\n"""\nbig = 9223372036854775807\nwhen = 2024-01-02T03:04:05Z\n',
};

test('TOML: our table is added at the end, and what was there comes back without it', () => {
  for (const [what, before] of forms(CODEX)) {
    const codex = config('codex');
    const after = codex.add(before);
    assert.ok(after.startsWith(before), what);
    assert.deepEqual(codex.look(after).existing, { command: 'git-socraticode', args: ['mcp'] }, what);
    assert.equal(codex.add(after), after, `${what}: twice is once`);
    assert.equal(codex.remove(after), before, what);
    if (before.includes('\r\n')) assert.doesNotMatch(after, /[^\r]\n/, what);
    const more = `${after}${after.endsWith('\n') ? '' : '\n'}\n[mcp_servers.later]\ncommand = "l"\n`;
    const left = codex.remove(more) ?? '';
    assert.doesNotMatch(left, /git-socraticode/, what);
    assert.ok(left.endsWith('\n\n[mcp_servers.later]\ncommand = "l"\n'), what);
  }
});

test('TOML: replacing takes tables under ours along, and nothing behind them', () => {
  const before =
    'a = 1\n\n[mcp_servers.socraticode]\ncommand = "else"\n\n[mcp_servers.socraticode.env]\nA = "1"\n\n# about b\n[b]\nc = 2\n';
  const after = config('codex').add(before);
  assert.equal(
    after,
    'a = 1\n\n[mcp_servers.socraticode]\ncommand = "git-socraticode"\nargs = [ "mcp" ]\n\n# about b\n[b]\nc = 2\n',
  );
  assert.equal(config('codex').remove(before), 'a = 1\n\n# about b\n[b]\nc = 2\n');
});

test('TOML in another form, or none that can be read, is refused', () => {
  const forms = ['mcp_servers = { a = { command = "a" } }\n', '[[mcp_servers]]\na = 1\n', 'mcp_servers = 3\n'];
  for (const text of [...forms, 'a = \n', '[a\n', 'a = 1\na = 2\n']) {
    assert.throws(() => config('codex').add(text), { code: 'BAD_CONFIG' }, text);
  }
  for (const text of [
    '[mcp_servers]\nsocraticode = { command = "else" }\n',
    'mcp_servers.socraticode.command = "else"\n',
    'x = """\n[mcp_servers.socraticode]\ny = 1\n"""\n[mcp_servers]\nsocraticode = { command = "else" }\n',
  ]) {
    assert.deepEqual(JSON.parse(JSON.stringify(parse(text).mcp_servers)), { socraticode: { command: 'else' } });
    for (const act of ['add', 'remove'] as const)
      assert.throws(() => config('codex')[act](text), { code: 'BAD_CONFIG' }, `${act} ${text}`);
  }
});
