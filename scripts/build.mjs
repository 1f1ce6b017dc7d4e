// Builds dist/ as scripts/tsdown.config.ts says, unless it was built from these very sources; quietly,
// because every `npm start` and `npm pack` runs it. Adds the licences of bundled packages, and the
// YAML files as JSON, which is parsed much faster.
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parse, stringify } from 'yaml';
import { buildForPages } from './build-for-pages.mjs';
import { bundledLicenses } from './bundled-packages.mjs';

/** What dist/ is built from; npm's hidden lock file says which packages are installed. */
const SOURCES = [
  'src',
  'scripts',
  'fixtures',
  'openapi.yaml',
  'control.openapi.yaml',
  'package.json',
  'tsconfig.json',
  'node_modules/.package-lock.json',
];
/** Has the checksum of the sources; written last, so that a failed build does not count. */
const BUILT_FROM = 'dist/sources.sha256';

// They are among the sources, but in no commit.
await import('./generate-types.mjs');

const sourcesSum = sumOf(SOURCES.flatMap(filesIn));
if (existsSync(BUILT_FROM) && readFileSync(BUILT_FROM, 'utf8') === sourcesSum) process.exit();

// Loading it takes half a second.
const { build } = await import('tsdown');
await build({ config: 'scripts/tsdown.config.ts', cwd: '.', logLevel: 'error' });
await buildForPages();

writeFileSync('dist/LICENSES.txt', bundledLicenses());
copyFileSync('src/page/index.html', 'dist/page/index.html');
copyFileSync('src/page/page.css', 'dist/page/page.css');

for (const entry of ['index', 'library', 'vite'])
  writeFileSync(`dist/${entry}.mjs`, moduleOf(entry));

const OF_MODULES_ALONE = /^(?:browser|vitest)\b/;
for (const file of readdirSync('dist').filter((file) => file.endsWith('.d.mts'))) writeTypes(file);

// What the export condition of bundlers for pages leads to. Tests in Node may set that condition too, so
// each file looks where it is. Bundlers of pages stop at an import that they cannot resolve, and show it.
const IN_NODE = 'const { getBuiltinModule } = globalThis.process ?? {};';
writeFileSync(
  'dist/not-for-pages.mjs',
  `${IN_NODE}
if (!getBuiltinModule) await import('usage-billing-mock runs in Node, not in a page. Import usage-billing-mock/browser there, or usage-billing-mock/client for a mock that is served by usage-billing-mock/vite or npx usage-billing-mock. For a test that runs in Node, add usage-billing-mock to server.deps.external of vitest');
const library = getBuiltinModule('module').createRequire(import.meta.url)('./index.cjs');
export const { ${namesIn('index').join(', ')} } = library;
`,
);
const [, kit] = readFileSync('dist/vitest.mjs', 'utf8').match(/^export \{ (.*) \};$/m);
writeFileSync(
  'dist/vitest.not-for-pages.mjs',
  `${IN_NODE}
if (!getBuiltinModule)
  throw new Error("usage-billing-mock/vitest runs in Node, but vitest's browser mode runs this file in a page. Import createBrowserMock from usage-billing-mock/browser instead: see docs/testing.md.");
export const { ${kit} } = await import('./vitest.mjs');
`,
);

const fixtures = readdirSync('fixtures').filter((file) => file.endsWith('.yaml'));
const files = [
  'openapi.yaml',
  'control.openapi.yaml',
  ...fixtures.map((file) => `fixtures/${file}`),
];
for (const file of files) {
  const text = readFileSync(file, 'utf8');
  const parsed = { sha256: createHash('sha256').update(text).digest('hex'), value: parse(text) };
  const target = join('dist/parsed', `${file}.json`);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, JSON.stringify(parsed));
}

// For users: the control plane's document as it is served, without other files and aliases, which
// many generators of clients do not follow.
const { createMockServer } = createRequire(import.meta.url)('../dist/index.cjs');
const { fetch: call } = await createMockServer({ dataset: 'empty' });
const served = await call('/__control/control.openapi.json');
const document = await served.text();
writeFileSync('dist/control.openapi.json', document);
writeFileSync('dist/control.openapi.yaml', stringify(JSON.parse(document), { lineWidth: 0 }));
writeFileSync(BUILT_FROM, sourcesSum);

function filesIn(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function sumOf(paths) {
  const sum = createHash('sha256');
  for (const path of paths) sum.update(`${path}\n`).update(readFileSync(path));
  return sum.digest('hex');
}

/** An ES module that exports the same objects as the CommonJS file. */
function moduleOf(entry) {
  const names = namesIn(entry).join(', ');
  return `import library from './${entry}.cjs';\nexport const { ${names} } = library;\n`;
}

function namesIn(entry) {
  return Object.keys(createRequire(import.meta.url)(`../dist/${entry}.cjs`));
}

/**
 * Writes types for CommonJS, and for ES modules a reference to these: a program with modules of both
 * kinds has each type once.
 */
function writeTypes(file) {
  const types = readFileSync(`dist/${file}`, 'utf8').replaceAll(/(from "\.\/.+)\.mjs"/g, '$1.cjs"');
  if (OF_MODULES_ALONE.test(file)) return writeFileSync(`dist/${file}`, types);
  const name = file.replace('.d.mts', '');
  const common = types.replace(/^export \{ (\w+) as default \};$/m, 'export = $1;');
  writeFileSync(`dist/${name}.d.cts`, common);
  const exported = common === types ? '*' : '{ default }';
  if (existsSync(`dist/${name}.cjs`))
    writeFileSync(`dist/${file}`, `export ${exported} from './${name}.cjs';\n`);
  else rmSync(`dist/${file}`);
}
