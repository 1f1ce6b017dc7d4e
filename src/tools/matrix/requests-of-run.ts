import type { ControlComponents, JournalRequest } from '#spec';
import type { MockServer } from '../../host/server/mock-interface.js';

type Schemas = ControlComponents['schemas'];

/** A request of a run, with the account that it reached. */
export interface RunRequest extends JournalRequest {
  /** The name of the account; left out if the run called only one. */
  readonly account?: string | undefined;
  /** True if the account's test is marked as failed. */
  readonly hasFailed?: boolean;
}

/** The requests that a server received, oldest first. */
export async function requestsOfRun(server: MockServer): Promise<readonly RunRequest[]> {
  const called = (await accountsOf(server)).filter(({ requests }) => requests > 0);
  const requests: RunRequest[] = server.journal.list();
  for (const { id, name, test } of called) {
    const found = await call<Schemas['Journal']>(server, '/requests', { 'X-Account-Id': id });
    const account = called.length > 1 ? name : undefined;
    const of = { account, hasFailed: test?.outcome === 'failed' };
    for (const request of found.requests as JournalRequest[]) requests.push({ ...request, ...of });
  }
  return requests.sort((one, other) => one.at.localeCompare(other.at));
}

async function accountsOf(server: MockServer): Promise<readonly Schemas['ListedAccount'][]> {
  const accounts: Schemas['ListedAccount'][] = [];
  let query = '?limit=1000';
  while (query !== '') {
    const page = await call<Schemas['Accounts']>(server, `/accounts${query}`);
    accounts.push(...page.accounts);
    query = page.nextCursor === undefined ? '' : `?limit=1000&cursor=${page.nextCursor}`;
  }
  return accounts;
}

async function call<Body>(server: MockServer, path: string, headers = {}): Promise<Body> {
  const response = await server.fetch(`${server.url}/__control${path}`, { headers });
  return response.json() as Promise<Body>;
}
