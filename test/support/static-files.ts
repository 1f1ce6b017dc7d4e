import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** The folder of the built package. */
export const DIST = 'dist/';

/** Serves only files, with the strictest Content-Security-Policy that still allows scripts. */
export async function serveFiles() {
  const called: string[] = [];
  const server = createServer(({ url = '/' }, response) => {
    called.push(url);
    const file = join(DIST, url);
    const isCode = url.endsWith('.mjs') && existsSync(file);
    response.setHeader('Content-Security-Policy', "default-src 'self'");
    response.setHeader('Content-Type', isCode ? 'text/javascript' : 'text/html');
    response.end(isCode ? readFileSync(file) : `<!doctype html><title>static</title>${url}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, called, close: () => server.close() };
}
