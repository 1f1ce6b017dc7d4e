import { describeCustomer } from '../../examples/front-end/customer-card.js';
import { useCommands } from '../support/command.js';

const start = useCommands('--log-level', 'silent');

test('the example of a front end shows a customer, and why there is none', async () => {
  const { url } = await start();
  expect(await describeCustomer('Acme Corporation', url)).toBe('Acme Corporation, Springfield');
  expect(await describeCustomer('Nobody & Sons', url)).toContain("'Nobody & Sons'");
});
