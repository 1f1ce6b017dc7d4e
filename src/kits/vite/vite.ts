import type { Plugin, PreviewServer, ViteDevServer } from 'vite';
import type { ViteMockOptions } from './vite-options.js';

export type { ViteMockOptions };

/**
 * A Vite plugin: `vite dev` and `vite preview` serve the mock below the path. Calls that the mock does
 * not know continue to Vite and its proxy; `vite build` contains nothing of it. A mistake in the
 * options stops the dev server.
 *
 * @example
 * import { usageBillingMock } from 'usage-billing-mock/vite';
 * import { defineConfig } from 'vite';
 *
 * export default defineConfig({ plugins: [usageBillingMock({ path: '/billing' })] });
 */
export function usageBillingMock(options: ViteMockOptions): Plugin {
  /** What stops the mock of each dev server, by what Vite names when it closes the server. */
  const served: { readonly client: unknown; stop(): Promise<void> }[] = [];
  return {
    name: 'usage-billing-mock',
    apply: 'serve',
    async configureServer(server) {
      const { stop, explainUnknownPaths } = await serve(server, server.config.server, options);
      // Vite 5 has no environments.
      served.push({ client: server.environments?.client, stop });
      return explainUnknownPaths;
    },
    async configurePreviewServer(server) {
      const { stop, explainUnknownPaths } = await serve(server, server.config.preview, options);
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

/** Serves a mock; loads it only now, for `vite build` needs none. */
async function serve(
  vite: ViteDevServer | PreviewServer,
  { host }: { readonly host?: string | boolean | undefined },
  options: ViteMockOptions,
) {
  const { serveMock } = await import('./mounted-mock.js');
  return serveMock(vite, host, options);
}
