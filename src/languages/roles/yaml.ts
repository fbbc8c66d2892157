/** The few things that manifests in YAML are asked: a word, and a list of words, at top level. */

/** The items of the list `key`, in either style; none if there is no such list. */
export function yamlList(yaml: string, key: string): string[] {
  const lines = yaml.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`${key}:`));
  if (start < 0) return [];
  const inline = plain(lines[start].slice(key.length + 1));
  if (inline.startsWith('[')) {
    return inline
      .replace(/^\[|\]$/g, '')
      .split(',')
      .map(plain)
      .filter((item) => item !== '');
  }
  const items: string[] = [];
  for (const line of lines.slice(start + 1)) {
    const content = line.trim();
    if (content === '' || content.startsWith('#')) continue;
    if (!content.startsWith('- ')) break;
    items.push(plain(content.slice(2)));
  }
  return items.filter((item) => item !== '');
}

/** The word behind a key at top level; '' if there is none. */
export function yamlWord(yaml: string, key: string): string {
  const line = yaml.split('\n').find((text) => text.startsWith(`${key}:`));
  return line === undefined ? '' : plain(line.slice(key.length + 1));
}

/** Without white space, quotes and a comment behind it. */
function plain(scalar: string): string {
  const word = scalar.trim();
  const quote = word[0];
  if (quote === '"' || quote === "'") {
    const end = word.indexOf(quote, 1);
    return end < 0 ? word.slice(1) : word.slice(1, end);
  }
  const comment = word.indexOf(' #');
  return comment < 0 ? word : word.slice(0, comment).trim();
}
