import type { DecisionId } from '../decisions/ledger.js';
import { OptionError } from '../options/complete-options.js';
import type { RecordingOptions, ServiceOptions } from '../settle/settle-options.js';

/** The flags as they were given. */
export interface SettleFlags {
  readonly target?: string;
  readonly tokenEnv?: string;
  readonly customer?: readonly string[];
  readonly only?: readonly DecisionId[];
  readonly rate?: number;
  readonly mostRequests?: number;
  readonly timeout?: number;
  readonly dryRun?: true;
  readonly allowWrites?: true;
  readonly scratchContract?: readonly string[];
  readonly scratchRef?: readonly string[];
  readonly har?: readonly string[];
  readonly basePath?: string;
  readonly out?: string;
  readonly report?: string;
  readonly junit?: string;
  readonly check?: string;
  /** Given by mistake: there is no such flag. */
  readonly token?: string | true;
}

const TOKEN_VARIABLE = 'USAGE_BILLING_TOKEN';

/** The flag of an option of `settle`, as its mistakes name it. */
const FLAG_OF: Readonly<Record<string, string>> = {
  target: '--target',
  customers: '--customer',
  only: '--only',
  rate: '--rate',
  mostRequests: '--most-requests',
  timeoutMs: '--timeout',
  allowWrites: '--allow-writes',
  scratchContracts: '--scratch-contract',
  scratchRefs: '--scratch-ref',
  recordings: '--har',
  basePath: '--base-path',
  inForce: '--check',
};

/** How the mistakes of an option name it. */
export function nameOfOption({ tokenEnv }: SettleFlags): (option: string) => string {
  // Whoever confuses the name with the value must not find the token in a log.
  const isName = /^[A-Z][A-Z0-9_]*$/.test(tokenEnv ?? TOKEN_VARIABLE);
  const variable = isName ? `the variable ${tokenEnv ?? TOKEN_VARIABLE}` : 'the given variable';
  return (option) => (option === 'token' ? variable : (FLAG_OF[option] ?? option));
}

/** The options for recordings; the flags that go with a service are refused. */
export function recordingOptionsOf(flags: SettleFlags): RecordingOptions {
  if (flags.dryRun || flags.tokenEnv !== undefined) {
    const flag = flags.dryRun ? '--dry-run' : '--token-env';
    throw new OptionError(`${flag} does not go with --har.`);
  }
  return {
    ...(flags.har && { recordings: flags.har }),
    ...serviceMembers(flags),
    ...sharedMembers(flags),
  } as RecordingOptions;
}

/** The options for a service; a dry run needs no token. */
export function serviceOptionsOf(flags: SettleFlags): ServiceOptions {
  if (flags.target === undefined) {
    throw new OptionError(
      'There is nothing to ask; expected --target with the URL of a service, or --har with a recording of one.',
    );
  }
  return {
    target: flags.target,
    token: flags.dryRun ? 'not-sent' : tokenOf(flags),
    ...serviceMembers(flags),
    ...sharedMembers(flags),
  };
}

function serviceMembers({ target, timeout, ...flags }: SettleFlags) {
  return {
    ...(target !== undefined && { target }),
    ...(flags.customer && { customers: flags.customer }),
    ...(flags.rate !== undefined && { rate: flags.rate }),
    ...(flags.mostRequests !== undefined && { mostRequests: flags.mostRequests }),
    ...(timeout !== undefined && { timeoutMs: timeout * 1000 }),
    ...(flags.allowWrites && { allowWrites: true }),
    ...(flags.scratchContract && { scratchContracts: flags.scratchContract }),
    ...(flags.scratchRef && { scratchRefs: flags.scratchRef }),
  };
}

function sharedMembers({ only, basePath }: SettleFlags) {
  return { ...(only && { only }), ...(basePath !== undefined && { basePath }) };
}

function tokenOf(flags: SettleFlags): string {
  const token = process.env[flags.tokenEnv ?? TOKEN_VARIABLE];
  if (token) return token;
  throw new OptionError(
    `The token is missing; expected it in ${nameOfOption(flags)('token')}. There is no flag for it, because others on this machine can read flags.`,
  );
}
