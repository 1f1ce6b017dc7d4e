import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSend, type Send } from '../server/call.js';
import { type RunningCommand, startCommand } from '../server/start-command.js';
import { demand, tokenOf } from './check-response.js';

/** How long a response may take, or a connection that nothing more comes on may stay open. */
export const BOUND_MS = 10_000;
const FOLLOWED_MS = 500;
/** What health may take, whatever else goes on. */
const HEALTH_MS = 3_000;
const MB = 2 ** 20;
/** What the mock may keep of its accounts. */
export const STATE_BYTES = 8 * MB;
/** The heap of a command: what takes more for one call ends it, which is found. */
export const HEAP = '--max-old-space-size=256';
/** What the log has of a failure of the mock itself; an error that was arranged has no stack. */
export const STACK_IN_LOG = /^\s+at .+:\d+:\d+/m;
/** With the scenario of the document's example. */
const DATASET = '{ extends: default, scenarios: { outage: { customers: [{ id: c1 }] } } }';

/** The mock under attack: started again when it has ended. */
export class Target {
  readonly folder = mkdtempSync(join(tmpdir(), 'fuzz-'));
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 16 });
  #command: RunningCommand | undefined;
  #opened = 0;

  static async start(): Promise<Target> {
    const target = new Target();
    process.once('exit', () => rmSync(target.folder, { recursive: true, force: true }));
    writeFileSync(join(target.folder, 'dataset.yaml'), DATASET);
    await target.#start();
    return target;
  }

  get command(): RunningCommand {
    if (!this.#command) throw new Error('The mock has not started.');
    return this.#command;
  }

  send: Send = (call) => createSend(this.command.url, this.#agent, BOUND_MS)(call);

  /** Follows a stream, for so long that others can meanwhile be called. */
  follow: Send = (call) => createSend(this.command.url, this.#agent, FOLLOWED_MS)(call);

  /** A token that no case has used. */
  newToken(): string {
    this.#opened += 1;
    return tokenOf(this.#opened);
  }

  /** Leaves nothing of the case before: its accounts, stubs of the server, requests of no account. */
  async clean(): Promise<void> {
    for (const path of ['/accounts?all=true', '/stubs?for=server', '/requests?of=server']) {
      const { failure } = await this.send({ method: 'DELETE', path: `/__control${path}` });
      if (failure !== undefined) await this.#start();
    }
    this.command.clearLog();
  }

  /** Demands that the mock goes on, says that it is well at once, and has logged no error. */
  async checkAlive(): Promise<void> {
    const health = await this.send({ method: 'GET', path: '/__control/health' });
    const { log, hasEnded } = this.command;
    if (health.status !== 200) await this.#start();
    demand(health.status === 200, 'that the mock goes on', `${health.failure} ${log()}`);
    demand(health.durationMs < HEALTH_MS, `health in ${HEALTH_MS} ms`, health.durationMs);
    demand(!hasEnded() && !STACK_IN_LOG.test(log()), 'no error in the log', log());
  }

  /** The bytes that the mock holds, garbage collected. */
  async heldBytes(): Promise<number> {
    const { heapUsed, external } = await this.command.measure();
    return heapUsed + external;
  }

  /** Demands that the mock goes on, and holds no more than so many bytes beyond what it held before. */
  async checkHeld(bytesBefore: number, mostBytes: number): Promise<void> {
    await this.checkAlive();
    const grown = (await this.heldBytes()) - bytesBefore;
    demand(grown <= mostBytes, `at most ${mostBytes / MB} MB kept`, `${grown / MB} MB`);
  }

  /** Ends idle connections. */
  hangUp(): void {
    this.#agent.destroy();
  }

  async stop(): Promise<void> {
    this.hangUp();
    await this.#command?.stop();
  }

  async #start(): Promise<void> {
    await this.stop();
    const bounds = ['--state-bytes', `${STATE_BYTES}`, '--journal-bytes', `${4 * MB}`];
    const journal = ['--journal-size', '50', '--journal-file', join(this.folder, 'journal.jsonl')];
    const dataset = ['--dataset', join(this.folder, 'dataset.yaml'), '--max-accounts', '100000'];
    this.#command = await startCommand([...dataset, ...journal, ...bounds], [HEAP]);
  }
}
