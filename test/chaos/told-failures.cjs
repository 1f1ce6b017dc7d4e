// Preloaded into the command, it reports on standard error that a file could not be written, even
// if the command ignores that because it can do without the file.
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
