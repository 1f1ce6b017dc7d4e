import { LEDGER, ROUTES } from '#spec';
import { isObject } from '../../../core/values/json-value.js';
import type { SeenData } from './documented-members.js';
import { customersSeen } from './seen-customers.js';

/** Shorter names occur within ordinary words. */
const SHORTEST = 3;

/**
 * Creates a function that removes names and ids of customers from a report: a service may use them
 * as names of members. Words of the decisions and the document stay, whatever customers are called.
 */
export function hidingCustomers({ samples, document }: SeenData): <Value>(value: Value) => Value {
  const words = JSON.stringify([LEDGER, ROUTES, document]).toLowerCase();
  const texts = customersSeen(samples).flatMap(
    ({ id, name = '', externalId = '', aliases = [] }) => [id, name, externalId, ...aliases],
  );
  const personal = [...new Set(texts.flatMap((text) => [text, encodeURIComponent(text)]))]
    .filter((text) => text.length >= SHORTEST && !words.includes(text.toLowerCase()))
    // Longest first, as a name may be part of another.
    .sort((one, other) => other.length - one.length)
    .map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  if (personal.length === 0) return (value) => value;
  const names = new RegExp(personal.join('|'), 'giu');
  const hideText = (text: string) => text.replaceAll(names, '…');
  const hide = (value: unknown): unknown => {
    if (typeof value === 'string') return hideText(value);
    if (Array.isArray(value)) return value.map(hide);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, hide(one)]));
  };
  return (value) => hide(value) as typeof value;
}
