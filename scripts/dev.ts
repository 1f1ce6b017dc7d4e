// Runs the command from its sources; `npm run dev` restarts it when they change.
import { main } from '../src/command-line/program.js';

void main();
