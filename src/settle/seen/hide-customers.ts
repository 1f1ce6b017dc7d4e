import { LEDGER } from '../../decisions/ledger.js';
import { ROUTES } from '../../generated/operations.js';
import { isObject } from '../../values/json-value.js';
import type { Seen } from './samples.js';
import { customersSeen } from './seen-customers.js';

/** A shorter one is found in ordinary words. */
const SHORTEST = 3;

/**
 * Creates what takes the names and ids of customers out of a report: a service may have them as
 * names of members. Words of the decisions and of the document are none, whatever customers are called.
 */
export function hidingCustomers({ samples, document }: Seen): <Value>(value: Value) => Value {
  const words = JSON.stringify([LEDGER, ROUTES, document]).toLowerCase();
  const texts = customersSeen(samples).flatMap(
    ({ id, name = '', externalId = '', aliases = [] }) => [id, name, externalId, ...aliases],
  );
  const hidden = new Set(texts.flatMap((text) => [text, encodeURIComponent(text)]));
  const personal = [...hidden]
    .map((text) => text.toLowerCase())
    .filter((text) => text.length >= SHORTEST && !words.includes(text));
  const hideText = (text: string): string => {
    let shown = text;
    for (const one of personal) {
      for (
        let at = shown.toLowerCase().indexOf(one);
        at >= 0;
        at = shown.toLowerCase().indexOf(one)
      ) {
        shown = `${shown.slice(0, at)}…${shown.slice(at + one.length)}`;
      }
    }
    return shown;
  };
  const hide = (value: unknown): unknown => {
    if (typeof value === 'string') return hideText(value);
    if (Array.isArray(value)) return value.map(hide);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, hide(one)]));
  };
  return (value) => hide(value) as typeof value;
}
