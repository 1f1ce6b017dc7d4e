import type { Dataset } from '../datasets/dataset.js';
import { EXAMPLE_TOKEN } from '../stubs/issued-tokens.js';
import { columnsOfReport, wrapBeside } from './wrap.js';

/** What the banner shows. */
export interface Running {
  readonly version: string;
  readonly url: string;
  /** The file of the certificate that a client of https has to trust. */
  readonly certificateFile: string | undefined;
  readonly datasetName: string;
  readonly dataset: Dataset;
  /** Whether it can be called at every address of this machine. */
  readonly isOnEveryAddress: boolean;
  /** Whether the decision `unknown-token` refuses tokens. */
  readonly refusesUnknownTokens: boolean;
  /** Whether there is a control plane. */
  readonly hasControl: boolean;
  /** Whether the control plane has the page. */
  readonly hasPage: boolean;
  /** Whether it requires a token that was given. */
  readonly hasGivenToken: boolean;
  /** The token that it requires, if it was generated. */
  readonly generatedToken: string | undefined;
}

const ANY_TOKEN = `any; each opens a separate account, for example ${EXAMPLE_TOKEN}`;
const KNOWN_TOKENS = `${EXAMPLE_TOKEN}, or one that is declared, opened or issued by a stub; any other is refused (unknown-token: reject)`;

/** What a person reads at the start: the URL of the mock, its dataset, and calls to paste. */
export function banner(running: Running): string {
  const { version, url, certificateFile, datasetName, dataset, ...control } = running;
  const { customers, contracts, measurements, events, seed } = dataset;
  return [
    `usage-billing-mock ${version}`,
    '',
    ...beside('URL', url),
    ...(control.isOnEveryAddress ? beside('', 'on every address of this machine') : []),
    ...beside('Token', control.refusesUnknownTokens ? KNOWN_TOKENS : ANY_TOKEN),
    ...beside('Dataset', `${datasetName}, seed ${seed}`),
    ...beside('', `${customers.size} customers, ${contracts.size} contracts,`),
    ...beside('', `${measurements.size} measurements, ${events.size} events`),
    ...controlLines(url, control),
    '',
    'Try:',
    '',
    ...curlLines(url, certificateFile, dataset),
    '',
    'Stop with Ctrl+C.',
    '',
  ].join('\n');
}

/** The same for programs, as the members of a line of the log. */
export function bannerMembers({ url, datasetName, dataset, ...control }: Running): object {
  const { customers, contracts, measurements, events, seed } = dataset;
  const { hasControl, hasPage, generatedToken } = control;
  return {
    url,
    ...(hasControl && { control: `${url}/__control` }),
    ...(hasPage && { page: `${url}/__control/ui` }),
    ...(generatedToken !== undefined && { controlToken: generatedToken }),
    dataset: datasetName,
    seed,
    customers: customers.size,
    contracts: contracts.size,
    measurements: measurements.size,
    events: events.size,
  };
}

/** A text beside its label, wrapped for the terminal; URLs and header fields stay whole. */
function beside(label: string, text: string): string[] {
  return wrapBeside(`  ${label.padEnd(9)}`, text, columnsOfReport(process.stderr));
}

function controlLines(
  url: string,
  {
    hasControl,
    hasPage,
    hasGivenToken,
    generatedToken,
  }: Pick<Running, 'hasControl' | 'hasPage' | 'hasGivenToken' | 'generatedToken'>,
): string[] {
  if (!hasControl) return [];
  // No server sees the fragment: neither the log of a proxy nor ours has the token.
  const fragment = generatedToken ? `#token=${generatedToken}` : '';
  return [
    ...beside('Control', `${url}/__control`),
    ...(generatedToken ? [`           ${requiredHeader(generatedToken)}`] : []),
    ...(hasGivenToken ? beside('', 'requires the token that was given, in X-Control-Token') : []),
    ...(hasPage ? beside('Page', `${url}/__control/ui${fragment}`) : []),
  ];
}

function curlLines(
  url: string,
  certificateFile: string | undefined,
  { customers, contracts }: Dataset,
): string[] {
  const [customer] = customers;
  const contract = [...contracts].find(({ deletedAt }) => deletedAt === undefined);
  const trusting = certificateFile === undefined ? '' : ` --cacert ${quoted(certificateFile)}`;
  const authorized = `curl${trusting} -H 'Authorization: Bearer ${EXAMPLE_TOKEN}'`;
  return [
    ...(customer?.name ? [`${authorized} '${url}/customers/name/${encode(customer.name)}'`] : []),
    `${authorized} '${url}/measurements?limit=2'`,
    ...(contract ? [`${authorized} -X DELETE '${url}/contracts/${encode(contract.id)}'`] : []),
  ];
}

/** The header field that a request to the control plane must have. */
export function requiredHeader(token: string): string {
  return `X-Control-Token: ${token}`;
}

/** As one word of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Percent-encoded, the apostrophe too, so that it is safe within a shell's quotes. */
function encode(value: string): string {
  // Half a surrogate pair has no encoding; as bytes it becomes the replacement character.
  return encodeURIComponent(Buffer.from(value).toString()).replaceAll("'", '%27');
}
