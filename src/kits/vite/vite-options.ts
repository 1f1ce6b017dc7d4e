import { checkOptions, type OptionRules } from '../../core/errors/option-error.js';
import { didYouMean } from '../../core/values/did-you-mean.js';
import { OPTION_RULES } from '../../host/options/complete-options.js';
import type { MockServerOptions } from '../../host/options/mock-server-options.js';
import { OPTIONS } from '../../host/options/option-table.js';

/**
 * The path at which the dev server serves the mock, and the mock's options, without those that
 * concern listening.
 *
 * @example
 * const options: ViteMockOptions = { path: '/billing', dataset: 'edge-cases' };
 */
export interface ViteMockOptions
  extends Omit<MockServerOptions, 'port' | 'host' | 'basePath' | 'tlsCert' | 'tlsKey'> {
  /** The path from the root of the dev server, such as `/billing`; Vite's `base` is not added. */
  readonly path: string;
}

/** What to do instead of setting an option that the plugin does not have. */
const OPTIONS_OF_VITE: ReadonlyMap<string, string> = new Map([
  ['port', ofVite('server.port')],
  ['host', ofVite('server.host')],
  ['basePath', "Give it as the option 'path'."],
  ['tlsCert', ofVite('server.https')],
  ['tlsKey', ofVite('server.https')],
]);

function ofVite(option: string): string {
  return `The mock uses Vite's server: set Vite's option ${option} instead.`;
}

const { port, host, basePath, tlsCert, tlsKey, ...ofMock } = OPTION_RULES;

const RULES: OptionRules<ViteMockOptions> = {
  path: {
    expected: 'a path such as /billing, of letters, digits and any of -._~@:+',
    isValid: OPTIONS.basePath.isValid,
    advice: (value) => (/\w/.test(String(value)) ? OPTIONS.basePath.advice(value) : undefined),
    isRequired: true,
  },
  ...ofMock,
};

/** Throws an `OptionError` for an unknown option, an invalid value, or if `path` is missing. */
export function mountedOptions(options: ViteMockOptions): MockServerOptions {
  const { path, ...others } = checkOptions<ViteMockOptions>(options, RULES, {
    purpose: 'for usageBillingMock()',
    example: "{ path: '/billing' }",
    adviceOnName: (name, known) => OPTIONS_OF_VITE.get(name) ?? didYouMean(name, known),
  });
  // The command's default, because developers look at responses on the mock's page.
  return { recentBodies: OPTIONS.recentBodies.commandDefault, ...others, basePath: path };
}
