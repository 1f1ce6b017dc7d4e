import { Agent } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { createSend, type Send } from '../server/call.js';
import { type Held, leftOver, type RunningCommand, startCommand } from '../server/start-command.js';
import { Crowd } from './crowd.js';
import { readWorld } from './dataset-facts.js';
import { openUnread } from './fault-actions.js';
import { Pace } from './pace.js';

/** How to load a mock, and for how long. */
export interface SoakPlan {
  readonly dataset: string;
  readonly minutes: number;
  /** Calls a second. */
  readonly rate: number;
  readonly seed: number;
}

/** The memory in one of ten pauses. */
export interface Point {
  readonly atMs: number;
  readonly rss: number;
  readonly heapUsed: number;
}

/** The outcome of a run. */
export interface SoakOutcome {
  readonly dataset: string;
  readonly calls: number;
  readonly wrong: readonly string[];
  readonly points: readonly Point[];
  /** How long responses took from when they were due, in each tenth of the run. */
  readonly durations: readonly (readonly number[])[];
  /** What was open after the clients had gone, but not before they came. */
  readonly leftOpen: readonly string[];
  readonly filesLeft: number;
  /** How many accounts were still open after they had been idle for long enough. */
  readonly accountsLeft: number;
  readonly log: string;
}

const TENTHS = 10;
const IDLE_S = 10;
const QUIET_MS = 1_000;
/** So small that both limits of the journals are reached within seconds. */
const LIMITS = ['--journal-size', '20'];

/** Loads its own mock at a fixed rate, and measures it in ten pauses. */
export async function soak(plan: SoakPlan): Promise<SoakOutcome> {
  const options = ['--dataset', plan.dataset, '--close-idle-after', `${IDLE_S}s`, ...LIMITS];
  const command = await startCommand(options);
  try {
    return await loaded(command, plan);
  } finally {
    await command.stop();
  }
}

async function loaded(command: RunningCommand, plan: SoakPlan): Promise<SoakOutcome> {
  // Uses all connections in turn, because the server closes one that is idle.
  const agent = new Agent({ keepAlive: true, maxSockets: 64, scheduling: 'fifo' });
  const world = await readWorld(createSend(command.url, agent, 120_000));
  agent.destroy();
  const before = await settled(command);
  const calls = new UnderWay(createSend(command.url, agent, 30_000));

  const pace = new Pace(plan.rate);
  const durations: number[][] = [];
  const wrong: string[] = [];
  const note = (durationMs: number) => durations.at(-1)?.push(durationMs);
  const crowd = new Crowd({ url: command.url, send: calls.send, pace, world, note }, plan, wrong);
  const points: Point[] = [];
  const startedAtMs = performance.now();
  for (let tenth = 0; tenth < TENTHS && !command.hasEnded(); tenth += 1) {
    durations.push([]);
    if (tenth > 0) pace.goOn();
    const slowReader = await openUnread(command.url);
    await setTimeout((plan.minutes * 60_000) / TENTHS);
    pace.pause();
    slowReader.destroy();
    await calls.none();
    await setTimeout(QUIET_MS);
    const { rss, heapUsed } = await command.measure();
    points.push({ atMs: performance.now() - startedAtMs, rss, heapUsed });
  }
  crowd.end();
  pace.goOn();
  await crowd.ended;
  agent.destroy();
  const accountsLeft = await accountsAfter(command.url, 2 * IDLE_S);
  const after = await settled(command, before);
  const { dataset } = plan;
  return {
    ...{ dataset, calls: calls.count, wrong, points, durations, accountsLeft },
    leftOpen: leftOver(before, after),
    filesLeft: (after.files ?? 0) - (before.files ?? 0),
    log: command.log(),
  };
}

/** Counts calls, and those without a response yet. */
class UnderWay {
  count = 0;
  #open = 0;
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  readonly send: Send = async (call) => {
    this.count += 1;
    this.#open += 1;
    try {
      return await this.#send(call);
    } finally {
      this.#open -= 1;
    }
  };

  async none(): Promise<void> {
    while (this.#open > 0) await setTimeout(10);
  }
}

/** How many accounts are open after some seconds; returns earlier if none is. */
async function accountsAfter(url: string, seconds: number): Promise<number> {
  let total = Number.POSITIVE_INFINITY;
  for (let second = 0; second < seconds && total > 0; second += 1) {
    await setTimeout(1_000);
    const response = await fetch(`${url}/__control/accounts`, { headers: { Connection: 'close' } });
    ({ total } = (await response.json()) as { total: number });
  }
  return total;
}

/** What the process holds when nothing of the clients is left, or after ten seconds. */
async function settled(command: RunningCommand, before?: Held): Promise<Held> {
  for (let second = 0; ; second += 1) {
    await setTimeout(1_000);
    const held = await command.measure();
    if (second === 10 || (before && leftOver(before, held).length === 0)) return held;
    if (!before && !held.resources.includes('TCPSocketWrap')) return held;
  }
}
