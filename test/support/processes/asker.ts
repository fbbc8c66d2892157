/** A process that answers many command lines, one after the other: `node asker.js`, arguments as JSON on stdin. */
import { text } from 'node:stream/consumers';
import { type Answer, answer } from '../in-process/answer.js';

const questions = JSON.parse(await text(process.stdin)) as string[][];
const answers: Answer[] = [];
for (const question of questions) answers.push(await answer(question));
process.stdout.write(JSON.stringify(answers));
