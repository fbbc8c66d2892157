/** The top of this repository, seen from where the tests are compiled to. */
export const ROOT = new URL('../../../', import.meta.url);
