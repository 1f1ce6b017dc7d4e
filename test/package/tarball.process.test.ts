import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { parseDocument, visit } from 'yaml';
import { packInto } from '../../scripts/pack-into.mjs';
import { fixtureFolder } from '../support/fixture.js';
import { anchorsOf, blocksOf } from '../support/pages.js';
import { run } from '../support/programs.js';

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const folder = join(fixtureFolder, 'consumer');
const MAX_MEGABYTES = 9;

/** The packed package. */
let tarball = '';

/** Runs a program in the folder into which the package was installed. */
async function inConsumer(file: string, ...args: string[]): Promise<string> {
  return (await run(file, args, { cwd: folder, env: { ...process.env, NODE_OPTIONS: '' } })).stdout;
}

/** Every file below a folder, with its size. */
function filesBelow(path: string): { readonly file: string; readonly bytes: number }[] {
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .map((file) => ({ file, stats: statSync(join(path, file)) }))
    .filter(({ stats }) => stats.isFile())
    .map(({ file, stats }) => ({ file, bytes: stats.size }));
}

beforeAll(async () => {
  mkdirSync(folder);
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  tarball = packInto(folder);
  await inConsumer('npm', 'install', '--no-audit', '--no-fund', tarball);
});

describe('the package, packed and installed into an empty folder,', () => {
  test('holds what is needed and no more', async () => {
    const files = filesBelow(join(folder, 'node_modules/usage-billing-mock'));
    const places = new Set(files.map(({ file }) => file.split('/')[0]));
    expect([...places].sort()).toEqual([
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'Dockerfile',
      'LICENSE',
      'README.md',
      'SECURITY.md',
      'bench',
      'dist',
      'docs',
      'examples',
      'fixtures',
      'llms.txt',
      'openapi.yaml',
      'package.json',
      'skills',
    ]);
    for (const { file } of files.filter(({ file }) => !file.startsWith('examples/'))) {
      expect(file).not.toMatch(/\.test\.|\.ts$(?<!\.d\.ts)/);
    }
    const folders = ['examples', 'bench/README.md'];
    const committed = (await run('git', ['ls-files', ...folders])).stdout;
    const shown = files.map(({ file }) => file).filter((file) => /^(examples|bench)\//.test(file));
    expect(shown.sort()).toEqual(committed.trim().split('\n').sort());
  });

  test('has every file and heading that a page in it links, but for pictures', () => {
    const installed = join(folder, 'node_modules/usage-billing-mock');
    const pages = filesBelow(installed).filter(({ file }) => /\.md$|^llms\.txt$/.test(file));
    const links = pages.flatMap(({ file }) => {
      const found = readFileSync(join(installed, file), 'utf8').matchAll(
        /\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g,
      );
      return [...found].map(([, link = '', anchor]) => ({
        path: link === '' ? file : join(dirname(file), link),
        anchor,
      }));
    });
    const paths = links.map(({ path }) => path).filter((path) => !path.endsWith('.png'));
    expect(paths).toEqual(expect.arrayContaining(['docs/decisions.md', 'docs/specification.md']));
    expect(paths.filter((path) => !existsSync(join(installed, path)))).toEqual([]);
    for (const { path, anchor } of links) {
      if (anchor !== undefined) expect(anchorsOf(join(installed, path))).toContain(anchor);
    }
  });

  test('has the document of its control plane in one file, without aliases', () => {
    const { exports } = manifest;
    const [yaml, json] = ['./control.openapi.yaml', './control.openapi.json'].map((name) =>
      readFileSync(join(folder, 'node_modules/usage-billing-mock', exports[name]), 'utf8'),
    );
    const document = parseDocument(yaml ?? '');
    visit(document, { Alias: (_, { source }) => expect(source).toBe('nothing') });
    expect(document.toJS()).toEqual(JSON.parse(json ?? ''));
    const references = [...(json ?? '').matchAll(/"\$ref":"([^"]*)"/g)].map(([, place]) => place);
    expect(references.length).toBeGreaterThan(100);
    expect(references.filter((place) => !place?.startsWith('#/'))).toEqual([]);
  });

  test('has source maps that name its sources, without their contents', () => {
    const installed = join(folder, 'node_modules/usage-billing-mock/dist');
    const maps = filesBelow(installed).filter(({ file }) => file.endsWith('.map'));
    const read = maps.map(({ file }) => JSON.parse(readFileSync(join(installed, file), 'utf8')));
    expect(read.flatMap(({ sources }) => sources)).toContain(
      '../src/mock/service/run-operation.ts',
    );
    expect(read.flatMap(({ sourcesContent = [] }) => sourcesContent)).toEqual([]);
  });

  test('names lines of its sources in stacks if Node reads source maps', async () => {
    const code =
      "require('usage-billing-mock').createMockServer({ seed: 'x' }).catch(({ stack }) => console.log(stack))";
    const flags = ['--enable-source-maps', '--eval', code];
    const { stdout } = await run(process.execPath, flags, { cwd: folder });
    expect(stdout).toMatch(
      /^OptionError: .*\n +at \w+ \(.*\/src\/core\/errors\/option-error\.ts:\d+/,
    );
  });

  test(`brings no other package, and at most ${MAX_MEGABYTES} MB`, async () => {
    const lock = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8'));
    const packages = Object.keys(lock.packages);
    const bytes = filesBelow(join(folder, 'node_modules')).reduce(
      (sum, file) => sum + file.bytes,
      0,
    );
    const megabytes = Math.round(bytes / 1e5) / 10;
    process.stdout.write(`The package installs ${megabytes} MB.\n`);
    expect(packages).toEqual(['node_modules/usage-billing-mock']);
    expect(megabytes).toBeLessThanOrEqual(MAX_MEGABYTES);
  });

  test('has beside the code of other packages their licences', () => {
    const installed = join(folder, 'node_modules/usage-billing-mock/dist');
    const licenses = readFileSync(join(installed, 'LICENSES.txt'), 'utf8');
    const code = readdirSync(installed).filter((file) => /\.[cm]js$/.test(file));
    const bundled = new Set(
      code.flatMap((file) =>
        [
          ...readFileSync(join(installed, file), 'utf8').matchAll(
            /^\/\/ .*node_modules\/((?:@[^/]+\/)?[^/]+)\//gm,
          ),
        ].map(([, name]) => name),
      ),
    );
    expect([...bundled]).toEqual(expect.arrayContaining(['express', '@faker-js/faker', 'ajv']));
    const named = licenses.matchAll(/^(\S+) \d\S*, (MIT|ISC|BSD-\d-Clause)$/gm);
    // The page is minified, so its regions have no names.
    const all = new Set([...bundled, 'preact']);
    expect(new Set([...named].map(([, name]) => name))).toEqual(all);
  });

  test('lists for scanners the packages that it has the licences of', () => {
    const installed = join(folder, 'node_modules/usage-billing-mock/dist');
    const sbom = JSON.parse(readFileSync(join(installed, 'sbom.cdx.json'), 'utf8'));
    const listed = sbom.components.map(
      ({ name, version }: Record<string, string>) => `${name} ${version}`,
    );
    const licenses = readFileSync(join(installed, 'LICENSES.txt'), 'utf8');
    const licensed = [...licenses.matchAll(/^(\S+ \d\S*), \S+$/gm)].map(([, named]) => named);
    expect(sbom.bomFormat).toBe('CycloneDX');
    expect(listed.sort()).toEqual(licensed.sort());
  });

  test('is installed and run by the lines of README.md', async () => {
    const lines = blocksOf('README.md', 'sh').join('').split('\n');
    const [install = ''] = lines.filter((line) => line.startsWith('npm i -D '));
    const [execute = ''] = lines.filter((line) => line.startsWith('npx '));
    const project = join(fixtureFolder, 'project');
    mkdirSync(project);
    cpSync(tarball, join(project, basename(tarball)));
    const env = { ...process.env, NODE_OPTIONS: '' };
    const inProject = async (line: string) =>
      (await run('sh', ['-c', line], { cwd: project, env })).stdout;
    expect(await inProject(`${execute} --version`)).toBe(`${manifest.version}\n`);
    // npm writes about scripts to standard error.
    expect(await inProject(`${install} --no-audit --no-fund 2>&1`)).not.toContain('scripts');
    expect(JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))).toEqual({
      devDependencies: { 'usage-billing-mock': `file:${basename(tarball)}` },
    });
    expect(await inProject('npx usage-billing-mock --version')).toBe(`${manifest.version}\n`);
  });
});
