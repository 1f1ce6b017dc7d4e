import { completeOptions } from '../../host/options/complete-options.js';
import type { MockServerOptions } from '../../host/options/mock-server-options.js';
import { createMockServer } from '../../host/server/mock-server.js';
import { optionsInRun } from '../../host/server/run-environment.js';
import type { SharedMockAddress } from './shared-mock-address.js';

/** What the process of the shared mock sends back when it has received its options. */
export type SharedMockStart = Omit<SharedMockAddress, 'run'> | { readonly error: string };

// The process ends with the runner, however that ends. It leaves Ctrl-C to the runner.
process.on('disconnect', () => process.exit());
process.on('SIGINT', () => undefined);
process.once('message', async (options: MockServerOptions) => {
  process.send?.(await startWith(options));
});

async function startWith(options: MockServerOptions): Promise<SharedMockStart> {
  try {
    const server = await createMockServer(options);
    const url = await server.start();
    const { controlToken, dataset } = server;
    const hasCoverageFile = optionsInRun(completeOptions(options)).coverage !== undefined;
    return {
      url,
      seed: dataset.seed,
      hasCoverageFile,
      ...(controlToken !== undefined && { controlToken }),
    };
  } catch (error) {
    return { error: (error as Error).message };
  }
}
