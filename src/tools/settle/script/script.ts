import { type DecisionId, LEDGER } from '#spec';
import { describeSample, TOKENS } from '../seen/evidence.js';
import { mayBeLost } from '../seen/lost-responses.js';
import { CallFailed } from '../send/call-failed.js';
import type { createSender } from '../send/sender.js';
import type { CompleteServiceOptions } from '../settle-options.js';
import { CUSTOMERS, sendCustomers } from './customers.js';
import { DELETIONS, deletionsOf, sendDeletions } from './deletions.js';
import { LISTINGS, sendListings, sendListingsAgain } from './listings.js';
import type { Run, ScriptRequest } from './run.js';

/** Requests that belong together. */
export interface Block {
  /** The requests as the plan shows them: `GET /measurements?limit=0`. */
  readonly requests: readonly string[];
  /** The decisions that they may settle, or help to. */
  readonly tells: readonly DecisionId[];
  /** What is made up in these requests, as a noun phrase. */
  readonly madeUp: string;
  /** True if they change records; they are sent only with `allowWrites`. */
  readonly changesRecords?: true;
  readonly send: (run: Run) => Promise<unknown>;
}

const OF_LISTINGS = [
  ...([
    'measurement-order',
    'total-counts',
    'last-page',
    'final-cursor',
    'invalid-cursor',
  ] as const),
  ...(['empty-parameter', 'fractional-limit', 'limit-out-of-bounds'] as const),
  ...(['unknown-query-parameters', 'invalid-request-status'] as const),
];
const OF_ALL = ['error-body', 'optional-fields', 'undocumented-fields'] as const;

/**
 * Every block, in the order of sending: deletions come late, and what may lock the token out comes
 * last, each call followed by one with the given token.
 */
const BLOCKS: readonly Block[] = [
  {
    requests: [...LISTINGS, 'all pages of GET /measurements, also in equal parts'],
    tells: [...OF_LISTINGS, ...OF_ALL],
    madeUp:
      'limits out of bounds, fractions, cursors that were never issued, an unlisted parameter',
    send: sendListings,
  },
  {
    requests: CUSTOMERS,
    tells: [
      ...(['customer-id-matches', 'name-matches', 'duplicate-name'] as const),
      ...['unknown-identifier-status' as const, ...OF_ALL],
    ],
    madeUp: 'ids and names that no record should have, and variants of those that some have',
    send: sendCustomers,
  },
  {
    requests: DELETIONS,
    tells: [
      ...(['success-status', 'repeat-delete', 'unmatched-refs', 'repeat-event-delete'] as const),
      ...(['deleted-events-order', 'unknown-body-members', 'updated-at-on-delete'] as const),
    ],
    madeUp: 'an id of a contract, refs of events, and an unlisted member of a body',
    changesRecords: true,
    send: sendDeletions,
  },
  {
    requests: ['the listings once more, as far as --max-requests allows'],
    tells: OF_LISTINGS,
    madeUp: 'the same limits, cursors and parameters',
    send: sendListingsAgain,
  },
  {
    requests: (['none', 'made-up', 'alike'] as const).map(
      (token) => `GET /measurements?limit=1${TOKENS[token]}, and again with the given one`,
    ),
    tells: ['unauthorized-status', 'unknown-token', 'error-body'],
    madeUp: 'random tokens',
    send: async ({ ask }) => {
      for (const token of ['none', 'made-up', 'alike'] as const) {
        await ask({ ...FIRST_MEASUREMENT, token });
        await ask(FIRST_MEASUREMENT);
      }
    },
  },
];

const FIRST_MEASUREMENT = { operationId: 'listMeasurements', query: [['limit', '1']] } as const;
/** What later blocks need at least: two listings, and the tokens. */
const KEPT = 8;

/** The decisions in `only`, or all, in the order of the ledger. */
export function decisionsOf(only: readonly DecisionId[] | undefined): readonly DecisionId[] {
  const all = Object.keys(LEDGER) as DecisionId[];
  return only === undefined ? all : all.filter((id) => only.includes(id));
}

/** True if no request asks about a decision. */
export function isNeverAsked(decision: DecisionId): boolean {
  return !BLOCKS.some(({ tells }) => tells.includes(decision));
}

/** True if only requests that change records can settle a decision. */
export function needsWrites(decision: DecisionId): boolean {
  const telling = BLOCKS.filter(({ tells }) => tells.includes(decision));
  return telling.length > 0 && telling.every(({ changesRecords }) => changesRecords);
}

/** The blocks that may settle the decisions; those that change records only if that is allowed. */
export function planOf({ only, allowWrites }: CompleteServiceOptions) {
  const decisions = decisionsOf(only);
  const useful = BLOCKS.map((block) => ({
    ...block,
    tells: block.tells.filter((id) => decisions.includes(id)),
  })).filter(({ tells }) => tells.length > 0);
  const isHeldBack = ({ changesRecords }: Block) => changesRecords === true && !allowWrites;
  return {
    decisions,
    blocks: useful.filter((block) => !isHeldBack(block)),
    /** Blocks that are not sent because writes are not allowed. */
    heldBack: useful.filter(isHeldBack),
  };
}

/** Sends the blocks. Returns, for each decision, why requests that were sent for it failed. */
export async function sendScript(
  blocks: readonly Block[],
  sender: ReturnType<typeof createSender>,
  { onProgress, ...options }: CompleteServiceOptions & { readonly seed: string },
): Promise<ReadonlyMap<DecisionId, string>> {
  const { samples, pause, requests, brokenOff } = sender;
  const failures = new Map<DecisionId, string>();
  onProgress?.({ done: 0, all: blocks.length, requests: 0 });
  for (const [
    index,
    {
      tells,
      send,
      requests: [sent = ''],
    },
  ] of blocks.entries()) {
    const isBeforeDeletions = blocks.slice(index + 1).some(({ changesRecords }) => changesRecords);
    const later = isBeforeDeletions ? KEPT + deletionsOf(options) : KEPT;
    const left = () => options.maxRequests - requests() - (index === blocks.length - 1 ? 0 : later);
    const fail = (told: string) => {
      for (const id of tells) failures.set(id, told);
    };
    const ask = async (request: ScriptRequest) => {
      const most = request.operationId.startsWith('delete') ? 1 : 2;
      for (let time = 0; time < most && brokenOff() === undefined; time += 1) {
        try {
          const sample = await sender.ask(request);
          if (!mayBeLost(sample)) return sample;
          fail(describeSample(sample));
        } catch (error) {
          if (!(error instanceof CallFailed)) throw error;
          fail(error.message);
          if (error.loss === undefined) return undefined;
        }
      }
      return undefined;
    };
    await send({ ...options, samples, pause, left, ask }).catch((error) => {
      if (!(error instanceof CallFailed)) throw error;
    });
    if (brokenOff() !== undefined) break;
    onProgress?.({ done: index + 1, all: blocks.length, requests: requests(), sent });
  }
  return failures;
}
