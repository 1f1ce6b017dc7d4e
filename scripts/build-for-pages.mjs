// Builds dist/browser.mjs, the mock for pages: with the documents as data, compiled validators, and
// each dataset in its own chunk.
import { readdirSync, readFileSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';
import { parse } from 'yaml';

const PREFIX = 'virtual:';
const read = (/** @type {string} */ file) => parse(readFileSync(file, 'utf8'));

/** Never called in a page, which has no files to parse and gets compiled schemas. */
const UNREACHED = ['ajv', 'ajv-formats', 'yaml'];
const standIn = (/** @type {string} */ file) =>
  fileURLToPath(new URL(`stand-ins/${file}`, import.meta.url));

async function shippedModules() {
  // Loaded only here, because it takes a while.
  const { tsImport } = await import('tsx/esm/api');
  const { compileValidators } = await tsImport('./compile-validators.ts', import.meta.url);
  const { wholeControlDocument } = await tsImport(
    '../src/mock/control-plane/control-document.ts',
    import.meta.url,
  );
  const [service, control] = ['openapi.yaml', 'control.openapi.yaml'].map(read);
  const datasets = readdirSync('fixtures')
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => basename(file, '.yaml'));
  const fixtures = datasets.map(
    (name) => `${JSON.stringify(name)}: async () => (await import('virtual:${name}')).fixture`,
  );
  const shipped = `
    export const version = ${JSON.stringify(JSON.parse(readFileSync('package.json', 'utf8')).version)};
    export const reasonPhrases = ${JSON.stringify(STATUS_CODES)};
    export const documents = {
      'openapi.yaml': ${JSON.stringify(service)},
      'control.openapi.yaml': ${JSON.stringify(control)},
    };
    export const fixtures = { ${fixtures.join(', ')} };
    export const createValidators = ${compileValidators(service, wholeControlDocument(control, service))};
  `;
  return new Map([
    ['shipped', shipped],
    ...datasets.map(
      (name) =>
        /** @type {[string, string]} */ ([
          name,
          // Parsed, because an object literal would not keep a member named __proto__.
          `export const fixture = JSON.parse(${JSON.stringify(JSON.stringify(read(`fixtures/${name}.yaml`)))});`,
        ]),
    ),
  ]);
}

export async function buildForPages(outDir = 'dist') {
  const modules = await shippedModules();
  const { build } = await import('tsdown');
  await build({
    config: false,
    entry: { browser: 'src/browser.ts' },
    outDir,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    fixedExtension: true,
    deps: { alwaysBundle: /./, onlyBundle: false },
    inputOptions: ({ transform, ...options }) => ({
      ...options,
      transform: {
        ...transform,
        inject: { 'crypto.randomUUID': [standIn('random-uuid.mjs'), 'randomUUID'] },
      },
    }),
    dts: false,
    clean: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'for-pages',
        resolveId: (id) => {
          if (UNREACHED.includes(id)) return standIn('unreachable.cjs');
          return id.startsWith(PREFIX) ? `\0${id}` : undefined;
        },
        load: (id) =>
          id.startsWith(`\0${PREFIX}`) ? modules.get(id.slice(PREFIX.length + 1)) : undefined,
        // Nobody reads data or compiled validators, and minified they are half as long.
        generateBundle(_options, bundle) {
          for (const chunk of Object.values(bundle)) {
            if (chunk.type !== 'chunk' || chunk.isEntry) continue;
            chunk.code = transformSync(chunk.code, { minify: true }).code;
          }
        },
      },
    ],
    outputOptions: (options) => ({
      ...options,
      chunkFileNames: 'browser-[name]-[hash].mjs',
      codeSplitting: { groups: [{ name: 'shipped', test: /virtual:shipped$/ }] },
    }),
  });
}
