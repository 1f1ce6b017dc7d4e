import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { hasBody } from './has-body.js';
import { BODY_WANTED } from './socket-request.js';

/**
 * Answers `Expect: 100-continue` with `100 Continue` once the body is read, and not before: a body
 * whose head is refused is never sent (RFC 9110, section 10.1.1). Node closes such a connection; where
 * there is no body to wait for, it is kept open.
 */
export function continueOnRead(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (!hasBody(request)) response.writeContinue();
    else request.once(BODY_WANTED, () => response.writeContinue());
    server.emit('request', request, response);
  });
}
