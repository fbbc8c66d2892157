/** Addresses by which editors open a line of a file, with `{root}`, `{path}` and `{start}` for a page to fill in, escaped as in a URL. */
const ADDRESSES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['vscode', 'vscodium', 'cursor', 'windsurf', 'zed'].map((name) => [name, `${name}://file{root}{path}:{start}`]),
  ),
  idea: 'idea://open?file={root}{path}&line={start}',
};

/** Null for an editor that no address opens, such as `none`. */
export const editorAddress = (editor: string): string | null =>
  Object.hasOwn(ADDRESSES, editor) ? ADDRESSES[editor] : null;
