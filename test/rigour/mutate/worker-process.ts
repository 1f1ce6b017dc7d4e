import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { FileRun, Order, Report } from './worker-messages.js';

/** How an order ended: the worker may have been lost in a loop, or crashed. */
export type Outcome =
  | { readonly kind: 'done'; readonly files: readonly FileRun[]; readonly hits: number }
  | { readonly kind: 'stuck' | 'crashed'; readonly test: string };

/** How long a test may say nothing, beyond ten times what it usually takes. */
const SPARE_MS = 20_000;
/** What a test counts as that was never run. */
const UNKNOWN_MS = 20_000;
/** The most memory that a worker keeps: every run loads the modules of its tests again. */
const MOST_BYTES = 1.2 * 2 ** 30;

/** A process that runs tests, which is started anew when it is lost or has grown. */
export class WorkerProcess {
  readonly #folder: string;
  #child: ChildProcess | undefined;
  #isFresh = true;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Whether nothing of the mock has been loaded yet. */
  get isFresh(): boolean {
    return this.#child === undefined || this.#isFresh;
  }

  stop(): void {
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }

  async obey(order: Order): Promise<Outcome> {
    const child = this.#child ?? this.#start();
    this.#isFresh = false;
    const outcome = await this.#answer(child, order);
    if (outcome.kind !== 'done') this.stop();
    return outcome;
  }

  #start(): ChildProcess {
    this.#child = fork(join(this.#folder, 'test/rigour/mutate/worker.js'), {
      cwd: this.#folder,
      execArgv: ['--disable-warning=ExperimentalWarning', '--max-old-space-size=3000'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#isFresh = true;
    return this.#child;
  }

  #answer(child: ChildProcess, order: Order): Promise<Outcome> {
    return new Promise((resolve) => {
      let test = '';
      let timer: NodeJS.Timeout;
      const end = (outcome: Outcome) => {
        clearTimeout(timer);
        child.removeAllListeners();
        resolve(outcome);
      };
      const wait = (usualMs = UNKNOWN_MS) => {
        clearTimeout(timer);
        timer = setTimeout(() => end({ kind: 'stuck', test }), usualMs * 10 + SPARE_MS);
      };
      child.on('exit', () => end({ kind: 'crashed', test }));
      child.on('message', (report: Report) => {
        if (report.kind === 'progress') {
          test = report.test;
          return wait(order.durationsMs[test]);
        }
        const { files, hits } = report;
        end({ kind: 'done', files, hits });
        if (report.rssBytes > MOST_BYTES) this.stop();
      });
      wait();
      child.send(order);
    });
  }
}
