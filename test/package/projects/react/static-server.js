import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

const [, , folder, policy = "default-src 'self'"] = process.argv;

/** Serves only the files of a folder. */
const server = createServer(async ({ url }, response) => {
  const path = new URL(url, 'http://host').pathname.replace(/\/$/, '/index.html');
  const content = await readFile(join(folder, path)).catch(() => undefined);
  response.writeHead(content ? 200 : 404, {
    'Content-Type': TYPES[extname(path)] ?? 'image/svg+xml',
    'Content-Security-Policy': policy,
  });
  response.end(content);
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`Local: http://127.0.0.1:${server.address().port}\n`);
});
