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
  [
    ' below a base path, with a control token, where unknown tokens are rejected',
    { basePath: '/v1', controlToken: 'secret', decisions: { 'unknown-token': 'reject' } },
    (url) => ({ url: `${url}/`, controlToken: 'secret' }),
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
