import type { MockServerOptions } from '../../options/mock-server-options.js';
import { startOwnMock } from '../in-process/in-process-mock.js';
import { joinSharedMock } from '../shared-mock/join-shared-mock.js';
import { sharedMockAddress } from '../shared-mock/shared-mock-address.js';
import type { MockInUse } from './mock-in-use.js';

/**
 * The options of `useMockServer`. With any of a server's the file has a mock of its own.
 *
 * @example
 * import { type TestMockOptions, useMockServer } from 'usage-billing-mock/jest';
 *
 * const options: TestMockOptions = { shared: false };
 * const mock = useMockServer(options);
 */
export interface TestMockOptions extends MockServerOptions {
  /** False for a mock of this file's own, also where the global set-up has started one for all files. */
  readonly shared?: boolean;
}

/** The shared mock, or one of this file's own: if none is shared, or the file asks for it. */
export async function openMock(
  { shared = true, ...options }: TestMockOptions,
  file = 'This file',
): Promise<MockInUse> {
  const address = shared ? sharedMockAddress() : undefined;
  const names = Object.keys(options);
  if (address && names.length === 0) {
    return joinSharedMock(address);
  }
  if (address) {
    process.stderr.write(
      `usage-billing-mock: ${file} gives ${names.join(', ')}, so it has a mock of its own; with createGlobalSetup all files share such a mock.\n`,
    );
  }
  return startOwnMock(options);
}
