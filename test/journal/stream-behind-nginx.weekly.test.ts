import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMockServer } from '../../src/index.js';

const hasNginx = spawnSync('nginx', ['-v']).error === undefined;
const runs = hasNginx ? test : test.skip;
const why = hasNginx ? '' : ' (skipped: nginx is not installed)';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

const isHealthy = (url: string) =>
  fetch(`${url}/__control/health`).then(
    ({ ok }) => ok,
    () => false,
  );

runs(`the event stream passes nginx, which buffers responses by default${why}`, async () => {
  const server = await createMockServer();
  const target = await server.start();
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'nginx-'));
  const config = `daemon off; pid nginx.pid; events {}
http {
  access_log off;
  proxy_temp_path proxy;
  server { listen 127.0.0.1:${port}; location / { proxy_pass ${target}; } }
}`;
  writeFileSync(join(folder, 'nginx.conf'), config);
  const args = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'];
  const nginx = spawn('nginx', args, { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  try {
    while (!(await isHealthy(url))) expect(nginx.exitCode).toBeNull();
    const ending = new AbortController();
    const stream = await fetch(`${url}/__control/requests/stream?of=all`, ending);
    const { value } = (await stream.body?.getReader().read()) ?? {};
    expect(new TextDecoder().decode(value)).toContain(': The requests follow');
    ending.abort();
  } finally {
    nginx.kill();
    await once(nginx, 'exit');
    await server.stop();
    rmSync(folder, { recursive: true });
  }
});
