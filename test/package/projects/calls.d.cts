import type { MockServer } from 'usage-billing-mock';

export const EXPECTED: Readonly<Record<string, readonly number[]>>;
export function callInEveryWay(server: MockServer): Promise<Record<string, number[]>>;
