import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSend, type Send } from '../server/call.js';
import { type RunningCommand, startCommand } from '../server/start-command.js';
import { demand, tokenOf } from './check-response.js';

/** How long a response may take, and how long a finished connection may stay open. */
export const BOUND_MS = 10_000;
const FOLLOWED_MS = 500;
/** How long a health check may take, whatever else goes on. */
const HEALTH_MS = 3_000;
const MB = 2 ** 20;
/** The heap of the command; a call that takes more ends the command, which is a finding. */
export const HEAP = '--max-old-space-size=256';
/** Marks a failure of the mock itself in the log; arranged errors have no stack. */
export const STACK_IN_LOG = /^\s+at .+:\d+:\d+/m;
/** Has the scenario in the document's example. */
const DATASET = '{ extends: default, scenarios: { outage: { customers: [{ id: c1 }] } } }';

/** The mock under attack, which is started again if it has ended. */
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

  /** Follows a stream for a while, during which others can be called. */
  follow: Send = (call) => createSend(this.command.url, this.#agent, FOLLOWED_MS)(call);

  /** A token that no case has used. */
  newToken(): string {
    this.#opened += 1;
    return tokenOf(this.#opened);
  }

  /** Removes what the last case left: accounts, the server's stubs and its requests. */
  async clean(): Promise<void> {
    for (const path of ['/accounts?all=true', '/stubs?for=server', '/requests?of=server']) {
      const { failure } = await this.send({ method: 'DELETE', path: `/__control${path}` });
      if (failure !== undefined) await this.#start();
    }
    this.command.clearLog();
  }

  /** Demands that the mock runs, reports its health at once, and has logged no error. */
  async checkAlive(): Promise<void> {
    const health = await this.send({ method: 'GET', path: '/__control/health' });
    const { log, hasEnded } = this.command;
    if (health.status !== 200) await this.#start();
    demand(health.status === 200, 'that the mock goes on', `${health.failure} ${log()}`);
    demand(health.durationMs < HEALTH_MS, `health in ${HEALTH_MS} ms`, health.durationMs);
    demand(!hasEnded() && !STACK_IN_LOG.test(log()), 'no error in the log', log());
  }

  /** The bytes that the mock holds after garbage collection. */
  async heldBytes(): Promise<number> {
    const { heapUsed, external } = await this.command.measure();
    return heapUsed + external;
  }

  /** Demands that the mock runs, and holds at most this many more bytes than before. */
  async checkHeld(bytesBefore: number, maxBytes: number): Promise<void> {
    await this.checkAlive();
    const grown = (await this.heldBytes()) - bytesBefore;
    demand(grown <= maxBytes, `at most ${maxBytes / MB} MB kept`, `${grown / MB} MB`);
  }

  /** Closes idle connections. */
  hangUp(): void {
    this.#agent.destroy();
  }

  async stop(): Promise<void> {
    this.hangUp();
    await this.#command?.stop();
  }

  async #start(): Promise<void> {
    await this.stop();
    const journal = ['--journal-size', '50', '--journal-file', join(this.folder, 'journal.jsonl')];
    const dataset = ['--dataset', join(this.folder, 'dataset.yaml'), '--max-accounts', '100000'];
    this.#command = await startCommand([...dataset, ...journal], [HEAP]);
  }
}
