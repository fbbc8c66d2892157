/**
 * A repository whose configuration, hooks and attributes name a command wherever git knows a place for one. Each leaves a
 * canary: a file named after what ran it.
 */
import { appendFileSync, chmodSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRepo, makeDirectory, type TestRepo } from '../repositories/repo.js';
import { PROJECT } from '../repositories/samples.js';

export interface Canaries {
  /** A program that sings. */
  run: (name: string) => string;
  /** Who has sung. */
  sung: () => string[];
  silence: () => void;
}

export function makeCanaries(): Canaries {
  const directory = makeDirectory('canary');
  const choir = join(directory, 'sung');
  mkdirSync(choir);
  return {
    run(name) {
      const script = join(directory, `run-${name}`);
      // Filters are expected to give back what they were given; a transport that did would never end.
      const answer = /clean|smudge/.test(name) ? 'cat\n' : '';
      writeFileSync(script, `#!/bin/sh\n: > '${join(choir, name)}'\n${answer}`);
      chmodSync(script, 0o755);
      return script;
    },
    sung: () => readdirSync(choir).sort(),
    silence: () => {
      for (const name of readdirSync(choir)) rmSync(join(choir, name));
    },
  };
}

/** Every hook that git has: githooks(5). */
const HOOKS = [
  ...['applypatch-msg', 'pre-applypatch', 'post-applypatch', 'pre-commit', 'pre-merge-commit', 'prepare-commit-msg'],
  ...['commit-msg', 'post-commit', 'pre-rebase', 'post-checkout', 'post-merge', 'pre-push', 'pre-receive', 'update'],
  ...['proc-receive', 'post-receive', 'post-update', 'reference-transaction', 'push-to-checkout', 'pre-auto-gc'],
  ...['post-rewrite', 'sendemail-validate', 'fsmonitor-watchman', 'p4-changelist', 'p4-prepare-changelist'],
  ...['p4-post-changelist', 'p4-pre-submit', 'post-index-change'],
];

/** Keys whose value is a command or a program: git-config(1), and the manuals of the commands that it names. */
const COMMAND_KEYS = [
  ...['core.fsmonitor', 'core.sshCommand', 'core.pager', 'core.editor', 'core.askPass', 'core.gitProxy'],
  ...['core.alternateRefsCommand', 'sequence.editor', 'diff.external', 'diff.evil.textconv', 'diff.evil.command'],
  ...['merge.evil.driver', 'filter.evil.clean', 'filter.evil.smudge', 'filter.e=vil.clean', 'filter.proc.process'],
  ...['credential.helper', 'credential.https://example.com.helper', 'gpg.program', 'gpg.openpgp.program'],
  ...['gpg.ssh.program', 'gpg.x509.program', 'gpg.ssh.defaultKeyCommand', 'pager.status', 'pager.log', 'pager.diff'],
  ...['pager.config', 'pager.notes', 'pager.show', 'uploadpack.packObjectsHook', 'remote.origin.uploadpack'],
  ...['remote.origin.receivepack', 'interactive.diffFilter', 'difftool.evil.cmd', 'difftool.evil.path'],
  ...['mergetool.evil.cmd', 'mergetool.evil.path', 'guitool.evil.cmd', 'browser.evil.cmd', 'browser.evil.path'],
  ...['man.evil.cmd', 'man.evil.path', 'sendemail.sendmailCmd', 'sendemail.smtpServer', 'sendemail.toCmd'],
  ...['sendemail.ccCmd', 'sendemail.headerCmd', 'trailer.evil.command', 'trailer.evil.cmd', 'imap.tunnel'],
  ...['instaweb.httpd', 'lfs.customtransfer.evil.path', 'gc.recentObjectsHook', 'hook.evil.command', 'web.browser'],
  ...['ssh.command', 'init.templateDir', 'difftool.path', 'http.sslEngine', 'transfer.hook', 'tar.evil.command'],
];
/** The same with a word before the command. */
const PREFIXED: readonly [string, string][] = [
  ...['cat-file', 'status', 'rev-parse', 'notes', 'socraticode-x'].map((name) => [`alias.${name}`, '!'] as const),
  ['submodule.evil.update', '!'],
  ['remote.origin.url', 'ext::'],
  ['remote.evil.url', 'ext::'],
].map(([key, prefix]) => [key, prefix]);
/** Keys that make others matter, or lead elsewhere. */
const SWITCHES: readonly [string, string][] = [
  ['log.showSignature', 'true'],
  ['commit.gpgSign', 'true'],
  ['tag.gpgSign', 'true'],
  ['push.gpgSign', 'true'],
  ['diff.tool', 'evil'],
  ['merge.tool', 'evil'],
  ['help.browser', 'evil'],
  ['man.viewer', 'evil'],
  ['pager.branch', 'true'],
  ['filter.evil.required', 'true'],
  ['hook.evil.event', 'reference-transaction'],
  ['protocol.allow', 'always'],
  ['protocol.ext.allow', 'always'],
  ['protocol.file.allow', 'always'],
  ['remote.origin.vcs', 'evil'],
  ['remote.origin.promisor', 'true'],
  ['remote.origin.partialclonefilter', 'blob:none'],
  ['extensions.partialClone', 'origin'],
  ['fetch.recurseSubmodules', 'true'],
  ['push.recurseSubmodules', 'on-demand'],
  ['submodule.recurse', 'true'],
  ['status.submoduleSummary', 'true'],
  ['diff.submodule', 'diff'],
  ['gc.auto', '1'],
  ['gc.autoDetach', 'false'],
  ['maintenance.auto', 'true'],
  ['maintenance.strategy', 'incremental'],
  ['receive.autogc', 'true'],
  ['fetch.writeCommitGraph', 'true'],
  ['fetch.bundleURI', 'http://127.0.0.1:1/bundle'],
  ['transfer.bundleURI', 'true'],
  ['transfer.credentialsInUrl', 'allow'],
  ['http.proxy', 'http://127.0.0.1:1'],
  ['http.cookieFile', '/etc/passwd'],
  ['http.sslKey', '/etc/passwd'],
  ['remote.origin.proxy', 'http://127.0.0.1:1'],
  ['notes.displayRef', 'refs/notes/*'],
  ['notes.rewriteRef', 'refs/notes/*'],
  ['blame.ignoreRevsFile', '/nowhere'],
  ['mailmap.file', '/nowhere'],
  ['core.logAllRefUpdates', 'always'],
  ['core.untrackedCache', 'true'],
  ['core.splitIndex', 'true'],
  ['core.preloadIndex', 'true'],
  ['safe.directory', '*'],
  ['uploadpack.allowFilter', 'true'],
  ['rerere.enabled', 'true'],
];

export const ATTRIBUTES = '*.ts filter=evil diff=evil merge=evil\n*.py filter=e=vil diff=evil\n*.go filter=proc\n';

/** `a.b.c` with any `b` as lines of a configuration file. */
function line(key: string, value: string): string {
  const [first, last] = [key.indexOf('.'), key.lastIndexOf('.')];
  const quote = (text: string) => `"${text.replace(/[\\"]/g, '\\$&')}"`;
  const name = first === last ? '' : ` ${quote(key.slice(first + 1, last))}`;
  return `[${key.slice(0, first)}${name}]\n\t${key.slice(last + 1)} = ${quote(value)}\n`;
}

/** The text of a configuration in which every key sings, by itself, through `include`, and through `includeIf`. */
export function hostileConfig({ run }: Canaries): string {
  const directory = makeDirectory('hostile');
  const hooks = join(directory, 'hooks');
  mkdirSync(hooks);
  for (const hook of HOOKS) writeHook(join(hooks, hook), run(`hook-${hook}`));
  const nameOf = (key: string, how = '') => `${how}${key.replace(/[^\w.=-]/g, '_')}`;
  const lines = (how: string) =>
    [
      ...COMMAND_KEYS.map((key) => line(key, run(nameOf(key, how)))),
      ...PREFIXED.map(([key, prefix]) => line(key, `${prefix}${run(nameOf(key, how))}`)),
      ...SWITCHES.map(([key, value]) => line(key, value)),
      line(`url.ext::${run(nameOf('insteadOf', how))} .insteadOf`, 'https://'),
      line('core.hooksPath', hooks),
    ].join('');
  const included = ['include', 'includeIf'].map((how) => {
    const path = join(directory, how);
    writeFileSync(path, lines(`${how}-`));
    return path;
  });
  const more = `[include]\n\tpath = ${included[0]}\n[includeIf "gitdir:/**"]\n\tpath = ${included[1]}\n`;
  return `${more}${lines('')}`;
}

export function writeHook(path: string, command: string): void {
  writeFileSync(path, `#!/bin/sh\nexec ${command}\n`);
  chmodSync(path, 0o755);
}

const OTHER_TIME = new Date('2001-02-03T04:05:06Z');

/** `PROJECT` in two commits and with uncommitted changes, in a repository that sings wherever git listens. */
export function hostileRepo(canaries: Canaries): TestRepo {
  const repo = createRepo();
  const gitmodules = `[submodule "evil"]\n\tpath = evil\n\turl = ext::${canaries.run('gitmodules-url')}\n\tupdate = !${canaries.run('gitmodules-update')}\n`;
  const artifacts = { artifacts: [{ name: 'notes', path: 'README.md', description: 'notes' }] };
  repo.commit({ ...PROJECT, '.gitattributes': ATTRIBUTES, '.gitmodules': gitmodules });
  repo.commit({
    'src/new.ts': 'export const fresh = 1;\n',
    '.socraticodecontextartifacts.json': JSON.stringify(artifacts),
  });
  for (const path of ['src/session.ts', 'lib/depot.py', 'cmd/main.go']) repo.write({ [path]: `${PROJECT[path]}\n` });
  // Same size, other time: `git status` must read this file, through its filter, and writes its index afterwards. A file of
  // another size counts as changed unread, and whether one that was written just now is read depends on the clock.
  utimesSync(join(repo.dir, 'src/new.ts'), OTHER_TIME, OTHER_TIME);
  const hooks = join(repo.commonDir, 'hooks');
  mkdirSync(hooks, { recursive: true });
  for (const hook of HOOKS) writeHook(join(hooks, hook), canaries.run(`own-hook-${hook}`));
  const config = hostileConfig(canaries);
  appendFileSync(join(repo.commonDir, 'config'), `${config}[extensions]\n\tworktreeConfig = true\n`);
  writeFileSync(join(repo.commonDir, 'config.worktree'), `${line('core.fsmonitor', canaries.run('worktree-config'))}`);
  return repo;
}
