import * as shipped from 'virtual:shipped';
import { createPortableMock } from './host/server/in-page/browser-mock.js';
import { browserPlatform } from './host/server/in-page/browser-platform.js';
import type { BrowserMock, BrowserMockOptions } from './host/server/mock-interface.js';

export { FixtureError } from './core/datasets/fixture/parse-fixture.js';
export { InvalidInputError } from './core/errors/invalid-input.js';
export { OptionError } from './core/errors/option-error.js';
export { ProblemError } from './core/errors/problem-error.js';
export { UnknownIdError } from './core/errors/unknown-id.js';
export type { BrowserMock, BrowserMockOptions } from './host/server/mock-interface.js';
export type { Routes, RoutesMock } from './mock/service/routes.js';

/**
 * Creates a mock that runs in the page, without a server. Rejects with an `OptionError` or a
 * `FixtureError` that says what to correct.
 *
 * @example
 * const { createBrowserMock } = await import('usage-billing-mock/browser');
 * const mock = await createBrowserMock({ dataset: 'edge-cases' });
 * mock.install({ url: 'https://billing.example/v1' });
 */
export async function createBrowserMock(options: BrowserMockOptions = {}): Promise<BrowserMock> {
  return createPortableMock(shipped, options, browserPlatform(shipped.reasonPhrases));
}
