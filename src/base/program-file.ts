/** Path of the program's entry file, for hooks and clients that start it without PATH. */
import { fileURLToPath } from 'node:url';

export const PROGRAM_FILE = fileURLToPath(new URL('../cli/main.js', import.meta.url));
