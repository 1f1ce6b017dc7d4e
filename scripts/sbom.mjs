// Writes dist/sbom.cdx.json, a CycloneDX list of the packages whose code is in dist/. Users'
// scanners need it, because bundled packages have no manifest there.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { bundledPackages } from './bundled-packages.mjs';
import { AS_NPM } from './npm.mjs';

const bundled = new Set(
  bundledPackages().map(({ manifest }) => `${manifest.name}@${manifest.version}`),
);
const { name } = JSON.parse(readFileSync('package.json', 'utf8'));
const text = execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx'], {
  ...AS_NPM,
  encoding: 'utf8',
  maxBuffer: 2 ** 26,
});

/**
 * @typedef {{ 'bom-ref': string, properties?: unknown }} Component
 * @typedef {{ ref: string, dependsOn?: string[] }} Dependency
 * @type {{
 *   serialNumber: string,
 *   metadata: { timestamp: string, component: Component },
 *   components: Component[],
 *   dependencies: Dependency[],
 * }}
 */
const all = JSON.parse(text);

// With a serial number and a time, every build would differ.
const { serialNumber, metadata, components, dependencies, ...head } = all;
const { timestamp, component, ...origin } = metadata;
const missing = [...bundled].filter((one) => !components.some((other) => other['bom-ref'] === one));
if (missing.length > 0) throw new Error(`npm sbom does not list ${missing.join(', ')}.`);
const sbom = {
  ...head,
  metadata: { ...origin, component: { ...component, name } },
  components: components
    .filter((one) => bundled.has(one['bom-ref']))
    // The properties mark them as development dependencies, but the package contains their code.
    .map(({ properties, ...one }) => one),
  dependencies: [
    { ref: component['bom-ref'], dependsOn: [...bundled].sort() },
    ...dependencies
      .filter(({ ref }) => bundled.has(ref))
      .map(({ ref, dependsOn = [] }) => ({
        ref,
        dependsOn: dependsOn.filter((one) => bundled.has(one)),
      })),
  ],
};
writeFileSync('dist/sbom.cdx.json', `${JSON.stringify(sbom)}\n`);
