import { useMockServer } from 'usage-billing-mock/jest';

export const mock = useMockServer();
