import cors from 'cors';
import type { RequestHandler } from 'express';

/** Lets pages of these origins call the control plane and read what it answers, errors included. */
export function allowOrigins(origins: readonly string[]): RequestHandler {
  const allow = cors({
    origin: [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type', 'X-Control-Token', 'X-Account-Id'],
    exposedHeaders: ['WWW-Authenticate', 'Retry-After', 'Allow', 'X-Control-Plane'],
    preflightContinue: true,
    maxAge: 600,
  });
  return (request, response, next) => {
    response.vary('Origin');
    // The library would tell any other page which methods and header fields are allowed.
    if (origins.includes(request.headers.origin ?? '')) allow(request, response, next);
    else next();
  };
}
