import type { Latency } from '../accounts/latency.js';
import type { Exchange, Step } from './exchange.js';

/** Delays a response by its account's latency, or else the server's; `refuseBy` delays errors. */
export function addLatency(serverLatency: Latency): Step {
  return (exchange) => awaitLatency(exchange, serverLatency);
}

export function awaitLatency(exchange: Exchange, serverLatency: Latency): void | Promise<void> {
  const { account, noted } = exchange;
  if (!noted || noted.latencyMs !== undefined) return;
  const latencyMs = (account?.latency ?? serverLatency).drawMs(noted.id);
  if (latencyMs === undefined) return;
  noted.latencyMs = latencyMs;
  return exchange.wait(latencyMs);
}
