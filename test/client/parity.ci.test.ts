import { createMockServer, type MockServer, type MockServerOptions } from '../../src/index.js';
import type { ConnectOptions } from '../../src/mock/client/connect-mock-server.js';
import { compareWithLibrary, OPTIONS, requestOf } from './compare-with-library.js';

async function startedServer(options: MockServerOptions = {}): Promise<MockServer> {
  const server = await createMockServer({ ...OPTIONS, ...options, port: 0 });
  await server.start();
  servers.push(server);
  return server;
}

const servers: MockServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.stop())));

/** Ways to start the server, and the options that its client needs then. */
const STARTS: readonly (readonly [
  words: string,
  options: MockServerOptions,
  connect: (url: string) => Partial<ConnectOptions>,
])[] = [
  ['', {}, () => ({})],
  [' with a control token', { controlToken: 'secret' }, () => ({ controlToken: 'secret' })],
  [' where unknown tokens are rejected', { decisions: { 'unknown-token': 'reject' } }, () => ({})],
  [
    ' below a base path, with a slash at the end',
    { basePath: '/v1' },
    (url) => ({ url: `${url}/` }),
  ],
];

describe.each(STARTS)('the client%s', (_words, options, connectOptions) => {
  test('does all that the library does, and refuses the same', async () => {
    const server = await startedServer(options);
    await compareWithLibrary(
      await createMockServer({ ...OPTIONS, ...options }),
      { url: server.url, ...connectOptions(server.url) },
      requestOf(server),
    );
  });
});
