/** How `npm run campaign` asks for the long form; read before anything clears the environment. */
export interface LongRun {
  /** What the command line says of sizes. */
  sizes: Record<string, number>;
  /** A file that takes a line of JSON of each campaign. */
  figures: string | undefined;
  /** `--repository`: real history, for campaigns that replay some. */
  repository?: string;
}

function read(text: string | undefined): LongRun | null {
  if (!text) return null;
  return JSON.parse(text) as LongRun;
}

/** Null in the suite. */
export const LONG = read(process.env.SOCRATICODE_CAMPAIGN);
