import { createBrowserMock } from 'usage-billing-mock/browser';

let mock;

export default {
  async beforeAll() {
    mock = await createBrowserMock();
    return mock.install({ url: '/billing' });
  },
  beforeEach: () => mock.account('story').reset(),
};
