// Preloaded into the command, it lists the folder LISTED on standard error when the command ends,
// because the command's own disk ends with it.
const { readdirSync } = require('node:fs');

process.once('exit', () => {
  process.stderr.write(`Left: ${readdirSync(process.env.LISTED ?? '')}\n`);
});
