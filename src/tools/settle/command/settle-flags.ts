import { OptionError } from '../../../core/errors/option-error.js';
import {
  NOT_AS_FLAG,
  SERVICE_TOKEN_VARIABLE,
  serviceToken,
  variableOfToken,
} from '../../../host/terminal/service-token.js';
import { completeSettleOptions, type SettleOptions } from '../settle-options.js';

/** The flag of each option, as commander names it. */
const FLAG_OF = {
  target: 'target',
  customers: 'customer',
  only: 'only',
  rate: 'rate',
  maxRequests: 'maxRequests',
  timeoutMs: 'timeout',
  allowWrites: 'allowWrites',
  scratchContracts: 'scratchContract',
  scratchRefs: 'scratchRef',
  recordings: 'har',
  basePath: 'basePath',
  inForce: 'check',
} as const;

export interface SettleFlags
  extends Readonly<Partial<Record<(typeof FLAG_OF)[keyof typeof FLAG_OF], unknown>>> {
  readonly tokenEnv?: string;
  readonly timeout?: number;
  readonly dryRun?: true;
  readonly out?: string;
  readonly report?: string;
  readonly junit?: string;
  readonly check?: string;
  readonly accept?: readonly string[];
  /** Always refused, with a reason. */
  readonly token?: string | true;
}

/** Its errors name the flags, not the options. */
export function settleOptionsOf({ check, ...flags }: SettleFlags) {
  const { tokenEnv, timeout, dryRun } = flags;
  if (flags.token !== undefined) {
    throw new OptionError(
      `There is no flag for the token, ${NOT_AS_FLAG}; set ${SERVICE_TOKEN_VARIABLE}, or the variable that --token-env names.`,
    );
  }
  const isOfService = flags.har === undefined;
  if (isOfService && flags.target === undefined) {
    throw new OptionError(
      'No service was given; expected --target with the URL of a service, or --har with a recording of one.',
    );
  }
  if (!isOfService && (dryRun || flags.tokenEnv !== undefined)) {
    throw new OptionError(`${dryRun ? '--dry-run' : '--token-env'} cannot be used with --har.`);
  }
  const variable = variableOfToken(tokenEnv);
  const token = isOfService && !dryRun ? serviceToken(tokenEnv) : 'not-sent';
  const values: Readonly<Record<string, unknown>> = flags;
  const given = Object.entries(FLAG_OF).map(([option, flag]) => [option, values[flag]]);
  const options = { ...Object.fromEntries(given), timeoutMs: timeout && timeout * 1000 };
  return completeSettleOptions(
    (isOfService ? { ...options, token } : options) as SettleOptions,
    (option) => (option === 'token' ? variable : flagOf(option)),
  );
}

function flagOf(option: string): string {
  const { [option]: name = option } = FLAG_OF as Readonly<Record<string, string>>;
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
