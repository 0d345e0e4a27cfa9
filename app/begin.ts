// What `node dist/app/cli.js` is: it runs the program, whose first part is made of cli.ts.
import { runProgram } from './machine/kept-code.ts';

runProgram(import.meta.dirname);
