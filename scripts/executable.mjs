// Makes one file of the command and Node, for machines without Node, on the platform that it runs on. Node
// mounts the files in it as a file system, where the package finds its own as ever.
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { AS_NPM } from './npm.mjs';

/** The version of Node inside, the first that mounts files; unless this one is newer. */
const NODE = 26;

/** What the command reads of the package, and the licences of what is bundled. */
const INSIDE =
  /^(?:dist\/(?:[^/]+\.cjs|LICENSES\.txt|page\/.+|parsed\/.+)|fixtures\/.+|openapi\.yaml|package\.json)$/;

const output = resolve(
  'executable',
  process.platform === 'win32' ? 'usage-billing-mock.exe' : 'usage-billing-mock',
);
const folder = mkdtempSync(join(tmpdir(), 'executable-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const main = join(folder, 'main.cjs');
writeFileSync(main, "require('./dist/cli.cjs');\n");
const paths = ['.', 'dist', 'fixtures'].flatMap((at) =>
  readdirSync(at, { recursive: at !== '.', encoding: 'utf8' })
    .map((path) => join(at, path))
    .filter((path) => statSync(path).isFile())
    .map((path) => path.replaceAll('\\', '/')),
);
const config = join(folder, 'config.json');
writeFileSync(
  config,
  JSON.stringify({
    main,
    output,
    disableExperimentalSEAWarning: true,
    useVfs: true,
    assets: Object.fromEntries(
      paths.filter((path) => INSIDE.test(path)).map((path) => [path, path]),
    ),
  }),
);

mkdirSync('executable', { recursive: true });
rmSync(output, { force: true });
const isOwn = Number.parseInt(process.versions.node, 10) >= NODE;
const [node, ...first] = isOwn ? [process.execPath] : ['npx', '--yes', '--', `node@${NODE}`];
execFileSync(node, [...first, '--build-sea', config], { ...(isOwn ? {} : AS_NPM), stdio: 'pipe' });
// macOS starts nothing whose signature does not fit its bytes.
if (process.platform === 'darwin') execFileSync('codesign', ['--force', '--sign', '-', output]);

// Scanners find the Node inside by its CPE.
const inside = execFileSync(node, [...first, '--version'], isOwn ? {} : AS_NPM);
const of = inside.toString().trim().slice(1);
const sbom = JSON.parse(readFileSync('dist/sbom.cdx.json', 'utf8'));
sbom.components.push({
  'bom-ref': `node@${of}`,
  type: 'platform',
  name: 'node',
  version: of,
  cpe: `cpe:2.3:a:nodejs:node.js:${of}:*:*:*:*:*:*:*`,
  purl: `pkg:generic/node@${of}`,
});
sbom.dependencies[0].dependsOn.push(`node@${of}`);
writeFileSync('executable/sbom.cdx.json', `${JSON.stringify(sbom)}\n`);

const version = execFileSync(output, ['--version'], { encoding: 'utf8' }).trim();
const megabytes = Math.round(statSync(output).size / 1e6);
console.log(`${output}: usage-billing-mock ${version} in ${megabytes} MB`);
