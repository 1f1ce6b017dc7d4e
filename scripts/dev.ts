// The command from its sources: `npm run dev` runs it, and again when they change.
import { main } from '../src/command-line/program.js';

void main();
