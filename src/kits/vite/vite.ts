import type { Plugin } from 'vite';
import type { ViteMockOptions } from './vite-options.js';

export type { ViteMockOptions };

/** A mock that a dev server serves. */
interface Served {
  /** What Vite names when it closes the server; undefined before Vite 6. */
  readonly client: unknown;
  stop(): Promise<void>;
}

/**
 * A plugin of Vite: `vite dev` and `vite preview` answer with the mock below the path. What the mock
 * does not have continues to Vite and its proxy; nothing of it is in what `vite build` writes.
 * A mistake in the options stops the dev server.
 *
 * @example
 * import { usageBillingMock } from 'usage-billing-mock/vite';
 * import { defineConfig } from 'vite';
 *
 * export default defineConfig({ plugins: [usageBillingMock({ path: '/billing' })] });
 */
export function usageBillingMock(options: ViteMockOptions): Plugin {
  const served: Served[] = [];
  return {
    name: 'usage-billing-mock',
    apply: 'serve',
    async configureServer(server) {
      const { serveMock } = await import('./mounted-mock.js');
      const { stop, explainUnknownPaths } = await serveMock(
        server,
        server.config.server.host,
        options,
      );
      served.push({ client: server.environments?.client, stop });
      return explainUnknownPaths;
    },
    async configurePreviewServer(server) {
      const { serveMock } = await import('./mounted-mock.js');
      const { stop, explainUnknownPaths } = await serveMock(
        server,
        server.config.preview.host,
        options,
      );
      server.httpServer.once('close', stop);
      return explainUnknownPaths;
    },
    // A server that restarts closes when the next is configured, by this very plugin perhaps.
    async closeBundle() {
      const nth = served.findIndex(({ client }) => client === this.environment);
      const [closed] = nth === -1 ? [] : served.splice(nth, 1);
      await closed?.stop();
    },
  };
}
