import type { DecisionValue } from '../../decisions/ledger.js';
import { describeExchange } from '../evidence.js';
import { type Exchange, isSuccess } from '../exchange.js';
import type { Observer } from '../observation.js';

/** Reads whether a made-up token is accepted (section 5). */
export const unknownToken: Observer<'unknown-token'> = {
  wanted: 'a call with a made-up token',
  observe: ({ exchanges }) => {
    // Where no token is needed, none is looked at.
    const isOpen = exchanges.some((exchange) => hasToken(exchange, 'none') && isSuccess(exchange));
    if (isOpen) return [];
    return exchanges
      .filter((exchange) => hasToken(exchange, 'made-up'))
      .flatMap((exchange) => {
        const value = acceptanceOf(exchange);
        return value === undefined
          ? []
          : [{ explainedBy: [value], evidence: describeExchange(exchange) }];
      });
  },
};

function hasToken({ call }: Exchange, token: Exchange['call']['token']): boolean {
  return call.token === token;
}

function acceptanceOf(exchange: Exchange): DecisionValue<'unknown-token'> | undefined {
  if (isSuccess(exchange)) return 'open-account';
  return [401, 403].includes(exchange.answer.status) ? 'reject' : undefined;
}
