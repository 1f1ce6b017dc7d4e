import {
  DEFAULT_DECISIONS,
  type DecisionId,
  type OperationId,
  type ResourceName,
  ROUTES,
} from '#spec';
import { InvalidInputError } from '../../../core/errors/invalid-input.js';
import { ProblemError } from '../../../core/errors/problem-error.js';
import { createMockServer } from '../../../host/server/mock-server.js';
import { bodyOf, type SampleRequest, type SampleResponse } from '../seen/samples.js';
import { targetOf } from '../send/compose-request.js';

/** Values of some decisions; the others have their defaults. */
export type Hypothesis = Readonly<Partial<Record<DecisionId, string | number>>>;

/** The records that each operation needs; about another, nothing can be predicted. */
const COLLECTION: Readonly<Partial<Record<OperationId, ResourceName>>> = {
  listMeasurements: 'measurements',
  getCustomer: 'customers',
  getCustomerByName: 'customers',
  deleteContract: 'contracts',
  deleteEventsByRefs: 'events',
};

export type ModelRecords = Readonly<Partial<Record<ResourceName, readonly object[]>>>;

/** A mock that predicts a service's responses, given its records. */
export interface Model {
  /** Undefined if the mock cannot hold the records. */
  read(hypothesis: Hypothesis, request: SampleRequest): Promise<SampleResponse | undefined>;
  /** Sends requests that change records to a new account, one after another; returns the responses. */
  replay(
    hypothesis: Hypothesis,
    requests: readonly SampleRequest[],
  ): Promise<readonly SampleResponse[] | undefined>;
}

/**
 * Returns a function that makes models of one empty mock, started when the first is asked. A
 * hypothesis is remembered by the values that differ from the defaults. Models throw if the mock
 * fails: that is evidence of nothing.
 */
export function createModels() {
  const start = () =>
    createMockServer({
      dataset: 'empty',
      decisions: DEFAULT_DECISIONS,
      journalSize: 0,
      maxAccounts: 1_000_000,
    });
  let started: ReturnType<typeof start> | undefined;
  let accounts = 0;

  function serverOf() {
    started ??= start();
    return started;
  }

  /** The token of a new account with these records; undefined if they do not match their schema. */
  async function open(records: readonly object[], name: ResourceName | undefined) {
    if (name === undefined) return undefined;
    accounts += 1;
    const token = `model-${accounts}`;
    const collection = (await serverOf()).account(token)[name];
    try {
      for (const record of records) collection.put(record as never);
      return token;
    } catch (error) {
      if (error instanceof InvalidInputError) return undefined;
      // More records than a mock keeps.
      if (error instanceof ProblemError && error.problem === 'conflict') return undefined;
      throw error;
    }
  }

  async function send(token: string, request: SampleRequest): Promise<SampleResponse> {
    const server = await serverOf();
    const response = await server.fetch(targetOf(request), initOf(request, token));
    const { status } = response;
    const text = await response.text();
    if (status >= 500 || status === 429 || status === 401) {
      throw new Error(`The model of the service failed with ${status}: ${text}`);
    }
    return { status, headers: Object.fromEntries(response.headers), body: bodyOf(text) };
  }

  return (records: ModelRecords): Model => {
    const replies = new Map<string, Promise<SampleResponse | undefined>>();
    const replays = new Map<string, Promise<readonly SampleResponse[] | undefined>>();
    const readers = new Map<ResourceName | undefined, string | undefined>();
    let turn: Promise<unknown> = Promise.resolve();
    const openFor = (name: ResourceName | undefined) => open((name && records[name]) ?? [], name);

    async function readNow(hypothesis: Hypothesis, request: SampleRequest) {
      const { operationId } = request;
      const collection = COLLECTION[operationId];
      if (!readers.has(collection)) {
        readers.set(collection, await openFor(collection));
      }
      const token = readers.get(collection);
      if (token === undefined) return undefined;
      const { decisions } = (await serverOf()).account(token);
      decisions.change({ ...PER_ACCOUNT, ...hypothesis } as never);
      return send(token, request);
    }

    async function replayNow(hypothesis: Hypothesis, requests: readonly SampleRequest[]) {
      const [first] = requests;
      if (!first) return [];
      const token = await openFor(COLLECTION[first.operationId]);
      if (token === undefined) return undefined;
      const server = await serverOf();
      server.account(token).decisions.change(hypothesis as never);
      const all: SampleResponse[] = [];
      for (const request of requests) all.push(await send(token, request));
      server.closeAccount(token);
      return all;
    }

    return {
      read: (given, request) => {
        const hypothesis = unusual(given);
        return remembered(replies, [hypothesis, request], () => {
          // One account serves all hypotheses in turn: opening one costs as much as its records.
          const reading = turn.then(() => readNow(hypothesis, request));
          turn = reading.catch(() => undefined);
          return reading;
        });
      },
      replay: (given, requests) => {
        const hypothesis = unusual(given);
        return remembered(replays, [hypothesis, requests], () => replayNow(hypothesis, requests));
      },
    };
  };
}

/** The defaults of all decisions that an account can switch. */
const { 'unauthorized-status': _, 'unknown-token': __, ...PER_ACCOUNT } = DEFAULT_DECISIONS;

/** What was made for this key before, or is made now. */
export function remembered<Value>(
  memory: Map<string, Value>,
  key: unknown,
  make: () => Value,
): Value {
  const name = JSON.stringify(key);
  const value = memory.get(name) ?? make();
  memory.set(name, value);
  return value;
}

/** Without the values that are the mock's own, in one order. */
function unusual(hypothesis: Hypothesis): Hypothesis {
  const others = Object.entries(hypothesis).filter(
    ([id, value]) => value !== DEFAULT_DECISIONS[id as DecisionId],
  );
  return Object.fromEntries(others.sort());
}

function initOf({ operationId, body }: SampleRequest, token: string): RequestInit {
  const [method = 'GET'] = ROUTES[operationId].split(' ');
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  return { method, headers, ...(method !== 'GET' && { body: JSON.stringify(body) }) };
}
