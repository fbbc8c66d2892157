/** Error codes and the default next step of each (data). A test fails on a code without a hint. */
export const ERROR_CODES = {
  NOT_A_REPOSITORY: 'Run inside a git repository, or name one with -C DIR.',
  UNSAFE_REPOSITORY: 'If you trust it: git config --global --add safe.directory DIR',
  GIT_MISSING: 'Install git 2.31 or newer and make sure it is on PATH.',
  GIT_FAILED: 'Run the git command above by hand to see more, or `git fsck` to check the repository.',
  UNKNOWN_REF: 'List refs with `git branch -a` or `git tag`.',
  UNBORN_HEAD: 'Make a first commit, or name another ref with --ref.',
  UNREADABLE_OBJECT: 'Run `git fsck`; in a partial clone, `git fetch --refetch --no-filter` brings missing objects.',
  EMPTY_QUERY: 'Say what to look for: git socraticode search "where are sessions stored"',
  BAD_ARGUMENT: 'See `git socraticode --help`.',
  BAD_CONFIG:
    'Correct the place that the message names; `git socraticode config --show-origin` then lists the settings.',
  EMBEDDER_UNREACHABLE: 'Start the embedder, or set its address: git config --global socraticode.embedder.endpoint URL',
  EMBEDDER_MODEL_MISSING: 'Pull or load the model on the embedder, or name another one in embedder.model.',
  EMBEDDER_BAD_ANSWER: 'Check that embedder.endpoint and embedder.model belong together: git socraticode config',
  EMBEDDER_DENIED: 'Set the key in the environment variable SOCRATICODE_OPENAI_API_KEY or OPENAI_API_KEY.',
  EMBEDDER_REFUSED: 'If source text may leave this machine: git config --global socraticode.embedder.remote true',
  NO_REMOTE: 'Add one with `git remote add origin URL`, or name one: git socraticode push REMOTE',
  REMOTE_DENIED: 'Ask for write access, or push to a remote of your own; the local index is complete without it.',
  REMOTE_UNREACHABLE: 'Check the connection and `git remote -v`, then run again; the local index works without it.',
  REMOTE_BUSY: 'Another clone shares at the same time; run again, nothing is lost.',
  RECORD_CORRUPT: 'The record is ignored and derived again by `git socraticode index`.',
  SHARD_CORRUPT: 'The shard was moved aside; `git socraticode index` rebuilds it from the records.',
  NOT_READY: 'Ask again in a few seconds: it is being built in the background.',
  LOCKED: 'Another process is indexing this repository; wait for it, or run again.',
  DISK: 'Free some space or check permissions of the .git directory, then run again.',
  RESOURCES: 'Too many files or processes are open: close some, or raise the limits (ulimit -n), then run again.',
  BROKEN_INSTALLATION: 'Install again, with optional packages: npm install -g git-socraticode --include=optional',
  CANCELLED: 'Run the command again to continue; finished work is kept.',
  INTERNAL: 'This is a bug in git-socraticode; please report it with the message above.',
} as const satisfies Record<string, string>;

export type ErrorCode = keyof typeof ERROR_CODES;
