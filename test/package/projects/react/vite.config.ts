import react from '@vitejs/plugin-react';
import { usageBillingMock } from 'usage-billing-mock/vite';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react(), usageBillingMock({ path: '/billing' })],
});
