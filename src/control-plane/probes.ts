import type { RequestHandler } from 'express';

/** Health and readiness, with their paths. */
export const PROBES = { getHealth: '/health', getReadiness: '/ready' } as const;

/** Answers health and readiness before every check, so that a container can be probed. */
export function answerProbes(version: string): RequestHandler {
  return (request, response, next) => {
    const isProbe = Object.values<string>(PROBES).includes(request.path);
    if (!isProbe || !['GET', 'HEAD'].includes(request.method)) return next();
    response.json({ status: 'ok', version });
  };
}
