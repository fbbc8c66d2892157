/**
 * Complexity of code in any language, by its indentation: the depth of every line of code, added up. Hindle, Godfrey and Holt,
 * "Reading Beside the Lines: Indentation as a Proxy for Complexity Metrics" (ICPC 2008), find that it goes with McCabe's and
 * Halstead's measures.
 */

/** Columns of a tab; only lines that mix tabs and spaces depend on it. */
const TAB = 8;
/** Lines, from their first sign on, that are comments in most languages, and lines without a word, such as a closing bracket. */
const NO_CODE = /^(?:\/\/|\/\*|\*|#(?!\w)|--|\W*$)/;
/** Characters of a line that are read: the rest of a longer one cannot change its depth. */
const MAX_READ = 400;

/**
 * Depth of each line of code, null for all others. A line is one deeper than the nearest line above that is indented less, so that the
 * width of an indentation does not matter. Takes time in proportion to the text.
 */
export function depthsOf(text: string): (number | null)[] {
  const around: number[] = [];
  return text.split('\n').map((line) => {
    const start = line.slice(0, MAX_READ);
    if (NO_CODE.test(start.trimStart())) return null;
    const columns = columnsBefore(start);
    while (around.length > 0 && around[around.length - 1] >= columns) around.pop();
    around.push(columns);
    return around.length - 1;
  });
}

export interface Complexity {
  /** Depths added up. */
  complexity: number;
  /** Lines of code. */
  codeLines: number;
}

/**
 * Complexity of lines `startLine` to `endLine`, counted from 1; default: all of them. Depths count from that of the first line, so that
 * a method is no more complex than a function for being in a class.
 */
export function complexityOf(depths: readonly (number | null)[], startLine = 1, endLine = depths.length): Complexity {
  const own = depths.slice(startLine - 1, endLine).filter((depth) => depth !== null);
  const base = own[0] ?? 0;
  return { complexity: own.reduce((sum, depth) => sum + Math.max(0, depth - base), 0), codeLines: own.length };
}

function columnsBefore(line: string): number {
  let columns = 0;
  for (const sign of line) {
    if (sign === '\t') columns += TAB - (columns % TAB);
    else if (sign === ' ') columns++;
    else break;
  }
  return columns;
}
