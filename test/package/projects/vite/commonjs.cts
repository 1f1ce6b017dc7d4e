import { usageBillingMock, type ViteMockOptions } from 'usage-billing-mock/vite';

const options: ViteMockOptions = { path: '/billing', seed: 7 };
module.exports = { plugins: [usageBillingMock(options)] };
