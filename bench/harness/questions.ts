// The requests of an operation for one target: one as a trial, then all for the load.

import type { Operation, Question, Records } from '../types.js';
import { ask, wire } from './ask.js';
import type { Target } from './targets.js';

/** The requests of an operation in the form that the target understands. */
export function questionsFor(target: Target, operation: Operation, records: Records) {
  const requests = operation
    .requests(records)
    .map((request) => translated(target, operation, request)) as [Question, ...Question[]];
  let asked = 0;
  return {
    trial: (port: number) => tryOut(port, target, operation, requests[0]),
    next() {
      const round = Math.floor(asked / requests.length);
      const request = requests[asked % requests.length] as Question;
      asked += 1;
      if (!operation.deletes) return wireOf(request, 'bench');
      return wireOf(request, `${operation.id}-${round}`);
    },
  };
}

/** A request in the target's form: json-server pages with its own parameters. */
function translated({ translate }: Target, operation: Operation, request: Question) {
  return translate ? translate(request, operation) : request;
}

const texts: WeakMap<Question, { token: string; text: string }> = new WeakMap();

/** The text of a request, cached while its token stays the same. */
function wireOf(request: Question, token: string) {
  const known = texts.get(request);
  if (known?.token === token) return known.text;
  const text = wire({ ...request, token });
  texts.set(request, { token, text });
  return text;
}

/** Tries an operation: why the target gets no figure for it, or a note on the figure. */
async function tryOut(
  port: number,
  target: Target,
  operation: Operation,
  request: Question,
): Promise<{ reason?: string; note?: string | undefined; leastBytes?: number }> {
  const token = `trial-${operation.id}`;
  const { status, body, text } = await ask(port, { ...request, token });
  if (status === 404) return { reason: 'has no such operation' };
  if (status !== 200) return { reason: `answers ${status}` };
  const mistake = operation.mistake(body);
  if (mistake) return { reason: mistake };
  // Equal responses may differ a little in length, for instance in a counter.
  const leastBytes = Math.floor(text.length / 2);
  if (operation.deletes) {
    const again = await ask(port, { ...request, token });
    if (operation.deletedNothing(again)) {
      return { reason: 'deletes nothing: the same delete succeeds again' };
    }
  }
  if (!operation.other) return { leastBytes, note: target.remark?.(operation) };
  const other = await ask(port, { ...translated(target, operation, operation.other), token });
  const isConstant = other.status === 200 && operation.isConstant(other.body);
  return { leastBytes, note: isConstant ? 'the same response whatever is asked' : undefined };
}
