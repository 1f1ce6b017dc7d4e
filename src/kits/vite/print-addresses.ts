import { once } from 'node:events';
import { styleText } from 'node:util';
import type { PreviewServer, ViteDevServer } from 'vite';
import { OPTIONS } from '../../host/options/option-table.js';
import type { ViteMockOptions } from './vite-options.js';

/**
 * Prints the mock's address, and its generated control token, below Vite's own URLs. In middleware
 * mode, prints it as soon as the other server listens, or the path alone if Vite does not know it.
 */
export function printBeside(
  vite: ViteDevServer | PreviewServer,
  options: ViteMockOptions,
  token: string | undefined,
): void {
  const { printUrls } = vite;
  const print = (origin: string) => {
    for (const text of linesOf(origin, options, token)) vite.config.logger.info(text);
  };
  if (vite.config.server.middlewareMode) void originOfOther(vite.config).then(print);
  vite.printUrls = () => {
    printUrls();
    const [url] = [...(vite.resolvedUrls?.local ?? []), ...(vite.resolvedUrls?.network ?? [])];
    print(url === undefined ? '' : new URL(url).origin);
  };
}

/** The origin of the server that Vite is a middleware of, such as Storybook's; empty if unknown. */
async function originOfOther({ server: { hmr } }: ViteDevServer['config']): Promise<string> {
  const server = typeof hmr === 'object' ? hmr.server : undefined;
  if (!server) return '';
  if (!server.listening) await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') return '';
  return `${'setSecureContext' in server ? 'https' : 'http'}://localhost:${address.port}`;
}

function linesOf(
  origin: string,
  { path, dataset, control, ui }: ViteMockOptions,
  token: string | undefined,
): string[] {
  const url = origin + path;
  const hasControl = control !== false;
  const controlled = hasControl ? `, control plane ${url}/__control` : '';
  const about = `(dataset ${dataset ?? OPTIONS.dataset.default}${controlled})`;
  return [
    viteLine('Billing', `${painted('cyan', url)} ${about}`),
    hasControl && ui !== false && viteLine('Page', painted('cyan', `${url}/__control/ui`)),
    token !== undefined && viteLine('Control', `X-Control-Token: ${token} (for other machines)`),
  ].filter((text) => text !== false);
}

export function viteLine(label: string, text: string): string {
  return `  ${painted('green', '➜')}  ${painted('bold', label)}: ${text}`;
}

function painted(format: 'bold' | 'cyan' | 'green', text: string): string {
  return process.stdout.hasColors?.() ? styleText(format, text) : text;
}
