// As in any language: a base URL, and a token of its own for each test.
import { randomUUID } from 'node:crypto';

export const mock = { url: process.env.USAGE_BILLING_MOCK_URL, token: '' };

beforeEach(() => {
  mock.token = randomUUID();
});
