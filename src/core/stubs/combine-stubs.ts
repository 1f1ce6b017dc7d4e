import { shapeOf } from '../openapi/path-template.js';
import type { StubRequest } from './stub.js';

/** Merges lists of stubs: a stub replaces earlier ones with the same method and path. */
export function combineStubs(lists: readonly (readonly StubRequest[])[]): StubRequest[] {
  return [...new Map(lists.flat().map((stub) => [stubKeyOf(stub), stub])).values()];
}

/** What must be unique in a list of stubs. */
export function stubKeyOf({ method, path }: StubRequest): string {
  return `${method} ${shapeOf(path)}`;
}
