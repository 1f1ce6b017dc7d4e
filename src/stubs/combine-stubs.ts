import { shapeOf } from '../openapi/path-template.js';
import type { StubRequest } from './stub.js';

/** Merges lists of stubs: a stub replaces earlier ones with the same method and path. */
export function combineStubs(lists: readonly (readonly StubRequest[])[]): StubRequest[] {
  return [...new Map(lists.flat().map((stub) => [keyOf(stub), stub])).values()];
}

/** What must be unique in a list of stubs. */
export function keyOf({ method, path }: StubRequest): string {
  return `${method} ${shapeOf(path)}`;
}
