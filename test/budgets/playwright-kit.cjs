// Loads the kit of Playwright, and prints counts of what was loaded, which a test compares with
// budgets.
const { readFileSync } = require('node:fs');

const extend = () => ({});
// Playwright passes this only to test files.
const id = require.resolve('@playwright/test');

require.cache[id] = { id, exports: { test: { extend }, expect: { extend } }, loaded: true };

require('usage-billing-mock/playwright');

const files = Object.keys(require.cache).filter((file) => ![id, __filename].includes(file));
const bytes = files.reduce((sum, file) => sum + readFileSync(file).length, 0);
process.stdout.write(JSON.stringify({ modules: files.length, bytes }));
