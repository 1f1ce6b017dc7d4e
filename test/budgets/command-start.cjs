// Starts the command in this process and, when it is ready, prints which parts of Node were loaded
// although a start does not need them.
const HEAVY = ['internal/deps/undici/undici', 'https', 'internal/webstreams/readablestream'];

process.argv = [process.execPath, 'usage-billing-mock', '--port', '0', '--log-level', 'silent'];
const { write } = process.stdout;
process.stdout.write = (text) => {
  if (!String(text).includes('ready on')) throw new Error(`Not the ready line: ${text}`);
  const loaded = HEAVY.filter((name) => process.moduleLoadList.includes(`NativeModule ${name}`));
  write.call(process.stdout, JSON.stringify(loaded));
  process.exit();
};
require('../../dist/cli.cjs');
