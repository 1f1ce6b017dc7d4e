import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSend, type Send } from '../server/call.js';
import { type RunningCommand, startCommand } from '../server/start-command.js';
import { Finding, tokenOf } from './finding.js';

/** How long a response may take, or a connection that nothing more comes on may stay open. */
export const BOUND_MS = 10_000;

/** The heap that the mock may have: what takes more for one call ends it, which is found. */
const HEAP = ['--max-old-space-size=512'];

/** What the log has of a failure of the mock itself; an error that was arranged has no stack. */
const STACK = /^\s+at .+:\d+:\d+/m;

/** With the scenario of the document's example. */
const DATASET = '{ extends: default, scenarios: { outage: { customers: [{ id: c1 }] } } }';

/** The mock under attack: started again when it has ended. */
export class Target {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 16 });
  #command: RunningCommand;
  #send: Send;
  #opened = 0;
  #isStopped = false;

  private constructor(command: RunningCommand) {
    this.#command = command;
    this.#send = createSend(command.url, this.#agent, BOUND_MS);
  }

  static async start(): Promise<Target> {
    const folder = mkdtempSync(join(tmpdir(), 'fuzz-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    const journal = ['--journal-size', '50', '--journal-file', join(folder, 'journal.jsonl')];
    const dataset = join(folder, 'dataset.yaml');
    writeFileSync(dataset, DATASET);
    const flags = ['--dataset', dataset, '--max-accounts', '100000', ...journal];
    return new Target(await startCommand(flags, HEAP));
  }

  get url(): string {
    return this.#command.url;
  }

  get command(): RunningCommand {
    return this.#command;
  }

  send: Send = (call) => this.#send(call);

  /** A token that no case has used. */
  newToken(): string {
    this.#opened += 1;
    return tokenOf(this.#opened);
  }

  /** Leaves nothing of the case before: its accounts, stubs of the server, requests of no account. */
  async clean(): Promise<void> {
    if (this.#command.hasEnded()) await this.#startAgain();
    this.#command.clearLog();
    for (const path of ['/accounts?all=true', '/stubs?for=server', '/requests?of=server']) {
      await this.send({ method: 'DELETE', path: `/__control${path}` });
    }
  }

  /** Throws a `Finding` if the mock has ended, does not answer, or has logged an error. */
  async checkAlive(): Promise<void> {
    if (this.#command.hasEnded()) {
      const finding = new Finding('that the mock goes on', `it ended: ${this.#command.log()}`);
      await this.#startAgain();
      throw finding;
    }
    const { status, failure } = await this.send({ method: 'GET', path: '/__control/health' });
    if (status === 200) {
      const log = this.#command.log();
      if (!STACK.test(log)) return;
      throw new Finding('no error in the log', log.slice(0, 3_000));
    }
    await this.#startAgain();
    throw new Finding('that the mock answers the next request', failure ?? String(status));
  }

  /** Ends the mock for good, though a case that took too long may still go on. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#agent.destroy();
    await this.#command.stop();
  }

  /** Forgets what it holds of idle connections. */
  hangUp(): void {
    this.#agent.destroy();
  }

  async #startAgain(): Promise<void> {
    if (this.#isStopped) throw new Error('The mock has been stopped.');
    this.#agent.destroy();
    await this.#command.stop();
    const next = await Target.start();
    this.#command = next.#command;
    this.#send = createSend(this.#command.url, this.#agent, BOUND_MS);
  }
}
