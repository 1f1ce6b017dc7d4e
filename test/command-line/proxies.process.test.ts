import http from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { createMockServer } from '../../src/index.js';
import { runCommand } from '../support/command.js';

const canUseProxies = 'setGlobalProxyFromEnv' in http;

const asked: string[] = [];
const proxy = createServer((socket) => {
  socket.on('error', () => undefined);
  socket.once('data', (data) => {
    asked.push(String(data).split('\r\n')[0] ?? '');
    socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
  });
});
let variables: Record<string, string>;
beforeAll(async () => {
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  variables = { HTTPS_PROXY: url, HTTP_PROXY: url, USAGE_BILLING_TOKEN: 'my-token' };
});
afterAll(() => proxy.close());

test.each([
  ['settle', ['settle', '--target', 'https://billing.example.test', '--rate', '1000'], 4],
  ['fixture --from', ['fixture', '--from', 'https://billing.example.test'], 2],
] as const)('%s goes through the proxy of HTTPS_PROXY, or names it', async (_title, args, code) => {
  const command = runCommand(args, variables);
  expect(await command.ended()).toBe(code);
  expect(command.stderr()).toContain('HTTPS_PROXY is set');
  if (canUseProxies) expect(asked).toContain('CONNECT billing.example.test:443 HTTP/1.1');
  else expect(command.stderr()).toContain('run the command with Node.js 24.14 or later');
});

test('what NO_PROXY lists is called past the proxy', async () => {
  const server = await createMockServer();
  const target = await server.start();
  const env = { ...variables, NO_PROXY: '127.0.0.1' };
  const command = runCommand(['fixture', '--from', target], env);
  const code = await command.ended();
  await server.stop();
  expect([code, command.stderr()]).toEqual([0, expect.not.stringContaining('HTTPS_PROXY')]);
  expect(asked).not.toContainEqual(expect.stringContaining('127.0.0.1'));
});
