import { styleText } from 'node:util';
import type { PreviewServer, ViteDevServer } from 'vite';
import { OPTIONS } from '../../options/option-table.js';
import type { ViteMockOptions } from './vite-options.js';

/** What is printed of a mock. */
interface Shown extends ViteMockOptions {
  /** The token that its control plane requires of other machines, if it was generated. */
  readonly generatedToken: string | undefined;
}

/** Prints beside the URLs of Vite; at once, without an origin, where another server serves Vite. */
export function printBeside(vite: ViteDevServer | PreviewServer, shown: Shown): void {
  const { printUrls } = vite;
  const print = (origin: string) => {
    for (const line of linesOf(origin, shown)) vite.config.logger.info(line);
  };
  if (vite.config.server.middlewareMode) print('');
  vite.printUrls = () => {
    printUrls();
    const [url] = [...(vite.resolvedUrls?.local ?? []), ...(vite.resolvedUrls?.network ?? [])];
    print(url === undefined ? '' : new URL(url).origin);
  };
}

function linesOf(origin: string, { path, dataset, control, ui, generatedToken }: Shown): string[] {
  const url = origin + path;
  const controlled = control === false ? '' : `, control plane ${url}/__control`;
  const hasPage = control !== false && ui !== false;
  return [
    line(
      'Billing',
      `${painted('cyan', url)} (dataset ${dataset ?? OPTIONS.dataset.default}${controlled})`,
    ),
    ...(hasPage ? [line('Page', painted('cyan', `${url}/__control/ui`))] : []),
    ...(generatedToken === undefined
      ? []
      : [line('Control', `X-Control-Token: ${generatedToken} (for other machines)`)]),
  ];
}

/** A line as Vite prints them. */
function line(label: string, text: string): string {
  return `  ${painted('green', '➜')}  ${painted('bold', label)}: ${text}`;
}

function painted(format: 'bold' | 'cyan' | 'green', text: string): string {
  return process.stdout.hasColors?.() ? styleText(format, text) : text;
}
