/** Environments in which the same repository gives the same bytes (data). */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectory } from '../../repositories/repo.js';

export interface Environment {
  name: string;
  env?: NodeJS.ProcessEnv;
  /** Of node. */
  flags?: readonly string[];
  /** What starts node: a command and its arguments. */
  under?: readonly string[];
  /** Of the user. */
  gitConfig?: Readonly<Record<string, string>>;
}

/** Preloaded: a machine with so many cores. */
function cores(count: number): string {
  const path = join(makeDirectory('cores'), 'cores.cjs');
  const lines = [
    "const os = require('node:os');",
    `os.availableParallelism = () => ${count};`,
    `os.cpus = () => Array.from({ length: ${count} }, () => ({ model: 'none', speed: 1, times: {} }));`,
    "require('node:module').syncBuiltinESMExports();",
  ];
  writeFileSync(path, lines.join('\n'));
  return path;
}

const locale = (name: string): NodeJS.ProcessEnv => ({ LC_ALL: name, LANG: name, LANGUAGE: name.slice(0, 2) });
const GIT_CONFIG = {
  ...{ 'core.autocrlf': 'true', 'core.eol': 'crlf', 'core.quotePath': 'false', 'core.precomposeUnicode': 'true' },
  ...{ 'core.abbrev': '4', 'core.ignoreCase': 'true', 'core.fileMode': 'false', 'core.compression': '9' },
  ...{ 'core.looseCompression': '0', 'core.checkStat': 'minimal', 'core.untrackedCache': 'true' },
  ...{ 'i18n.commitEncoding': 'ISO-8859-1', 'i18n.logOutputEncoding': 'UTF-16', 'color.ui': 'always' },
  ...{ 'color.status': 'always', 'diff.renames': 'copies', 'diff.noprefix': 'true', 'diff.external': 'false' },
  ...{ 'diff.algorithm': 'histogram', 'diff.context': '0', 'diff.relative': 'true', 'log.date': 'relative' },
  ...{ 'log.showRoot': 'false', 'log.follow': 'true', 'log.decorate': 'full', 'log.mailmap': 'true' },
  ...{ 'init.defaultBranch': 'trunk', 'init.defaultRefFormat': 'files', 'init.defaultObjectFormat': 'sha256' },
  ...{
    'status.showUntrackedFiles': 'no',
    'status.relativePaths': 'true',
    'status.short': 'true',
    'status.branch': 'true',
  },
  ...{
    'column.ui': 'always',
    'core.pager': 'cat',
    'core.notesRef': 'refs/notes/theirs',
    'notes.displayRef': 'refs/notes/*',
  },
  ...{ 'notes.mergeStrategy': 'union', 'format.pretty': 'oneline', 'grep.lineNumber': 'true', 'index.version': '4' },
  ...{ 'fastimport.unpackLimit': '1', 'pack.threads': '1', 'user.name': 'Ünï', 'core.logAllRefUpdates': 'always' },
  ...{ 'feature.experimental': 'true', 'index.threads': '1', 'submodule.recurse': 'true', 'diff.submodule': 'log' },
};
const GIT_VARIABLES = {
  ...{
    GIT_ICASE_PATHSPECS: '1',
    GIT_NOTES_REF: 'refs/notes/theirs',
    GIT_INDEX_VERSION: '4',
    GIT_DEFAULT_HASH: 'sha256',
  },
  ...{ GIT_PAGER: 'false', GIT_EDITOR: 'false', GIT_EXTERNAL_DIFF: 'false', GIT_DIFF_OPTS: '-u0', GIT_FLUSH: '1' },
  ...{ GIT_AUTHOR_DATE: '2001-01-01T00:00:00+1400', GIT_COMMITTER_NAME: 'Somebody', GIT_LITERAL_PATHSPECS: '0' },
  ...{ GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'core.quotePath', GIT_CONFIG_VALUE_0: 'true', GIT_PREFIX: 'src/' },
};

const works = (command: string, ...args: string[]) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;
const flag = (name: string) => works(process.execPath, name, '-e', '0');

export function environments(): Environment[] {
  const all: Environment[] = [
    {
      name: 'Turkish, elsewhere, umask 077, one core, git configured in every way',
      env: {
        ...locale('tr_TR.UTF-8'),
        TZ: 'Pacific/Kiritimati',
        UV_THREADPOOL_SIZE: '1',
        NODE_OPTIONS: `--require ${cores(1)}`,
        ...GIT_VARIABLES,
      },
      gitConfig: GIT_CONFIG,
      under: ['sh', '-c', 'umask 077; exec "$@"', 'sh'],
    },
    {
      name: 'many cores, no optimiser, little memory',
      flags: ['--no-opt', '--max-old-space-size=150'],
      env: { NODE_OPTIONS: `--require ${cores(64)}`, FORCE_COLOR: '3', COLUMNS: '20', USER: 'somebody', LOGNAME: 'x' },
    },
    ...['C', 'de_DE.UTF-8', 'ja_JP.UTF-8', 'az_AZ.UTF-8', 'sv_SE.ISO-8859-1'].map((name) => ({
      name,
      env: locale(name),
    })),
    ...['America/St_Johns', 'Asia/Kathmandu'].map((TZ) => ({ name: TZ, env: { TZ } })),
    { name: 'umask 000', under: ['sh', '-c', 'umask 000; exec "$@"', 'sh'] },
    ...[
      '--jitless',
      '--predictable',
      '--random-seed=7',
      '--no-opt',
      '--single-threaded',
      '--max-lazy',
      '--stress-compaction',
    ]
      .filter(flag)
      .map((name) => ({ name, flags: [name] })),
    {
      name: 'NODE_OPTIONS',
      env: {
        NODE_OPTIONS:
          '--max-old-space-size=200 --stack-trace-limit=1 --icu-data-dir=/nonexistent --throw-deprecation --enable-source-maps',
      },
    },
    { name: 'NODE_OPTIONS=--jitless', env: { NODE_OPTIONS: '--jitless' } },
    { name: 'eight cores', env: { NODE_OPTIONS: `--require ${cores(8)}` } },
    { name: 'no home', env: { HOME: '/nonexistent', USERPROFILE: '/nonexistent' } },
    { name: 'a path with everything', env: { TMPDIR: makeDirectory('a b ünï $(x)') } },
  ];
  if (works('taskset', '1', 'true')) all.push({ name: 'taskset', under: ['taskset', '1'] });
  if (works('unshare', '-u', 'true'))
    all.push({ name: 'hostname', under: ['unshare', '-u', 'sh', '-c', 'hostname elsewhere; exec "$@"', 'sh'] });
  if (works('script', '-qec', 'true', '/dev/null'))
    all.push({ name: 'a terminal', env: { TERM: 'xterm-256color' }, under: ['script'] });
  return all;
}
