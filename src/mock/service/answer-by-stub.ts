import { valuesOfPath } from '../../core/openapi/path-template.js';
import { fillStub, type SentValues } from '../../core/stubs/fill-stub.js';
import { refersTo } from '../../core/stubs/placeholder-syntax.js';
import type { Stub } from '../../core/stubs/stub.js';
import type { Stubs } from '../../core/stubs/stubs.js';
import { percentDecoded } from '../../core/values/received-value.js';
import { exposeFields } from './cross-origin.js';
import type { Exchange, Step, StubExchange } from './exchange.js';
import { parseSentBody } from './read-body.js';
import { JSON_FIELDS } from './respond.js';

export function answerByStub(ofServer: Stubs): Step<StubExchange> {
  return (exchange) => {
    const { called, account, platform } = exchange;
    const { stub } = called;
    const turns = account?.stubs ?? ofServer;
    const fill = (sentBody: unknown) => {
      const sent = sentValues(exchange, stub, sentBody);
      const { status, headers, body } = fillStub(stub, turns.responseOf(stub), sent, platform.sign);
      turns.countResponse(stub, ofServer);
      const type = body === undefined ? {} : JSON_FIELDS;
      exposeFields(exchange, Object.keys(headers));
      exchange.ready = { status, headers: { ...type, ...headers }, body };
    };
    // Parsed only if a placeholder needs it, because a body that cannot be parsed is refused.
    if (refersTo('body', stub)) return fill(parseSentBody(exchange));
    fill({});
  };
}

function sentValues({ path, query }: Exchange, stub: Stub, body: unknown): SentValues {
  const values = Object.entries(valuesOfPath(stub.path, path));
  return {
    path: Object.fromEntries(values.map(([name, value]) => [name, percentDecoded(value)])),
    query: Object.fromEntries(new URLSearchParams(query)),
    body,
  };
}
