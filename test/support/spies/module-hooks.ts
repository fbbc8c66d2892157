/** Module hooks: write down every module of the program that is loaded. Registered by `module-spy`. */
import { appendFileSync } from 'node:fs';

type NextLoad = (url: string, context: unknown) => Promise<unknown>;

export async function load(url: string, context: unknown, nextLoad: NextLoad) {
  const log = process.env.MODULES_LOG;
  if (log !== undefined && /\/src\/.*\.js$/.test(url)) appendFileSync(log, `${url}\n`);
  return nextLoad(url, context);
}
