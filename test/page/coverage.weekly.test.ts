import { openView, usePages } from '../support/browser.js';
import { describeInChromium } from '../support/chromium.js';
import { useCommands } from '../support/command.js';

const as = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

describeInChromium('the coverage on the page', () => {
  const start = useCommands();
  const open = usePages();

  test('says of each row of an operation whether it was touched, and by what', async () => {
    const { url } = await start();
    for (const limit of ['0', '1', '7'])
      await fetch(`${url}/measurements?limit=${limit}`, as('app-token'));
    const page = await open(`${url}/__control/ui`);
    await openView(page, 'Coverage');
    const listing = page.getByRole('region', { name: 'listMeasurements' });
    const row = (name: string) => listing.getByRole('listitem').filter({ hasText: name });
    await row('called').getByText('3×').waitFor();
    await row('limit below 1').getByText('GET /measurements?limit=0').waitFor();
    await row('limit at its minimum').getByText('GET /measurements?limit=1').waitFor();
    const of = (state: string) => listing.getByRole('list', { name: state, exact: true });
    await of('Not touched').getByText('limit above 1000').waitFor();
    await of('Not reachable').getByText('status 422').waitFor();
    await row('status 400').getByRole('link').click();
    await page.getByRole('region', { name: 'Request 1' }).waitFor();
  });

  test('is that of the account or of the server, as a share of what can be reached', async () => {
    const { url } = await start();
    await fetch(`${url}/customers/nobody`, as('first-token'));
    await fetch(`${url}/measurements`, as('second-token'));
    const page = await open(`${url}/__control/ui`);
    await openView(page, 'Coverage');
    const customer = page.getByRole('region', { name: 'getCustomer', exact: true });
    await customer.getByText(/^0 of \d+ rows, 0%$/).waitFor();
    // The count stands beside its label.
    const boxOf = async (part: string) => customer.locator(part).first().boundingBox();
    const [label, bar] = [await boxOf('h3'), await boxOf('svg')];
    expect((bar?.x ?? 0) - ((label?.x ?? 0) + (label?.width ?? 0))).toBeLessThan(30);
    await page.getByRole('radio', { name: 'Whole server' }).check();
    await customer.getByText(/^[1-9] of \d+ rows, \d+%$/).waitFor();
  });

  test('grows while it is looked at, and is filtered', async () => {
    const { url } = await start();
    await fetch(`${url}/measurements`, as('app-token'));
    const page = await open(`${url}/__control/ui`);
    await openView(page, 'Coverage');
    await page.getByRole('radio', { name: /^Touched/ }).check();
    await page.getByRole('region', { name: 'listMeasurements' }).waitFor();
    expect(await page.getByRole('region', { name: 'deleteContract' }).count()).toBe(0);
    await fetch(`${url}/contracts/none`, { method: 'DELETE', ...as('app-token') });
    await page.getByRole('region', { name: 'deleteContract' }).waitFor();
    await page.getByRole('radio', { name: /^Not touched/ }).check();
    await page.getByLabel('Search').fill('a second delete');
    expect(await page.locator('.coverage li').count()).toBe(1);
  });
});
