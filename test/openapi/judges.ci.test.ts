import express, { type ErrorRequestHandler } from 'express';
import { middleware } from 'express-openapi-validator';
import supertest from 'supertest';
import { compilePaths } from '../../scripts/compile-validators.js';
import { DEFAULT_DECISIONS } from '../../src/core/decisions/ledger.js';
import { judgeBy } from '../../src/core/openapi/compiled-judge.js';
import { requireCompiled, validatorsOf } from '../../src/core/openapi/compiled-validators.js';
import { documentByDecisions } from '../../src/core/openapi/document-by-decisions.js';
import type { CreateJudge, Judge } from '../../src/core/openapi/judge.js';
import {
  createJudge,
  createValidators,
} from '../../src/host/server/documents/express-openapi-validator.js';
import type { DecisionChanges } from '../../src/index.js';
import { openapi } from '../support/document.js';
import { SHIPPED } from '../support/shipped.js';
import {
  type JudgedRequest,
  type JudgedResponse,
  OPERATIONS,
  REQUESTS,
  RESPONSES,
} from './judge-corpus.js';

/** The rules that a request breaks, or else its query as the operation receives it. */
interface Found {
  readonly broken: readonly string[];
  readonly query?: object;
}

/** A judge that is tested with the corpus. */
interface Opinion {
  request(judged: JudgedRequest): Found | Promise<Found>;
  /** The rule that a response breaks; undefined if it breaks none. */
  response(judged: JudgedResponse): string | undefined | Promise<string | undefined>;
}

interface Rule {
  readonly path: string;
  readonly errorCode?: string | undefined;
}

const inShort = (rules: readonly Rule[]) =>
  rules.map(({ path, errorCode = '' }) => `${path} ${errorCode.split('.')[0]}`.trim()).sort();

const documentUnder = (decisions: DecisionChanges = {}) =>
  documentByDecisions(openapi, { ...DEFAULT_DECISIONS, ...decisions } as typeof DEFAULT_DECISIONS);

/** Creates a value once for each set of decisions. */
function byDecisions<Value>(create: (decisions?: DecisionChanges) => Value) {
  const created = new Map<string, Value>();
  return ({ decisions = {} }: { readonly decisions?: DecisionChanges }): Value => {
    const key = JSON.stringify(decisions);
    const value = created.get(key) ?? create(decisions);
    created.set(key, value);
    return value;
  };
}

const judgesBy = (create: CreateJudge) =>
  byDecisions((decisions) => create(documentUnder(decisions)));

/** Tests the judges that a function creates. */
const opinionOf = (
  judgeOf: (judged: { readonly decisions?: DecisionChanges }) => Judge,
): Opinion => ({
  request(judged) {
    const { operation, path = {}, query = {}, body, broken } = judged;
    const sent = { path: { ...path }, query: { ...query }, body: structuredClone(body) };
    const judge = judgeOf(judged);
    const { brokenRules, input } = judge.request(OPERATIONS[operation], sent, false);
    const hasty = judge.request(OPERATIONS[operation], sent, true).brokenRules;
    // The first broken rule shows whether there are any.
    expect(hasty.length > 0).toBe(broken.length > 0);
    return { broken: inShort(brokenRules), query: input.query };
  },
  response(judged) {
    const { operation, body } = judged;
    try {
      judgeOf(judged).response(OPERATIONS[operation], body);
      return undefined;
    } catch (error) {
      expect(error).toHaveProperty('name', 'WrongResponseError');
      return (error as Error).message;
    }
  },
});

const createCompiledJudge = judgeBy(validatorsOf(SHIPPED.createValidators));

const builtPaths = new Function(`return ${compilePaths(openapi)}`)()(requireCompiled);

/** The packaged server's judge, which compiles only what the build has not. */
const createBuiltJudge: CreateJudge = (document) =>
  createJudge(document, (...given) => createValidators(...given, undefined, builtPaths));

/** An app that shows the verdict of the library's own middleware on a request or response. */
function appUnder(decisions: DecisionChanges | undefined, respond: express.RequestHandler) {
  const options: Parameters<typeof middleware>[0] = {
    apiSpec: documentUnder(decisions) as never,
    validateRequests: { allErrors: true, allowUnknownQueryParameters: true },
    validateResponses: true,
    validateSecurity: false,
    validateFormats: true,
    ajvFormats: { mode: 'fast' },
    // Dates stay strings.
    serDes: [{ format: 'date-time' }, { format: 'date' }],
  };
  const app = express();
  app.use(express.json({ strict: false, limit: '1mb' }), middleware(options), respond);
  const showErrors: ErrorRequestHandler = ({ message, errors = [] }, _request, response, _next) => {
    response.status(400).send(JSON.stringify({ message, errors }));
  };
  return app.use(showErrors);
}

const requestAppOf = byDecisions((decisions) =>
  appUnder(decisions, ({ query }, response) => void response.send(JSON.stringify({ query }))),
);

/** The app's response to the next call. */
const next = { status: 200, body: {} as object };
const responseAppOf = byDecisions((decisions) =>
  appUnder(decisions, (_request, response) => void response.status(next.status).json(next.body)),
);

const VALID = { path: { contractId: 'a', name: 'a', customerId: 'a' }, body: { refs: ['a'] } };

/** Sends a request over HTTP. */
function send(app: express.Express, { operation, path = {}, query = {}, body }: JudgedRequest) {
  const { template, method } = OPERATIONS[operation];
  const pathname = template.replace(/\{(\w+)\}/, (_, name) => encodeURIComponent(path[name] ?? ''));
  const sent = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, String(one)]),
  );
  const name = method.toLowerCase() as 'get' | 'post' | 'delete';
  const request = supertest(app)[name](`${pathname}?${new URLSearchParams(sent)}`);
  if (method !== 'POST') return request;
  return request.set('Content-Type', 'application/json').send(JSON.stringify(body));
}

const MIDDLEWARE: Opinion = {
  async request(judged) {
    const { text } = await send(requestAppOf(judged), judged);
    const { errors = [], query } = JSON.parse(text);
    return { broken: inShort(errors), query };
  },
  async response(judged) {
    Object.assign(next, { status: judged.status ?? 200, body: judged.body });
    const { operation } = judged;
    const { status, text } = await send(responseAppOf(judged), { operation, ...VALID, broken: [] });
    return status === next.status ? undefined : JSON.parse(text).message;
  },
};

const shown = (value: object) => JSON.stringify(value).slice(0, 120);

describe.each([
  ['the judge of the server', opinionOf(judgesBy(createJudge))],
  ['the judge of the server in the package', opinionOf(judgesBy(createBuiltJudge))],
  ['the judge that the build compiles', opinionOf(judgesBy(createCompiledJudge))],
  ["express-openapi-validator's own middleware", MIDDLEWARE],
])('%s', (_name, opinion) => {
  test.each(REQUESTS.map((judged) => [shown(judged), judged] as const))(
    'finds in the request %s what every judge finds',
    async (_shown, judged) => {
      const { broken, query } = await opinion.request(judged);
      expect(broken).toEqual(judged.broken);
      if (judged.converted) expect({ ...query }).toEqual(judged.converted);
    },
  );

  test.each(RESPONSES.map((judged) => [shown(judged), judged] as const))(
    'finds in the response %s what every judge finds',
    async (_shown, judged) => {
      expect(await opinion.response(judged)).toBe(judged.breaks);
    },
  );
});

test('the build compiles every part of each operation under the default decisions', () => {
  const document = documentUnder();
  for (const template of Object.keys(document.paths)) {
    const { operations, compilers } = createValidators(document, template, undefined, builtPaths);
    for (const { responses } of Object.values(operations)) responses();
    expect(Object.values(compilers).map(({ schemas }) => Object.keys(schemas))).toEqual([
      [],
      [],
      [],
    ]);
  }
});
