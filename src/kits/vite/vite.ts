import type { Plugin, PreviewServer, ViteDevServer } from 'vite';
import type { ViteMockOptions } from './vite-options.js';

export type { ViteMockOptions };

/**
 * A Vite plugin: `vite dev` and `vite preview` serve the mock below `path`. Vite and its proxy get
 * the calls that the mock does not know; `vite build` leaves the mock out. A mistake in the options
 * keeps the server from starting.
 *
 * @example
 * import { usageBillingMock } from 'usage-billing-mock/vite';
 * import { defineConfig } from 'vite';
 *
 * export default defineConfig({ plugins: [usageBillingMock({ path: '/billing' })] });
 */
export function usageBillingMock(options: ViteMockOptions): Plugin {
  /** The mock of each dev server; `closeBundle` finds it by the server's client environment. */
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
    // When a server restarts, Vite configures the next one first, perhaps with this same plugin
    // object.
    async closeBundle() {
      const nth = served.findIndex(({ client }) => client === this.environment);
      const [closed] = nth === -1 ? [] : served.splice(nth, 1);
      await closed?.stop();
    },
  };
}

/** Loads the mock only now, because `vite build` needs none. */
async function serve(
  vite: ViteDevServer | PreviewServer,
  { host }: { readonly host?: string | boolean | undefined },
  options: ViteMockOptions,
) {
  const { serveMock } = await import('./serve-mock.js');
  return serveMock(vite, host, options);
}
