// Preloaded into the command, it says on standard error which names are in the folder LISTED when the
// command ends: a disk of its own ends with it.
const { readdirSync } = require('node:fs');

process.once('exit', () => {
  process.stderr.write(`Left: ${readdirSync(process.env.LISTED ?? '')}\n`);
});
