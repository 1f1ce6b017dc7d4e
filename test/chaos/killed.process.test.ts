import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { useCommands } from '../support/command.js';
import { until } from '../support/fetching.js';
import { newFolder } from '../support/fixture.js';
import {
  type Deed,
  expectWholeLines,
  HASTENED,
  send,
  startKilledCommand,
} from './killed-command.js';

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

test('a command that is killed while it saves starts with what it had saved before, or with all', async () => {
  const folder = newFolder();
  const [stateFile, journalFile] = [join(folder, 'state.json'), join(folder, 'journal.jsonl')];
  const startAgain = () =>
    start(['--state-file', stateFile, '--journal-file', journalFile], HASTENED);
  const sizeOf = () => statSync(stateFile, { throwIfNoEntry: false })?.size ?? 0;
  let { command, url } = await startAgain();
  // Enough bytes that writing takes a while.
  const big = { id: 'big', name: 'x'.repeat(4_000_000) };
  for (const token of ['one', 'two', 'three'])
    await send(url, token, 'PUT', '/__control/customers/big', big);
  await until(() => sizeOf() > 3 * big.name.length);

  let possible = ['not-found'];
  for (const [round, value] of ['gone', 'conflict', 'same-result'].entries()) {
    await send(url, 'one', 'GET', '/measurements?limit=2');
    const saved = sizeOf();
    await send(url, 'one', 'PATCH', '/__control/decisions', { 'repeat-delete': value });
    await until(() => sizeOf() !== saved || readdirSync(folder).length > 2);
    command.kill('SIGKILL');
    await command.ended();

    ({ command, url } = await startAgain());
    expect(readdirSync(folder).sort()).toEqual([
      ...['journal.jsonl', 'state.json', 'state.json.lock'],
    ]);
    expectWholeLines(journalFile, round + 1);
    const decisions = JSON.parse(await send(url, 'one', 'GET', '/__control/decisions'));
    possible = [...possible, value];
    expect(possible).toContain(decisions['repeat-delete']);
    possible = [decisions['repeat-delete']];
    for (const token of ['one', 'two', 'three'])
      expect(await send(url, token, 'GET', '/__control/customers/big')).toContain(big.name);
  }
});
