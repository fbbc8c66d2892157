/** How declared parameters are spelled on the command line. */
import { groupDigits } from '../base/digits.js';
import { shellWord } from '../base/hygiene.js';
import type { Param, Params } from './param.js';

/** `minConfidence` -> `min-confidence`. */
const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The option of a parameter without its value: `--min-confidence`; a flag that is set by default is cleared: `--no-tests`. */
export function optionOf(key: string, { cli, type, default: usual }: Param): string {
  const isCleared = type === 'flag' && usual === true;
  return `--${(cli || undefined)?.option ?? (isCleared ? `no-${kebab(key)}` : kebab(key))}`;
}

/** An option by the name of its parameter, for texts: `--min-confidence`. */
export const optionText = (name: string): string => `--${kebab(name)}`;

/** The option as help shows it: `--depth <n>`, `--remote [name]`, `-i, --ignore-case`. */
export function optionForm(key: string, param: Param): string {
  const { short } = param.cli || {};
  const option = `${short === undefined ? '' : `${short}, `}${optionOf(key, param)}`;
  if (param.type === 'flag') return option;
  const { value = key, bare } = param.cli || {};
  return bare === undefined ? `${option} <${value}>` : `${option} [${value}]`;
}

/** Summary with bounds and default: `hops, 1 to 10 (default: 3)`. */
export function describeParam(param: Param): string {
  const { summary, type, min, max, choices } = param;
  const isBounded = (type === 'integer' || type === 'number') && max !== undefined && max !== Number.MAX_SAFE_INTEGER;
  const bounds = isBounded ? `, ${groupDigits(min ?? 0)} to ${groupDigits(max)}` : '';
  const listed = choices === undefined ? '' : `: ${choices.join(', ')}`;
  const usual =
    param.defaultText ?? (type === 'flag' || param.default === undefined ? undefined : plainDefault(param.default));
  return `${summary}${bounds}${listed}${usual === undefined ? '' : ` (default: ${usual})`}`;
}

const plainDefault = (value: unknown): string => (typeof value === 'number' ? groupDigits(value) : String(value));

/** Values by the names of parameters; those that are undefined are left out. */
type CommandOptions = Readonly<Record<string, string | number | true | undefined>>;

/** A command line that the reader can type: `git socraticode fsck --repair`. Names are those of declarations; a test compares. */
export function commandText(command: string, options: CommandOptions = {}): string {
  const words = Object.entries(options).flatMap(([key, value]) => {
    if (value === undefined) return [];
    return [value === true ? `--${kebab(key)}` : `--${kebab(key)} ${shellWord(String(value))}`];
  });
  return ['git socraticode', command, ...words].join(' ');
}

/** Parameters that are arguments, in order, and those that are options. */
export function splitParams(params: Params): { argumentKeys: string[]; optionKeys: string[] } {
  const keys = Object.keys(params).filter((key) => params[key].cli !== false);
  const isArgument = (key: string) => (params[key].cli || undefined)?.argument !== undefined;
  return { argumentKeys: keys.filter(isArgument), optionKeys: keys.filter((key) => !isArgument(key)) };
}
