import { pino } from 'pino';
import request from 'supertest';
import { createCustomers, createDataset } from '../../src/core/datasets/dataset.js';
import { createRecordChecks } from '../../src/core/datasets/fixture/schema-checks.js';
import { PREGENERATED_ONLY } from '../../src/core/datasets/generate/pregenerated-or-faker.js';
import { DEFAULT_DECISIONS } from '../../src/core/decisions/ledger.js';
import { DEFAULT_STATE } from '../../src/core/decisions/switch-decisions.js';
import { createSpecifications } from '../../src/core/openapi/specification-in-force.js';
import { Stubs } from '../../src/core/stubs/stubs.js';
import { createApp } from '../../src/host/adapters/express/app.js';
import { createJudge } from '../../src/host/server/documents/express-openapi-validator.js';
import { NODE } from '../../src/host/server/process/node-platform.js';
import { Accounts } from '../../src/mock/accounts/account-registry.js';
import { Journal } from '../../src/mock/accounts/journal/journal.js';
import { KeptEvidence } from '../../src/mock/accounts/journal/kept-evidence.js';
import { Latency, NO_LATENCY } from '../../src/mock/accounts/latency.js';
import { Limits } from '../../src/mock/accounts/limits.js';
import { createCoverage } from '../../src/mock/coverage/coverage-counter.js';
import { createService } from '../../src/mock/service/pipeline.js';
import { subscribersOf } from '../../src/mock/subscribers/subscribers.js';
import { openapi } from '../support/document.js';

/** The service with a document that promises more than the operations return. */
function appUnder(document: typeof openapi) {
  const checks = createRecordChecks(openapi.components.schemas);
  const source = { layers: [{ customers: [{ id: 'c', name: 'C' }] }], seed: 1, name: 'invalid' };
  const customers = createCustomers(source, PREGENERATED_ONLY);
  const dataset = createDataset(source, customers, PREGENERATED_ONLY);
  const lines: string[] = [];
  const journalRules = {
    size: 10,
    kept: new KeptEvidence(1_000),
    checks,
    version: '',
    reasonPhrases: {},
    known: {},
    followers: new Set<never>(),
    after: NODE.after,
  };
  const coverage = createCoverage(document, []);
  const accounts = new Accounts({
    datasets: {
      main: dataset,
      today: '',
      decisions: {},
      stubs: [],
      declaredFor: () => undefined,
      shipped: () => undefined,
      declared: [],
    },
    decisions: DEFAULT_STATE,
    checks,
    coverage,
    faults: [],
    scenarios: [],
    maxAccounts: 1,
    journalRules,
    limits: new Limits(),
    latency: NO_LATENCY,
    seed: 1,
    sign: NODE.sign,
  });
  const logger = pino({}, { write: (line) => lines.push(line) });
  const journal = new Journal(journalRules);
  const service = createService({
    platform: NODE,
    specificationFor: createSpecifications(document, createJudge),
    accounts,
    journal,
    stubs: new Stubs('server', { check: checks.stub, admit: () => {} }),
    latency: new Latency(NO_LATENCY, 1),
    decisions: () => DEFAULT_DECISIONS,
    subscribers: subscribersOf({ known: {}, coverage, logger, followers: [] }),
  });
  const app = createApp(service);
  return { lines, get: () => request(app).get('/customers/c').set('Authorization', 'Bearer t') };
}

describe('a response that does not match the document', () => {
  test('is a 500 problem that says so, without a stack', async () => {
    const document = structuredClone(openapi);
    document.components.schemas.Customer.required = ['shoeSize'];
    const { get, lines } = appUnder(document);
    const { status, body, headers, text } = await get();
    expect(status).toBe(500);
    expect(headers['content-type']).toBe('application/problem+json');
    expect(body).toMatchObject({
      type: 'urn:usage-billing-mock:problem:invalid-response',
      detail: expect.stringContaining("must have required property 'shoeSize'"),
    });
    expect(text).not.toMatch(/\bat .*:\d+/);
    expect(lines.join('')).toContain('"stack"');
  });

  test('is only that: the same response under the true document is sent', async () => {
    const { status, body } = await appUnder(openapi).get();
    expect(status).toBe(200);
    expect(body.customer).toMatchObject({ id: 'c', name: 'C' });
  });
});

describe('a document that does not fit the code', () => {
  test('does not start when it has an operation that no code answers', () => {
    const document = structuredClone(openapi);
    document.paths['/invoices'] = { get: { operationId: 'listInvoices', responses: {} } };
    expect(() => appUnder(document)).toThrow(
      "The document has the operation 'listInvoices', which no code answers.",
    );
  });

  test('does not start when it lacks an operation', () => {
    const document = structuredClone(openapi);
    delete document.paths['/measurements'];
    expect(() => appUnder(document)).toThrow('The document lacks the operations listMeasurements.');
  });
});
