// Starts the mock in its own process, calls each operation once, and prints what that took, in
// counts that do not depend on the machine's load, which a test compares with budgets.
const { readFileSync } = require('node:fs');

const counts = { modules: 0, bytes: 0, schemas: 0 };
// Ajv compiles every schema with this constructor.
globalThis.Function = new Proxy(Function, {
  construct(target, given, newTarget) {
    counts.schemas += 1;
    return Reflect.construct(target, given, newTarget);
  },
});

async function main() {
  const { createMockServer } = require('usage-billing-mock');
  const server = await createMockServer();
  const headers = { Authorization: 'Bearer budget', 'Content-Type': 'application/json' };
  for (const [method, path, body] of [
    ['GET', '/customers/65a000000000000000000001'],
    ['GET', '/customers/name/Acme%20Corporation'],
    ['GET', '/measurements?limit=10'],
    ['DELETE', '/contracts/65b000000000000000000001'],
    ['POST', '/events/delete-by-refs', '{"refs":["acme-2026-03-31-001"]}'],
  ]) {
    const { status } = await server.fetch(path, { method, headers, body });
    if (status !== 200) throw new Error(`${method} ${path}: ${status}`);
  }
  const files = Object.keys(require.cache);
  counts.modules = files.length;
  counts.bytes = files.reduce((sum, file) => sum + readFileSync(file).length, 0);
  process.stdout.write(JSON.stringify(counts));
}

main();
