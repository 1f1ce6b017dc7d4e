export default { test: { globalSetup: 'usage-billing-mock/vitest/global-setup' } };
