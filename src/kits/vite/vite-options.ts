import {
  invalidValue,
  OPTION_NAMES,
  OptionError,
  unknownName,
} from '../../options/complete-options.js';
import type { MockServerOptions } from '../../options/mock-server-options.js';
import { OPTIONS } from '../../options/option-table.js';
import { isObject } from '../../values/json-value.js';
import { shown } from '../../values/received-value.js';

/**
 * The path below which the mock answers on the dev server, and the options of the mock but for those
 * of a server that listens by itself.
 *
 * @example
 * const options: ViteMockOptions = { path: '/billing', dataset: 'edge-cases' };
 */
export interface ViteMockOptions
  extends Omit<MockServerOptions, 'port' | 'host' | 'basePath' | 'tlsCert' | 'tlsKey'> {
  /** The path from the root of the dev server, such as `/billing`; Vite's `base` does not precede it. */
  readonly path: string;
}

/** Why these options of a mock are not those of the plugin. */
const OPTIONS_OF_VITE: Readonly<Record<string, string>> = {
  port: "Vite listens: set Vite's server.port",
  host: "Vite listens: set Vite's server.host",
  basePath: "Give it as the option 'path'",
  tlsCert: "Vite listens: set Vite's server.https",
  tlsKey: "Vite listens: set Vite's server.https",
};

/** The options of the mock. Throws an `OptionError` for those that the plugin does not have. */
export function mountedOptions(options: ViteMockOptions): MockServerOptions {
  if (!isObject(options as unknown)) {
    throw new OptionError(
      `The options for usageBillingMock() are ${shown(options)}; expected an object such as { path: '/billing' }.`,
    );
  }
  const { path, ...others } = options;
  const foreign = Object.keys(others).find((name) => Object.hasOwn(OPTIONS_OF_VITE, name));
  if (foreign !== undefined) {
    throw new OptionError(
      `The plugin does not have the option '${foreign}'. ${OPTIONS_OF_VITE[foreign]}.`,
    );
  }
  const known = ['path', ...OPTION_NAMES.filter((name) => !Object.hasOwn(OPTIONS_OF_VITE, name))];
  const unknown = Object.keys(others).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw unknownName(`Unknown option '${unknown}' for usageBillingMock()`, unknown, known);
  if (!OPTIONS.basePath.isValid(path)) {
    throw invalidValue("The option 'path' for usageBillingMock()", path, path, {
      ...OPTIONS.basePath,
      expected: 'a path such as /billing, of letters, digits and any of -._~@:+',
      advice: (value: unknown) =>
        /\w/.test(String(value)) ? OPTIONS.basePath.advice(value) : undefined,
    });
  }
  // A person develops with it, and opens the page.
  return { recentBodies: OPTIONS.recentBodies.commandDefault, ...others, basePath: path };
}
