/**
 * Settings that a stranger would like us to have: in our own file, beside it, and in the repository's git configuration.
 * `EVIL` is where they want to lead us, `RUN` what they want to be run.
 */
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface HostileConfig {
  name: string;
  /** Files of the work tree. */
  files?: Record<string, string | Buffer>;
  /** Files of eighty megabytes, of which the disk holds none. */
  huge?: string;
  /** Links of the work tree. */
  links?: Record<string, string>;
  /** What it is tried with, where not any command would show it. */
  command?: string;
  /** Appended to `.git/config`. */
  git?: string;
}

export interface Goals {
  /** A URL at which somebody would notice. */
  url: string;
  /** A program that leaves a canary. */
  run: string;
  /** A directory outside, with a file `outside.ts` that must not be read. */
  outside: string;
}

const FILE = '.socraticode.json';
const ARTIFACTS = '.socraticodecontextartifacts.json';

/** Our own keys, with values that must not count when a repository gives them. */
const userOnly = ({ url, outside }: Goals): readonly [string, unknown][] => [
  ['embedder.endpoint', url],
  ['embedder.remote', true],
  ['embedder.batch', 1],
  ['embedder.concurrency', 16],
  ['embedder.timeout', 1],
  ['embedder.keepAlive', '-1'],
  ['context.allow', [outside]],
  ['linked.allow', [outside, '/']],
];

/** What other tools, and our own namesakes, call such things. */
const FOREIGN_KEYS = [
  ...[
    'apiKey',
    'baseUrl',
    'baseURL',
    'url',
    'host',
    'ollamaUrl',
    'OLLAMA_URL',
    'QDRANT_URL',
    'qdrant',
    'proxy',
    'command',
  ],
  ...[
    'hooks',
    'onIndex',
    'postIndex',
    'exec',
    'shell',
    'parser',
    'parserCommand',
    'plugins',
    'require',
    'import',
    'extends',
  ],
  ...[
    'env',
    'mcpServers',
    'server',
    'grammars',
    'git',
    'gitPath',
    'editor',
    'pager',
    'telemetry',
    'updateUrl',
    'cacheDir',
  ],
];

const bomb = '*'.repeat(3);
const GLOBS = [
  ['(a+)+$', '**/**/**/**/**/**/*x', `${bomb}a${bomb}b${bomb}c${bomb}`],
  ['{a,{b,{c,{d,{e,f}}}}}'.repeat(20)],
  ['+(+(+(+(a))))!', '@(a|@(b|@(c)))*', '!(!(!(x)))'],
  ['[a-z]'.repeat(100)],
  [`${'*a'.repeat(120)}b`],
  [`{${'a,'.repeat(200)}b}/{${'c,'.repeat(200)}d}`],
  ['../../../etc/**', '/etc/**', 'C:\\**'],
];

const nested = (depth: number, open: string, close: string) => `${open.repeat(depth)}1${close.repeat(depth)}`;

const ODD_TEXTS: Record<string, string | Buffer> = {
  'a byte order mark': '\ufeff{"search":{"limit":5}}',
  comments: '{// hello\n"search":{/* x */"limit":5}}',
  'a NUL': '{"search":\0{"limit":5}}',
  'duplicate keys': '{"embedder":{"name":"builtin"},"embedder":{"name":"openai"}}',
  'deep arrays': nested(40_000, '[', ']'),
  'deep objects': nested(20_000, '{"search":', '}'),
  'a million keys': `{${Array.from({ length: 100_000 }, (_, i) => `"k${i}":${i}`).join(',')}}`,
  'a number without end': `{"maxFileBytes":${'9'.repeat(60_000)}}`,
  'bytes that are no text': Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x80, 0x7d]),
  'an empty file': '',
  'no object': '"embedder"',
  prototypes: '{"__proto__":{"embedder":{"remote":true}},"constructor":{"prototype":{"remote":true}}}',
  'prototypes in languages': '{"languages":{"__proto__":"c","constructor":"c"}}',
  'prototypes in a section': '{"embedder":{"__proto__":{"remote":true,"endpoint":"http://192.0.2.1"}}}',
  'keys in other letters': '{"\u0435mbedder":{"remote":true},"embedder\u200b":{"endpoint":"http://192.0.2.1"}}',
  'keys with control characters': '{"\\u001b[2J\\u202eevil":1}',
  'wrong types':
    '{"include":{"0":"**"},"exclude":"**","maxFileBytes":"1","languages":["c"],"search":[],"embedder":"ollama"}',
  'a model that is an address': '{"embedder":{"name":"ollama","model":"http://192.0.2.1/m"}}',
};

const json = (value: unknown) => JSON.stringify(value);
const inFile = (name: string, value: unknown): HostileConfig => ({ name, files: { [FILE]: json(value) } });
const nest = (key: string, value: unknown) => {
  const [section, name] = key.split('.');
  return { [section]: { [name]: value } };
};

function gitLine(key: string, value: unknown): string {
  const dot = key.indexOf('.');
  const text = (Array.isArray(value) ? value : [value]).map(
    (item) => `\t${key.slice(dot + 1)} = ${json(String(item))}\n`,
  );
  return `[socraticode "${key.slice(0, dot)}"]\n${text.join('')}`;
}

function artifacts(name: string, ...paths: string[]): HostileConfig {
  const list = paths.map((path, i) => ({ name: `a${i}`, path, description: 'x' }));
  return { name, files: { [ARTIFACTS]: json({ artifacts: list }) } };
}

/** All of them; `include` is a file outside that git may be told to include. */
export function hostileConfigs(goals: Goals): HostileConfig[] {
  const { url, run, outside } = goals;
  const own = userOnly(goals);
  const included = join(outside, 'included.config');
  writeFileSync(included, own.map(([key, value]) => gitLine(key, value)).join(''));
  const all = { name: 'ollama', endpoint: url, remote: true };
  return [
    { ...inFile('an embedder, its address and consent in the file', { embedder: all }), command: 'index' },
    {
      name: 'an embedder, its address and consent in .git/config',
      git: Object.entries(all)
        .map(([key, value]) => gitLine(`embedder.${key}`, value))
        .join(''),
      command: 'index',
    },
    ...own.map(([key, value]) => inFile(`${key} in the file`, nest(key, value))),
    ...own.map(([key, value]) => inFile(`${key} in the file, dotted`, { [key]: value })),
    ...own.map(([key, value]) => ({ name: `${key} in .git/config`, git: gitLine(key, value) })),
    ...FOREIGN_KEYS.map((key, i) => inFile(key, { [key]: i % 2 === 0 ? url : run })),
    ...FOREIGN_KEYS.map((key) => inFile(`embedder.${key}`, { embedder: { name: 'openai', [key]: url } })),
    ...GLOBS.flatMap((globs, i) => [
      inFile(`globs ${i}`, { exclude: globs, include: globs }),
      { name: `ignore file ${i}`, files: { '.socraticodeignore': `${globs.join('\n')}\n` } },
    ]),
    ...Object.entries(ODD_TEXTS).map(([name, text]) => ({ name, files: { [FILE]: text } })),
    ...Object.entries(ODD_TEXTS).map(([name, text]) => ({
      name: `${name} in the artifacts`,
      files: { [ARTIFACTS]: text },
    })),
    ...[FILE, ARTIFACTS, '.socraticodeignore'].map((huge) => ({ name: `${huge} of eighty megabytes`, huge })),
    { name: 'include.path', git: `[include]\n\tpath = ${included}\n` },
    { name: 'includeIf', git: `[includeIf "gitdir:/**"]\n\tpath = ${included}\n` },
    {
      name: 'worktree configuration',
      git: '[extensions]\n\tworktreeConfig = true\n',
      files: { '.git/config.worktree': own.map(([key, value]) => gitLine(key, value)).join('') },
    },
    inFile('ollama, by name alone', { embedder: { name: 'ollama' } }),
    inFile('openai, by name alone', { embedder: { name: 'openai', model: 'text-embedding-3-small' } }),
    inFile('a model of a cloud', { embedder: { name: 'ollama', model: 'qwen3-embedding:480b-cloud' } }),
    inFile('a model of a registry', { embedder: { name: 'ollama', model: 'evil.example/x/y' } }),
    { name: 'unknown keys in .git/config', git: `[socraticode]\n\tcommand = ${run}\n\tupdateUrl = ${url}\n` },
    inFile('linked projects outside', { linkedProjects: ['../..', '../../..', '..'] }),
    inFile('linked projects from the top', {
      linkedProjects: [outside, '/', '~', '~/x', 'C:\\', '\\\\server\\share', url],
    }),
    { ...inFile('a linked project that is a link', { linkedProjects: ['linked'] }), links: { linked: outside } },
    { name: 'links to other repositories in .git/config', git: `[socraticode]\n\tlinkedProjects = ${outside}\n` },
    artifacts('artifacts outside', '../', '../../', outside, '/etc/passwd', '~/.ssh'),
    artifacts('artifacts that are no paths', url, 'file:///etc/passwd', 'a\0b', '\\\\server\\share', '..\\..'),
    { ...artifacts('an artifact that is a link', 'linked', 'linked/outside.ts'), links: { linked: outside } },
    {
      name: 'settings that are links',
      links: { [FILE]: join(outside, 'evil.json'), [ARTIFACTS]: '/dev/zero', '.socraticodeignore': '/etc/passwd' },
    },
    {
      name: 'attributes',
      files: { '.gitattributes': `${'a*'.repeat(300)} linguist-generated\n[attr]evil filter=evil diff=evil\n* evil\n` },
      git: `[filter "evil"]\n\tclean = ${run}\n\tsmudge = ${run}\n\tprocess = ${run}\n\trequired = true\n[diff "evil"]\n\ttextconv = ${run}\n\tcommand = ${run}\n`,
    },
    {
      name: 'directories in place of settings',
      files: { [`${FILE}/x`]: '', '.socraticodeignore/x': '', [`${ARTIFACTS}/x`]: '' },
    },
  ];
}

/** Puts one of them into a work tree with its `.git/config` at `config`; returns what takes it out again. */
export function apply(directory: string, hostile: HostileConfig, config: string): () => void {
  const paths = [
    ...Object.keys(hostile.files ?? {}),
    ...Object.keys(hostile.links ?? {}),
    ...[hostile.huge ?? []].flat(),
  ];
  if (hostile.huge !== undefined) {
    writeFileSync(join(directory, hostile.huge), '{');
    truncateSync(join(directory, hostile.huge), 80 << 20);
  }
  for (const [path, content] of Object.entries(hostile.files ?? {})) {
    if (path.includes('/') && !path.startsWith('.git/'))
      mkdirSync(join(directory, path.split('/')[0]), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
  for (const [path, target] of Object.entries(hostile.links ?? {})) symlinkSync(target, join(directory, path));
  writeFileSync(join(directory, '.git/config'), `${config}${hostile.git ?? ''}`);
  return () => {
    for (const path of paths) {
      const top = path.startsWith('.git/') ? path : path.split('/')[0];
      rmSync(join(directory, top), { recursive: true, force: true });
    }
    writeFileSync(join(directory, '.git/config'), config);
  };
}
