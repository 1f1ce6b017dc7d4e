import type { Dataset } from '../core/datasets/dataset.js';
import { EXAMPLE_TOKEN } from '../core/stubs/issued-tokens.js';
import type { MockServerOptions } from '../host/options/mock-server-options.js';
import { packageVersion } from '../host/server/documents/package-files.js';
import { columnsOfReport, wrapBeside } from '../host/terminal/wrap-text.js';

export interface Running {
  readonly url: string;
  readonly options: MockServerOptions;
  readonly dataset: Dataset;
  /** True if the decision `unknown-token` rejects tokens. */
  readonly refusesUnknownTokens: boolean;
  /** The token that the control plane requires, if it was generated. */
  readonly generatedToken: string | undefined;
}

const ANY_TOKEN = `any; each opens a separate account, for example ${EXAMPLE_TOKEN}`;
const KNOWN_TOKENS = `${EXAMPLE_TOKEN}, any token declared or issued by a stub, or one with an open account; others are refused (unknown-token: reject)`;

/** The text for people that the command prints when the mock has started. */
export function banner(running: Running): string {
  const {
    options: { host = '', controlToken },
    generatedToken,
  } = running;
  const { url, control, page, dataset, seed, ...counts } = bannerMembers(running);
  // Browsers do not send the fragment, so no server or proxy logs the token.
  const fragment = generatedToken ? `#token=${generatedToken}` : '';
  return [
    `usage-billing-mock ${packageVersion()}`,
    '',
    ...beside('URL', url),
    ...(['0.0.0.0', '::'].includes(host) ? beside('', 'on every address of this machine') : []),
    ...beside('Token', running.refusesUnknownTokens ? KNOWN_TOKENS : ANY_TOKEN),
    ...beside('Dataset', `${dataset}, seed ${seed}`),
    ...beside('', `${counts.customers} customers, ${counts.contracts} contracts`),
    ...(control ? beside('Control', control) : []),
    ...(fragment ? [`           X-Control-Token: ${generatedToken}`] : []),
    ...(controlToken !== undefined
      ? beside('', 'requires the given token in X-Control-Token')
      : []),
    ...(page ? beside('Page', page + fragment) : []),
    '',
    'Try:',
    '',
    ...curlLines(running),
    '',
    'Stop with Ctrl+C.',
    '',
  ].join('\n');
}

/** What the banner shows, as the members of a log line. */
export function bannerMembers({ url, options, dataset, generatedToken }: Running) {
  const control = options.control === false ? undefined : `${url}/__control`;
  return {
    url,
    control,
    page: options.ui === false ? undefined : control && `${control}/ui`,
    controlToken: generatedToken,
    dataset: options.dataset,
    seed: dataset.seed,
    customers: dataset.customers.size,
    contracts: dataset.contracts.size,
  };
}

/** Puts a text beside its label and wraps it; URLs stay whole. */
function beside(label: string, text: string): string[] {
  return wrapBeside(`  ${label.padEnd(9)}`, text, columnsOfReport(process.stderr));
}

function curlLines({ url, options: { tlsCert }, dataset: { customers, contracts } }: Running) {
  const [customer] = customers;
  const contract = [...contracts].find(({ deletedAt }) => !deletedAt);
  const trusting = tlsCert === undefined ? '' : ` --cacert ${quoted(tlsCert)}`;
  const authorized = `curl${trusting} -H 'Authorization: Bearer ${EXAMPLE_TOKEN}'`;
  return [
    ...(customer?.name ? [`${authorized} '${url}/customers/name/${encode(customer.name)}'`] : []),
    `${authorized} '${url}/measurements?limit=2'`,
    ...(contract ? [`${authorized} -X DELETE '${url}/contracts/${encode(contract.id)}'`] : []),
  ];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Percent-encodes a value, apostrophes included, so that it is safe within a shell's quotes. */
function encode(value: string): string {
  // `encodeURIComponent` throws for a lone surrogate; bytes have U+FFFD instead.
  return encodeURIComponent(Buffer.from(value).toString()).replaceAll("'", '%27');
}
