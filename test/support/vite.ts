import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Command, runCommand } from './command.js';
import { newFolder } from './fixture.js';

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
  const root = newFolder();
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

/** Vite looks for a free port before it listens on it: another process may be faster. */
async function commandOf(root: string, args: readonly string[]): Promise<Command> {
  const command = runVite(root, ...(args.length > 0 ? args : ['dev']), '--port', '0');
  try {
    await command.printed('Billing: ');
    return command;
  } catch (error) {
    if (!/Port \d+ is already in use/.test(String(error))) throw error;
    return commandOf(root, args);
  }
}

/** Starts `vite dev`, or another command, on a free port. */
export async function startVite(root: string, ...args: readonly string[]): Promise<RunningVite> {
  const command = await commandOf(root, args);
  const [, url = ''] = /Billing: (\S+?:\/\/[^/]+)/.exec(command.stdout()) ?? [];
  const authorized = { headers: { Authorization: 'Bearer t' } };
  return { command, url, call: (path, init) => fetch(url + path, { ...authorized, ...init }) };
}
