import { useMockServer } from 'usage-billing-mock/vitest';

export const mock = useMockServer();
