import type { Logger } from 'pino';
import { dayToCountFrom } from '../../../core/datasets/fixture/relative-dates.js';
import {
  loadGenerator,
  PREGENERATED_ONLY,
} from '../../../core/datasets/generate/pregenerated-or-faker.js';
import { readDatasets } from '../../../core/datasets/read-datasets.js';
import { checkOptions, type OptionRules } from '../../../core/errors/option-error.js';
import { judgeBy, schemaCheckBy } from '../../../core/openapi/compiled-judge.js';
import {
  type CreateValidators,
  compiledChecks,
  validatorsOf,
} from '../../../core/openapi/compiled-validators.js';
import type { OpenApiDocument } from '../../../core/openapi/route-table.js';
import { createSpecifications } from '../../../core/openapi/specification-in-force.js';
import { didYouMean } from '../../../core/values/did-you-mean.js';
import { FAULT_KINDS } from '../../../mock/accounts/fault-kinds.js';
import { createControl } from '../../../mock/control-plane/control-plane.js';
import { createCoverage } from '../../../mock/coverage/coverage-counter.js';
import { createService } from '../../../mock/service/pipeline.js';
import type { Platform } from '../../../mock/service/platform.js';
import { subscribersOf } from '../../../mock/subscribers/subscribers.js';
import { createInProcess } from '../../adapters/fetch.js';
import { interceptPage, targetBelow } from '../../adapters/intercept-page.js';
import { completeOptions, MOCK_RULES } from '../../options/complete-options.js';
import { documentsBelow } from '../documents/openapi-documents.js';
import { mockOver } from '../library-server.js';
import type { BrowserMock, BrowserMockOptions } from '../mock-interface.js';
import { checkSections, createServerAccounts } from '../server-accounts.js';
import { fixturesIn, OWN_FIXTURE } from './fixtures-in-page.js';
import { sessionState, stateInTab } from './session-state.js';

/** What the build bundles for pages. */
export interface Shipped {
  readonly version: string;
  readonly reasonPhrases: Platform['reasonPhrases'];
  readonly documents: Readonly<Record<'openapi.yaml' | 'control.openapi.yaml', unknown>>;
  /** Loads the fixture of each dataset. */
  readonly fixtures: Readonly<Record<string, () => Promise<unknown>>>;
  readonly createValidators: CreateValidators;
}

const RULES: OptionRules<BrowserMockOptions> = {
  ...MOCK_RULES,
  dataset: { expected: 'the name of a dataset, or a fixture', isValid: (value) => value !== null },
  persist: { expected: "'session'", isValid: (value) => value === 'session' },
};

/** What Chromium says when `fetch` gets no response. */
const UNANSWERED = 'Failed to fetch';

const nothing = () => undefined;

/** Logs to the page's console what is wrong with the mock itself, but no requests. */
const LOGGER = {
  ...{ level: 'silent', trace: nothing, debug: nothing, info: nothing },
  ...{ warn: console.warn, error: console.error, fatal: console.error },
} as unknown as Logger;

/** Creates a mock from what the build has bundled, without files or Node. */
export async function createPortableMock(
  shipped: Shipped,
  given: BrowserMockOptions,
  platform: Platform,
): Promise<BrowserMock> {
  const words = { purpose: 'for a page', adviceOnName: didYouMean };
  const { dataset = 'default', persist, ...ofMock } = checkOptions(given, RULES, words);
  const name = typeof dataset === 'string' ? dataset : OWN_FIXTURE;
  const options = completeOptions({ ...ofMock, dataset: name });
  const { basePath = '', accounts, explain } = options;
  const { version, documents, reasonPhrases } = shipped;
  const validators = validatorsOf(shipped.createValidators);
  const createJudge = judgeBy(validators);
  const read = (file: keyof Shipped['documents']) => documents[file] as OpenApiDocument;
  const { service, control, checks } = documentsBelow(basePath, read, compiledChecks(validators));
  checkSections(options, checks);
  const own = typeof dataset === 'string' ? undefined : dataset;
  const files = await fixturesIn(shipped.fixtures, { dataset: name, accounts, own });
  const { now } = options;
  const currentMs = Date.now();
  const kept = stateInTab(persist, LOGGER);
  const saved = now === undefined ? kept?.today : undefined;
  const today = dayToCountFrom({ now, saved, currentMs });
  const sources = { ...options, files, checks, today, built: new Map(), onRead: nothing };
  const { needsFaker, build } = readDatasets(sources);
  const datasets = build(needsFaker ? await loadGenerator() : PREGENERATED_ONLY);
  const session = persist && sessionState(kept, datasets.main.fingerprint, LOGGER);
  const { sign, after } = platform;
  const serverAccounts = createServerAccounts(datasets, options, checks, LOGGER, {
    ...{ version, reasonPhrases, sign, after },
    ...{ unclaimed: session?.unclaimed, machineTime: undefined },
    coverage: createCoverage(service, FAULT_KINDS),
  });
  session?.keep(serverAccounts);
  const specificationFor = createSpecifications(service, createJudge, schemaCheckBy(validators));
  const parts = { ...serverAccounts, specificationFor, logger: LOGGER };
  const access = { isOfPage: true, trustsLoopback: false, allowedHosts: [], allowedOrigins: [] };
  const serve = createService({
    ...parts,
    platform,
    basePath,
    routes: options.routes,
    namesDecisions: explain,
    subscribers: subscribersOf({ ...options, ...parts }),
    control: createControl({ ...parts, ...access, createJudge, document: control, version }),
  });
  const { fetch, deliver } = createInProcess(serve, platform, basePath, UNANSWERED);
  const mock = mockOver({ fetch, specificationFor }, serverAccounts);
  return {
    ...mock,
    get dataset() {
      return mock.dataset;
    },
    install: (at) =>
      interceptPage({ targetOf: targetBelow(at, basePath), deliver }, (text) => LOGGER.warn(text)),
    resolver(at) {
      const targetOf = targetBelow(at, basePath);
      return async ({ request }) => {
        const target = targetOf(request.url);
        // MSW passes a request on if its resolver returns undefined.
        if (target === undefined) return undefined;
        // MSW turns a thrown error into a 500, but `Response.error()` into a call that fails.
        return deliver(request, target).catch(() => Response.error());
      };
    },
  };
}
