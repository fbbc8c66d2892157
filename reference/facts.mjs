// Facts that no declaration holds, for docs/configuration.md and the manual: variables that are no settings, and files.
export const environment = [
  {
    names: ['SOCRATICODE_OPENAI_API_KEY', 'OPENAI_API_KEY'],
    text: "The key for OpenAI's protocol. The latter is not sent unencrypted to another machine.",
  },
  {
    names: ['SOCRATICODE_LOG_LEVEL'],
    text: 'How much goes to stderr: `silent`, `error`, `warn` (the default), `info` or `debug` (as `-v`).',
  },
  {
    names: ['SOCRATICODE_MCP_TOKEN'],
    text: 'The token that clients of `git socraticode mcp --http` must send, as `Authorization: Bearer TOKEN`. Without it, every user of this machine can ask that server.',
  },
];

/** Files in a repository and beside it, for the manual. */
export const files = [
  { name: '.socraticode.json', text: 'Settings of the repository. It cannot set what only the user may decide.' },
  { name: '.socraticodeignore', text: 'Files not to index, in the syntax of gitignore(5).' },
  { name: '.socraticodecontextartifacts.json', text: 'Named files and folders beside the code.' },
  { name: 'refs/notes/socraticode/', text: 'Records of file contents, in git notes. They can be pushed and fetched.' },
  { name: '.git/socraticode/', text: 'Local index, logs and caches. They can be deleted, and are made again.' },
  { name: '.socraticode/', text: 'Records that `git socraticode export` wrote as files to commit.' },
  { name: '~/.local/state/git-socraticode/key', text: "The user's key, which seals the local index." },
];
