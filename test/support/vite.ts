import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Command, runCommand } from './command.js';
import { newFolder } from './fixture.js';

const VITE = 'node_modules/vite/bin/vite.js';

/** The text of a configuration with the plugin; `members` are the configuration's other members. */
export function configOf(options: object, members: object = {}): string {
  return `
    import { usageBillingMock } from 'usage-billing-mock/vite';
    import { defineConfig } from 'vite';
    const plugins = [usageBillingMock(${JSON.stringify(options)})];
    export default defineConfig({ ...${JSON.stringify(members)}, plugins });
  `;
}

/** Creates a Vite app with these files, and with this package and Vite installed. */
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

/** A Vite server that listens. */
export interface RunningVite {
  readonly command: Command;
  /** The origin of the pages. */
  readonly url: string;
  /** Calls below the origin, with a token unless the init has header fields. */
  call(path: string, init?: RequestInit): Promise<Response>;
}

/** Tries again if another process takes the free port that Vite has found before Vite listens. */
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
