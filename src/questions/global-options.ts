/** Options of the program itself: they may stand anywhere on a command line. */

export interface GlobalOption {
  names: readonly string[];
  /** Set where the option takes a value: what it is. */
  value?: string;
  summary: string;
}

/** In the order of `--help` (data). */
export const GLOBAL_OPTIONS: readonly GlobalOption[] = [
  { names: ['-C'], value: 'dir', summary: 'work on the repository at this directory' },
  { names: ['-v', '--verbose'], summary: 'say more on stderr' },
  { names: ['--color'], value: 'when', summary: 'auto, always or never (default: what color.ui of git says)' },
  { names: ['--no-pager'], summary: 'print long answers without a pager' },
];

/** The option as help shows it: `-v, --verbose`, `-C <dir>`. */
export const globalForm = ({ names, value }: GlobalOption): string =>
  `${names.join(', ')}${value === undefined ? '' : ` <${value}>`}`;

/** How many words the global option at `at` has: 0 if there is none. */
export function globalLength(words: readonly string[], at: number): number {
  const [name, joined] = words[at].startsWith('--') ? words[at].split('=', 2) : [words[at]];
  const option = GLOBAL_OPTIONS.find(({ names }) => names.includes(name));
  if (option === undefined) return 0;
  return option.value === undefined || joined !== undefined || at + 1 >= words.length ? 1 : 2;
}
