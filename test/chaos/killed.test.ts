import { useCommands } from '../support/command.js';
import { type Deed, startKilledCommand } from './killed-command.js';

const start = useCommands('--log-level', 'warn');
const CONTRACT = '/contracts/65b000000000000000000001';

const SEQUENCE: readonly Deed[] = [
  { token: 'one', request: ['PUT', '/__control/customers/a', { id: 'a', name: 'Lost or kept' }] },
  'kill',
  { token: 'two', request: ['DELETE', CONTRACT] },
  { token: 'one', request: ['PATCH', '/__control/decisions', { 'repeat-delete': 'gone' }] },
  'save',
  { token: 'two', request: ['GET', '/measurements?limit=2'] },
  { token: 'one', request: ['DELETE', CONTRACT] },
  'kill',
  { token: 'two', request: ['POST', '/__control/reset'] },
  'save',
  'kill',
];

test('a command that is killed between requests starts with a state that it had reached', async () => {
  const killed = await startKilledCommand(start);
  for (const deed of SEQUENCE) await killed.act(deed);
  await killed.end();
});
