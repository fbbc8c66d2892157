/** Error codes and the default next step of each (data). A test fails on a code without a hint. */
export const ERROR_CODES = {
  NOT_A_REPOSITORY: 'Run inside a git repository, or name one with -C DIR.',
  UNSAFE_REPOSITORY: 'If you trust it: git config --global --add safe.directory DIR',
  GIT_MISSING: 'Install git 2.31 or newer and make sure it is on PATH.',
  GIT_FAILED: 'Run the git command above by hand to see more, or `git fsck` to check the repository.',
  UNKNOWN_REF: 'List refs with `git branch -a` or `git tag`.',
  UNBORN_HEAD: 'Make a first commit, or name another ref with --ref.',
  UNREADABLE_OBJECT: 'Run `git fsck`; in a partial clone, `git fetch --refetch` brings missing objects.',
  EMPTY_QUERY: 'Say what to look for: git socraticode search "where are sessions stored"',
  BAD_ARGUMENT: 'See `git socraticode --help`.',
  BAD_CONFIG: 'See `git socraticode config --show-origin` for where each value comes from.',
  EMBEDDER_UNREACHABLE: 'Start the embedder, or say where it is: git config --global socraticode.embedder.endpoint URL',
  EMBEDDER_MODEL_MISSING: 'Pull or load the model on the embedder, or name another one in embedder.model.',
  EMBEDDER_BAD_ANSWER: 'Check that embedder.endpoint and embedder.model belong together: git socraticode config',
  EMBEDDER_DENIED: 'Set the key in the environment variable SOCRATICODE_OPENAI_API_KEY or OPENAI_API_KEY.',
  EMBEDDER_REFUSED: 'If source text may leave this machine: git config --global socraticode.embedder.remote true',
  RECORD_CORRUPT: 'The record is ignored and derived again by `git socraticode index`.',
  RECORD_TOO_NEW: 'Update git-socraticode: the index was written by a newer version.',
  SHARD_CORRUPT: 'The shard was moved aside; `git socraticode index` rebuilds it from the records.',
  LOCKED: 'Another process is indexing this repository; wait for it, or run again.',
  DISK: 'Free some space or check permissions of the .git directory, then run again.',
  CANCELLED: 'Run the command again to continue; finished work is kept.',
  INTERNAL: 'This is a bug in git-socraticode; please report it with the message above.',
} as const satisfies Record<string, string>;

export type ErrorCode = keyof typeof ERROR_CODES;
