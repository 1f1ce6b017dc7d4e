// Preloaded into the command, it says on standard error that a file could not be written, which the
// command keeps to itself where it can do without the file.
const fs = require('node:fs');

const { writeFileSync } = fs;

fs.writeFileSync = (path, ...rest) => {
  try {
    writeFileSync(path, ...rest);
  } catch (thrown) {
    process.stderr.write(`Not written: ${thrown.code}\n`);
    throw thrown;
  }
};
