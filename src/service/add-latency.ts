import type { Latency } from '../accounts/latency.js';
import type { Exchange, Step } from './exchange.js';

/** Holds a success back for the latency of the account, or of the server where the call has none. */
export function addLatency(serverLatency: Latency): Step {
  return (exchange) => awaitLatency(exchange, serverLatency);
}

/** Waits for the latency of a request, once. */
export function awaitLatency(exchange: Exchange, serverLatency: Latency): void | Promise<void> {
  const { account, noted } = exchange;
  if (!noted || noted.latencyMs !== undefined) return;
  const latencyMs = (account?.latency ?? serverLatency).drawMs(noted.id);
  if (latencyMs === undefined) return;
  noted.latencyMs = latencyMs;
  return exchange.platform.wait(latencyMs, exchange.request.signal);
}
