// Builds dist/demo, a static site: the front end of examples/demo, the mock, and the mock's page.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const DEMO = 'dist/demo';

/** The page calls the control plane relative to its own folder. */
const CONTROL = join(DEMO, 'billing/__control');

rmSync(DEMO, { recursive: true, force: true });
cpSync('examples/demo', DEMO, { recursive: true });
for (const file of readdirSync('dist').filter((name) => /^browser.*\.mjs$/.test(name))) {
  cpSync(join('dist', file), join(DEMO, file));
}
mkdirSync(join(CONTROL, 'ui'), { recursive: true });
for (const file of ['page.css', 'page.js'])
  cpSync(join('dist/page', file), join(CONTROL, 'ui', file));

// The page's calls reach the mock in the window that shows or has opened it.
writeFileSync(
  join(CONTROL, 'ui/in-tab.js'),
  'const { fetch } = window.opener ?? window.parent;\nglobalThis.fetch = fetch;\n',
);
const index = readFileSync('dist/page/index.html', 'utf8');
const inTab = '<script type="module" src="ui/in-tab.js"></script>';
const shown = index.replace('<script', `${inTab}\n    <script`);
writeFileSync(join(CONTROL, 'ui.html'), shown.replace('href="data:,"', 'href="../../icon.svg"'));

console.log(`Built ${DEMO}. Serve it with any server of static files, such as:`);
console.log(`  python3 -m http.server --directory ${DEMO}`);
