import { type Contract, createMockServer } from 'usage-billing-mock';
import { createBrowserMock } from 'usage-billing-mock/browser';
import { connectMockServer } from 'usage-billing-mock/client';

const server = await createMockServer({ decisions: { 'repeat-delete': 'gone' } });
const contract: Contract | undefined = server.account('a').contracts.list()[0];
const response: Response = await server.fetch(`/contracts/${contract?.id}`, { method: 'DELETE' });
const remote = connectMockServer({ url: await server.start() }).account('a');
const inTab = await createBrowserMock();
const statuses: number[] = [response.status, (await inTab.fetch('/measurements')).status];
// @ts-expect-error There is no such decision.
export const wrong = server.account('a').decisions.change({ nonsense: 'gone' });
export { remote, statuses };
