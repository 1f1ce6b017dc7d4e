import { usageBillingMock } from 'usage-billing-mock/vite';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [usageBillingMock({ path: '/billing', dataset: 'default' })],
});
