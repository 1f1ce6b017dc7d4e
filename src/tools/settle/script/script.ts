import { type DecisionId, LEDGER } from '#spec';
import { ASKED } from '../questions/asked-decisions.js';
import { describeSample, TOKENS } from '../seen/evidence.js';
import { mayBeLost } from '../seen/lost-responses.js';
import { CallFailed } from '../send/call-failed.js';
import type { createSender } from '../send/sender.js';
import type { CompleteServiceOptions } from '../settle-options.js';
import type { Block, BlockRequest } from './block.js';
import { CUSTOMER_BLOCKS } from './customer-blocks.js';
import { DELETION_BLOCKS } from './deletion-blocks.js';
import { LISTING_BLOCKS, LISTINGS_AGAIN } from './listing-blocks.js';

const MIN_LISTING_LENGTH = { operationId: 'listMeasurements', query: [['limit', '1']] } as const;

/**
 * Listings without a token and with made-up ones, each followed by one with the given token: if
 * the service refuses the given token from then on, it has locked it out.
 */
const TOKEN_BLOCKS: readonly Block[] = (['none', 'made-up', 'alike'] as const).map((token) => ({
  requests: `GET /measurements?limit=1${TOKENS[token]}, and again with the given one`,
  shows: ['tokens'],
  madeUp: token === 'none' ? 'calls without a token' : 'random tokens',
  reserves: () => 2,
  send: async ({ get }) => {
    await get({ ...MIN_LISTING_LENGTH, token });
    await get(MIN_LISTING_LENGTH);
  },
}));

/**
 * Every block, in the order of sending: those that change records come late, and those that may
 * lock the token out come last.
 */
const BLOCKS: readonly Block[] = [
  ...LISTING_BLOCKS,
  ...CUSTOMER_BLOCKS,
  ...DELETION_BLOCKS,
  ...LISTINGS_AGAIN,
  ...TOKEN_BLOCKS,
];

/** The decisions in `only`, or all, in the order of the ledger. */
export function decisionsOf(only: readonly DecisionId[] | undefined): readonly DecisionId[] {
  const all = Object.keys(LEDGER) as DecisionId[];
  return only === undefined ? all : all.filter((id) => only.includes(id));
}

/** The decisions that the responses to a block may settle, or help to. */
function toldBy({ shows }: Block): readonly DecisionId[] {
  return shows.flatMap((what) => Object.keys(ASKED[what]) as DecisionId[]);
}

/** True if no request asks about a decision. */
export function isNeverAsked(decision: DecisionId): boolean {
  return !BLOCKS.some((block) => toldBy(block).includes(decision));
}

/** True if only requests that change records can settle a decision. */
export function needsWrites(decision: DecisionId): boolean {
  const telling = BLOCKS.filter((block) => toldBy(block).includes(decision));
  return telling.length > 0 && telling.every(({ changesRecords }) => changesRecords);
}

/** A block, and those of the decisions asked for that it may settle. */
export interface PlannedBlock extends Block {
  readonly tells: readonly DecisionId[];
}

/** The blocks that may settle the decisions; those that change records only if that is allowed. */
export function planOf({ only, allowWrites }: CompleteServiceOptions) {
  const decisions = decisionsOf(only);
  const useful = BLOCKS.map(
    (block): PlannedBlock => ({
      ...block,
      tells: decisions.filter((id) => toldBy(block).includes(id)),
    }),
  ).filter(({ tells }) => tells.length > 0);
  const isHeldBack = ({ changesRecords }: Block) => changesRecords === true && !allowWrites;
  const blocks = useful.filter((block) => !isHeldBack(block));
  return {
    decisions,
    blocks,
    /** Blocks that are not sent because writes are not allowed. */
    heldBack: useful.filter(isHeldBack),
    madeUp: [...new Set(blocks.flatMap(({ madeUp }) => madeUp ?? []))],
  };
}

/** Sends the blocks. Returns, for each decision, why requests that were sent for it failed. */
export async function sendScript(
  blocks: readonly PlannedBlock[],
  sender: ReturnType<typeof createSender>,
  { onProgress, ...options }: CompleteServiceOptions & { readonly seed: string },
): Promise<ReadonlyMap<DecisionId, string>> {
  const { ask, samples, pause, requests, brokenOff } = sender;
  const failures = new Map<DecisionId, string>();
  onProgress?.({ done: 0, all: blocks.length, requests: 0 });
  for (const [index, block] of blocks.entries()) {
    const later = blocks
      .slice(index + 1)
      .reduce((sum, one) => sum + (one.reserves?.(options) ?? 0), 0);
    const send = (times: number) => async (request: BlockRequest) => {
      for (let time = 0; time < times && brokenOff() === undefined; time += 1) {
        try {
          const sample = await ask(request);
          if (!mayBeLost(sample)) return sample;
          for (const id of block.tells) failures.set(id, describeSample(sample));
        } catch (error) {
          if (!(error instanceof CallFailed)) throw error;
          for (const id of block.tells) failures.set(id, error.message);
          if (error.loss === undefined) return undefined;
        }
      }
      return undefined;
    };
    const left = () => options.maxRequests - requests() - later;
    await block
      .send({ ...options, samples, pause, left, get: send(2), write: send(1) })
      .catch(passCallFailed);
    if (brokenOff() !== undefined) break;
    onProgress?.({
      done: index + 1,
      all: blocks.length,
      requests: requests(),
      sent: block.requests,
    });
  }
  return failures;
}

function passCallFailed(error: unknown): void {
  if (!(error instanceof CallFailed)) throw error;
}
