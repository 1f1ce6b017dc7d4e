import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Command, runCommand } from './command.js';
import { fixtureFolder } from './fixture.js';

const VITE = 'node_modules/vite/bin/vite.js';

/** The text of a configuration with the plugin; `members` are others of the configuration. */
export function configOf(options: object, members: object = {}): string {
  return `
    import { usageBillingMock } from 'usage-billing-mock/vite';
    import { defineConfig } from 'vite';
    const plugins = [usageBillingMock(${JSON.stringify(options)})];
    export default defineConfig({ ...${JSON.stringify(members)}, plugins });
  `;
}

/** Creates an app of Vite with these files, which has this package and Vite installed. */
export function createViteApp(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(fixtureFolder, 'vite-'));
  mkdirSync(join(root, 'node_modules'));
  symlinkSync(resolve('.'), join(root, 'node_modules/usage-billing-mock'));
  symlinkSync(resolve('node_modules/vite'), join(root, 'node_modules/vite'));
  const app = {
    'index.html': '<!doctype html><title>The app</title><script type="module" src="/main.js">',
    'main.js': "document.title = 'one'; import.meta.hot?.accept();",
    ...files,
  };
  for (const [name, text] of Object.entries(app)) writeFileSync(join(root, name), text);
  return root;
}

/** Runs Vite to its end, or until it is killed. */
export function runVite(root: string, ...args: readonly string[]): Command {
  return runCommand([...args, root], {}, VITE);
}

/** A server of Vite that listens. */
export interface RunningVite {
  readonly command: Command;
  /** The origin of the pages. */
  readonly url: string;
  /** Calls below the origin, with a token unless the init has header fields. */
  call(path: string, init?: RequestInit): Promise<Response>;
}

/** Makes a function that starts `vite dev`, or another command, on a free port; it ends after all tests. */
export function useVite() {
  const running: Command[] = [];
  afterAll(async () => {
    for (const command of running) {
      command.kill('SIGTERM');
      await command.ended();
    }
  });
  /** Vite looks for a free port before it listens on it: another process may be faster. */
  async function started(root: string, args: readonly string[]): Promise<Command> {
    const command = runVite(root, ...(args.length > 0 ? args : ['dev']), '--port', '0');
    running.push(command);
    try {
      await command.printed('Billing: ');
      return command;
    } catch (error) {
      if (!/Port \d+ is already in use/.test(String(error))) throw error;
      return started(root, args);
    }
  }
  return async (root: string, ...args: readonly string[]): Promise<RunningVite> => {
    const command = await started(root, args);
    const [, url = ''] = /Billing: (\S+?:\/\/[^/]+)/.exec(command.stdout()) ?? [];
    const authorized = { headers: { Authorization: 'Bearer t' } };
    return { command, url, call: (path, init) => fetch(url + path, { ...authorized, ...init }) };
  };
}
