import { styleText } from 'node:util';
import type { PreviewServer, ViteDevServer } from 'vite';
import { OPTIONS } from '../../host/options/option-table.js';
import type { ViteMockOptions } from './vite-options.js';

/**
 * Prints the mock's address, and its generated control token, below Vite's own URLs. In middleware
 * mode, prints the path at once, because another server listens.
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
  if (vite.config.server.middlewareMode) print('');
  vite.printUrls = () => {
    printUrls();
    const [url] = [...(vite.resolvedUrls?.local ?? []), ...(vite.resolvedUrls?.network ?? [])];
    print(url === undefined ? '' : new URL(url).origin);
  };
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
