import { runInThisContext } from 'node:vm';

/** The clock of Node, which jest never fakes; other runners fake the same one, but only later. */
const RealDate = runInThisContext('Date') as DateConstructor;
const { now } = RealDate;

/** The time of the machine as RFC 3339, whatever time a test has made it. */
export function realTime(): string {
  return new RealDate(now()).toISOString();
}
