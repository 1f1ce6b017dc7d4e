import type { Dataset } from '../datasets/dataset.js';

/** What the banner tells of. */
interface Running {
  readonly version: string;
  readonly url: string;
  readonly datasetName: string;
  readonly dataset: Dataset;
  /** Whether there is a control plane. */
  readonly hasControl: boolean;
  /** What it demands, if nobody knows it yet. */
  readonly madeToken: string | undefined;
}

/** A token to try things with; any other does as well. */
export const EXAMPLE_TOKEN = 'my-token';

/** What a person reads at the start: where the mock is, what it holds, and calls to paste. */
export function banner({ version, url, datasetName, dataset, ...control }: Running): string {
  const { customers, contracts, measurements, events, seed } = dataset;
  return [
    `usage-billing-mock ${version}`,
    '',
    `  URL      ${url}`,
    `  Token    any; each opens an account of its own, for example ${EXAMPLE_TOKEN}`,
    `  Dataset  ${datasetName}, seed ${seed}`,
    `           ${customers.size} customers, ${contracts.size} contracts,`,
    `           ${measurements.size} measurements, ${events.size} events`,
    ...controlLines(url, control),
    '',
    'Try:',
    '',
    ...curlLines(url, dataset),
    '',
    'Stop with Ctrl+C.',
    '',
  ].join('\n');
}

function controlLines(
  url: string,
  { hasControl, madeToken }: Pick<Running, 'hasControl' | 'madeToken'>,
): string[] {
  if (!hasControl) return [];
  const demand = madeToken ? [`           ${demandedHeader(madeToken)}`] : [];
  return [`  Control  ${url}/__control`, ...demand];
}

function curlLines(url: string, { customers, contracts }: Dataset): string[] {
  const [customer] = customers;
  const contract = [...contracts].find(({ deletedAt }) => deletedAt === undefined);
  const authorized = `curl -H 'Authorization: Bearer ${EXAMPLE_TOKEN}'`;
  return [
    ...(customer?.name ? [`${authorized} '${url}/customers/name/${encode(customer.name)}'`] : []),
    `${authorized} '${url}/measurements?limit=2'`,
    ...(contract ? [`${authorized} -X DELETE '${url}/contracts/${encode(contract.id)}'`] : []),
  ];
}

/** What a request to the control plane must have. */
export function demandedHeader(token: string): string {
  return `X-Control-Token: ${token}`;
}

/** Percent-encoded, the apostrophe too, so that it can stand between a shell's quotes. */
function encode(value: string): string {
  // Half a surrogate pair has no encoding; as bytes it becomes the replacement character.
  return encodeURIComponent(Buffer.from(value).toString()).replaceAll("'", '%27');
}
