import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import type { useCommands } from '../support/command.js';
import { until } from '../support/fetching.js';
import { newFolder } from '../support/fixture.js';

export const HASTENED = { NODE_OPTIONS: `--require ${resolve('test/chaos/hastened-saves.cjs')}` };
const TOKENS = ['one', 'two'] as const;
const CONTRACTS = ['65b000000000000000000001', '65b000000000000000000002'];

type Method = 'GET' | 'PUT' | 'PATCH' | 'POST' | 'DELETE';

/** A request of one of the accounts. */
interface Call {
  readonly token: (typeof TOKENS)[number];
  readonly request: readonly [method: Method, path: string, body?: object];
}

/** A request, a wait until all changes are saved, or a kill of the process. */
export type Deed = Call | 'save' | 'kill';

const id = fc.constantFrom('a', 'b', 'c');
const changes = fc
  .oneof(
    fc
      .record({ id, name: fc.string() })
      .map((customer) => ['PUT', `customers/${customer.id}`, customer]),
    id.map((one) => ['DELETE', `customers/${one}`]),
    fc.nat({ max: 1e6 }).map((advanceMs) => ['PUT', 'clock', { advanceMs }]),
    fc.constant(['POST', 'faults', { kind: 'status', status: 503, operationId: 'getCustomer' }]),
    fc
      .constantFrom('gone', 'conflict')
      .map((value) => ['PATCH', 'decisions', { 'repeat-delete': value }]),
    fc.constant(['POST', 'reset']),
  )
  .map(([method, path, body]) => [method, `/__control/${path}`, body]) as fc.Arbitrary<
  Call['request']
>;
const calls = fc.oneof(
  fc.constantFrom(...CONTRACTS).map((one): Call['request'] => ['DELETE', `/contracts/${one}`]),
  fc.constant<Call['request']>(['GET', '/measurements?limit=2']),
);
const request = fc.oneof({ arbitrary: changes, weight: 3 }, { arbitrary: calls, weight: 2 });
const call = fc.record({ token: fc.constantFrom(...TOKENS), request });

/** Requests between which the process is killed at least once. */
export const deeds = fc
  .array(fc.oneof({ arbitrary: call, weight: 8 }, fc.constant('save'), fc.constant('kill')), {
    minLength: 8,
    maxLength: 24,
  })
  .map((some) => [...some, 'kill'] as Deed[]);

/** A command whose process is killed, and what it had done by then. */
export interface KilledCommand {
  act(deed: Deed): Promise<void>;
  end(): Promise<void>;
}

/** Starts the command with files in a new folder, and compares them with what its requests did. */
export async function startKilledCommand(
  start: ReturnType<typeof useCommands>,
): Promise<KilledCommand> {
  const folder = newFolder();
  const file = (name: string) => join(folder, name);
  const [stateFile, journalFile] = [file('state.json'), file('journal.jsonl')];
  const files = ['--state-file', stateFile, '--journal-file', journalFile];
  const startAgain = () => start([...files, '--ready-file', file('ready.json')], HASTENED);
  let { command, url } = await startAgain();
  let saves = 0;
  /** How many requests of the service were answered: the journal has no others. */
  let answered = 0;
  /** The states since the last one that has certainly been saved. */
  let reached = [await stateOf(url)];

  async function save(): Promise<void> {
    saves += 1;
    const marker = `marker-${saves}`;
    await send(url, TOKENS[0], 'PUT', `/__control/customers/${marker}`, { id: marker });
    const state = await stateOf(url);
    await until(() => existsSync(stateFile) && readFileSync(stateFile, 'utf8').includes(marker));
    reached = [state];
  }

  async function kill(): Promise<void> {
    command.kill('SIGKILL');
    await command.ended();
    if (existsSync(stateFile))
      expect(() => JSON.parse(readFileSync(stateFile, 'utf8'))).not.toThrow();
    expectWholeLines(journalFile, answered);
    ({ command, url } = await startAgain());
    const restored = await stateOf(url);
    expect(reached).toContain(restored);
    reached = [restored];
  }

  return {
    async act(deed) {
      if (deed === 'kill') return kill();
      if (deed === 'save') return save();
      const [method, path, body] = deed.request;
      await send(url, deed.token, method, path, body);
      if (!path.startsWith('/__control')) answered += 1;
      reached.push(await stateOf(url));
    },
    async end() {
      command.kill('SIGTERM');
      expect(await command.ended()).toBe(0);
      expect(command.stderr()).not.toContain(' error ');
    },
  };
}

export async function send(
  url: string,
  token: string,
  method: Method,
  path: string,
  body?: object,
) {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const sent = body && { body: JSON.stringify(body) };
  return (await fetch(`${url}${path}`, { method, headers, ...sent })).text();
}

/** What the accounts contain, without the numbers of their requests and the time. */
async function stateOf(url: string): Promise<string> {
  const parts = ['account', 'faults', 'decisions', 'changes'];
  const states = TOKENS.flatMap((token) =>
    parts.map((part) => send(url, token, 'GET', `/__control/${part}`)),
  );
  return (await Promise.all(states)).join('\n');
}

/** Every request was followed by another, so the lines of all must have been written. */
export function expectWholeLines(journalFile: string, answered: number): void {
  const lines = readFileSync(journalFile, 'utf8').split('\n');
  expect(lines.pop()).toBe('');
  expect(lines.slice(1).map((line) => JSON.parse(line).outcome)).toEqual(
    Array.from({ length: answered }, () => 'answered'),
  );
}
