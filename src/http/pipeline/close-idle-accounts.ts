import type { RequestHandler } from 'express';
import type { IdleAccounts } from '../../accounts/idle-accounts.js';
import { exchangeOf } from './exchange.js';

/** Closes accounts that nothing uses, if it is time, and keeps that of this request from now on. */
export function closeIdleAccounts(idleAccounts: IdleAccounts): RequestHandler {
  return (_request, response, next) => {
    response.once('close', idleAccounts.begin(exchangeOf(response)));
    next();
  };
}
