/** Bash: a command is a call if it could be a function. */
import type { FactSink, LexicalConventions, NodeView, RelationRules } from '../roles/relations.js';

const LEXICAL: LexicalConventions = { joins: [], nameExtra: '-:.@+', quotes: '"\'', lineComments: ['#'] };

const FUNCTION_NAME = /^[A-Za-z_][\w:.@+-]*$/;
/** Words that run the command after them. */
const RUNNERS: ReadonlySet<string> = new Set(['time', 'exec', 'eval', 'nohup', 'builtin', 'command']);
const MAX_LINE_LENGTH = 600;

/** The name of a command: `source x` and functions that are called. */
function commandName({ start, end, text }: NodeView, sink: FactSink): void {
  if (text === 'source' || text === '.') {
    include(start, end, sink);
    return;
  }
  if (!FUNCTION_NAME.test(text) || RUNNERS.has(text)) return;
  // With arguments that other programs run, `args` would tell nothing.
  sink.reference(start, end, 'call', text);
}

function include(start: number, end: number, sink: FactSink): void {
  const { source } = sink;
  const line = /^[ \t]+(?:"((?:\$\((?:[^()"\n]|"[^"\n]*")*\)|(?!\$\()[^"\n\\]|\\.)*)"|'([^'\n]*)'|([^\s;&|)"']+))/.exec(
    source.slice(end, end + MAX_LINE_LENGTH),
  );
  if (line === null) return;
  const path = line[1] ?? line[2] ?? line[3];
  sink.import(start, end + line[0].length, 'include', path);
}

/** `trap cleanup EXIT` and the like hand a function on. */
function handed(sink: FactSink): void {
  const { source } = sink;
  for (const match of source.matchAll(
    /^[ \t]*(?:trap[ \t]+(?:--[ \t]+)?["']?|export[ \t]+-f[ \t]+|complete[ \t]+(?:-\w[ \t]+)*-F[ \t]+)([A-Za-z_][\w-]*)/gm,
  )) {
    const end = match.index + match[0].length;
    sink.reference(end - match[1].length, end, 'value', match[1]);
  }
}

export const bash: RelationRules = {
  lexical: LEXICAL,
  nodes: { command_name: commandName },
  text: handed,
  ignoredCalls: new Set(
    (
      'alias bg bind break builtin caller cd command compgen complete continue declare dirs disown echo enable eval exec exit export ' +
      'false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return ' +
      'set shift shopt sleep source suspend test times trap true type typeset ulimit umask unalias unset wait ' +
      'ansible apt apt-get awk base64 basename bash brew bundle bunzip2 bzip2 cargo cat chgrp chmod chown clang cmake cmp column comm ' +
      'composer cp cpio crontab curl cut date dd df diff dig dirname dnf docker docker-compose dpkg du egrep emacs env expand expr ' +
      'fgrep file find flock fmt fold free fuser g++ gcc gem getent git gnupg go gpg gradle grep groupadd groups gsed gunzip gzip head ' +
      'helm hostname iconv id ifconfig install ip iptables java javac join journalctl jq kubectl ldd less ln logger ls lsof make man ' +
      'md5sum mkdir mkfifo mktemp more mount mv mvn mysql nano nc netstat nice nl node nohup npm npx od openssl openssl paste patch ' +
      'perl pgrep php ping pip pip3 pkill pnpm ps psql pushd python python2 python3 readlink realpath rev rm rmdir rpm rsync ruby rustc ' +
      'rustup scp sed seq service sftp sh sha1sum sha256sum shasum shuf sort split ssh stat strings stty su sudo sync systemctl tac tail ' +
      'tar tee terraform time timeout top touch tput tr tty tsc uname unexpand uniq unzip uptime useradd vi vim vmstat w watch wc wget ' +
      'which who whoami xargs xxd xz yarn yes yum zcat zip zsh'
    ).split(' '),
  ),
};
