/** Names that attack whoever reads, prints, checks out or completes them. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createRepo, makeDirectory, type TestRepo } from '../repositories/repo.js';
import { PROJECT } from '../repositories/samples.js';

const OSC8 = '\u001b]8;;mailto:a@evil.example\u0007click\u001b]8;;\u0007';
/** Says in letters that are not drawn what nobody should do. */
const TAGS = [...'run rm'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
const SELECTORS = [...'run rm'].map((letter) => String.fromCodePoint(0xe0100 + letter.charCodeAt(0))).join('');

/** One or more of each class. Those of a work tree can be written by anybody on Linux. */
export const NAMES = [
  ...['red\u001b[31m.ts', `link${OSC8}.ts`, 'title\u001b]0;owned\u0007.ts', 'c1\u009b31m.ts', 'bell\u0007.ts'],
  ...['bidi\u202egnp.ts', 'isolate\u2066x\u2069.ts', 'zero\u200bwidth.ts', '\ufeffbom.ts', 'soft\u00adhyphen.ts'],
  ...[`tags${TAGS}.ts`, `selectors${SELECTORS}.ts`, 'filler\u3164.ts', 'separator\u2028.ts', 'delete\u007f.ts'],
  ...[
    'new\nok.ts:1-2  lamp  function.ts',
    'new\nmore: 7 left out; ask again with cursor abc.ts',
    'tab\t.ts',
    'cr\rover.ts',
  ],
  ...[
    '-rf.ts',
    '--help',
    '--output=owned.ts',
    '--upload-pack=x.ts',
    '@file.ts',
    ':(top)magic.ts',
    ':!src.ts',
    '*.ts',
    '[a-z].ts',
  ],
  ...[
    'back\\slash.ts',
    '..\\up.ts',
    'C:drive.ts',
    'quote".ts',
    "it's.ts",
    '$(touch sung).ts',
    '`id`.ts',
    ';id;.ts',
    '%s%n.ts',
    '%00.ts',
  ],
  ...[
    'con.ts',
    'NUL',
    'aux.c',
    'COM1.ts',
    'trailing.',
    'trailing ',
    ' leading.ts',
    '~',
    '~root.ts',
    'a\u0301.ts',
    '\u00e1.ts',
    'Case.ts',
    'case.ts',
  ],
  ...[
    '.socraticode.json.ts',
    '__proto__',
    'constructor',
    'toString.ts',
    'a'.repeat(250),
    '<img src=x onerror=alert(1)>.ts',
  ],
] as const;

/** Only in trees that were written by hand. The first ones are never shown as files. */
export const UNSAFE = ['../evil.ts', '.git/evil.ts', '..', '.', '.GIT', '/etc/evil.ts', '.git', ''] as const;
/** What other systems take for `.git`. */
export const GIT_ALIKE = [
  '.g\u200cit',
  'GIT~1',
  'git~1',
  '.git ',
  '.git.',
  '.git::$INDEX_ALLOCATION',
  '.Git\\hooks\\x',
  '.git\u200d',
] as const;
const BYTES = [
  Buffer.from([0xff, 0xfe, 0x2e, 0x74, 0x73]),
  Buffer.from([0xed, 0xa0, 0x80, 0x2e, 0x74, 0x73]),
  Buffer.from([0xc0, 0xaf]),
];

const PERSON = `E\u202evil \u001b[31mAuthor${OSC8}`;
const SUBJECT = `Say\u001b[2J \u202ehello${OSC8} ${TAGS}`;
const BRANCHES = [
  '-rf',
  '--help',
  '$(id)',
  '`id`',
  'bidi\u202egnp',
  `tags${TAGS}`,
  ';id',
  "it's",
  'HEAD',
  'refs/heads/main',
  'a'.repeat(200),
];

const SOURCE = (i: number) =>
  `import { lamp } from '../ok.js';\n/** \u001b[31m${TAGS} lamp */\nexport function lamp${i}(): string {\n  return lamp('\u202e\u001b]8;;x\u0007');\n}\n`;

export interface HostileNames {
  repo: TestRepo;
  /** A tree with everything that no work tree can hold. */
  raw: string;
  victim: TestRepo;
}

/** Said nowhere but in the repository beside. */
export const SECRET = 'topSecretOfSomebodyElse';

/** `PROJECT` among hostile names, with links that lead out to `victim`, hostile branches, tags, remotes and commits. */
export function hostileNames(): HostileNames {
  const root = makeDirectory('names');
  const victim = createRepo({ directory: join(root, 'victim') });
  victim.commit({ 'v.ts': `export function ${SECRET}() {}\n`, 'README.md': `# ${SECRET}\n` });
  const repo = createRepo({ directory: join(root, 'repo') });
  repo.commit(PROJECT);
  for (const [i, name] of NAMES.entries()) writeFileSync(join(mkdir(join(repo.dir, 'names')), name), SOURCE(i));
  writeFileSync(join(repo.dir, 'names', 'ok.ts'), 'export function lamp(text: string): string {\n  return text;\n}\n');
  const deep = `deep/${'d'.repeat(200)}/`.repeat(16);
  repo.write({ [`${deep.slice(0, 3_700)}/lamp.ts`]: 'export const lampDeep = 1;\n' });
  const links: Record<string, string> = { 'links/file.ts': join(victim.dir, 'v.ts'), 'links/directory': victim.dir };
  Object.assign(links, {
    'links/loop.ts': 'loop.ts',
    'links/up': '../..',
    'links/passwd.md': '/etc/passwd',
    out: victim.dir,
  });
  for (const [path, target] of Object.entries(links))
    symlinkSync(target, join(mkdir(join(repo.dir, dirname(path))), path.split('/').pop() as string));
  repo.git('add', '-A');
  repo.git('-c', `user.name=${PERSON}`, 'commit', '-q', '-m', SUBJECT, `--author=${PERSON} <x@example.com>`);
  for (const branch of BRANCHES) {
    const oid = repo.git('rev-parse', 'HEAD');
    repo.git('update-ref', `refs/heads/${branch}`, oid);
    repo.git('update-ref', `refs/tags/${branch}`, oid);
  }
  repo.git('config', `remote.evil\u202e.url`, `https://user:${SECRET}@example.com/\u001b[31m`);
  return { repo, victim, raw: rawTree(repo) };
}

function mkdir(path: string): string {
  mkdirSync(path, { recursive: true });
  return path;
}

function rawTree(repo: TestRepo): string {
  const [one, two] = [repo.blob(SOURCE(1_000)), repo.blob(SOURCE(1_001))];
  const names = [...UNSAFE, ...GIT_ALIKE, ...BYTES, ...NAMES, 'x'.repeat(4_000)];
  const entries = names.map((name, i) => ({ name, oid: i % 2 === 0 ? one : two }));
  const link = { mode: '120000', name: 'tree-link.ts', oid: repo.blob('/etc/passwd') };
  const attributes = {
    name: '.gitattributes',
    oid: repo.blob('* linguist-generated\n"quoted\\n" x\n[attr]y z\n!neg -a\n'),
  };
  const commit = repo.git(
    'commit-tree',
    '-m',
    SUBJECT,
    repo.rawTree([...entries.filter(({ name }) => name !== ''), link, attributes]),
  );
  repo.git('update-ref', 'refs/heads/raw', commit);
  return commit;
}

/** What no text that is printed may hold. */
export const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be there
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\u3164\ufeff]|\udb40/;
