import {
  type Circumstances,
  checkResponse,
  type ReceivedResponse,
  tokenOf,
} from './check-response.js';

const headers = { 'content-type': 'application/problem+json' };
const problem = (status: number) =>
  JSON.stringify({ type: 'urn:x', title: 'x', status, detail: 'x' });

/** Checks a response, by default a success for the account of the first token. */
function check(response: Partial<ReceivedResponse>, circumstances: Partial<Circumstances> = {}) {
  const known = { path: '/measurements', token: tokenOf(1), ...circumstances };
  return () => checkResponse({ status: 200, headers, text: '{}', ...response }, known);
}

describe('a response is a finding', () => {
  const html = { headers: { 'content-type': 'text/html' }, text: '<!doctype html>' };
  test.each<[string, Partial<ReceivedResponse>, string]>([
    ['with data of another account', { text: `{"id":"of-${tokenOf(2)}"}` }, 'another account'],
    ['with a stack trace', { text: '{"detail":"E\\n\n    at run (/x.js:1:2)"}' }, 'stack trace'],
    ['with a status of 500', { status: 500, text: problem(500) }, 'not arranged'],
    ['as HTML', html, 'no HTML'],
    ['of an error without a body', { status: 404, text: '' }, 'a body'],
    ['of an error without a problem', { status: 404, text: '{"message":"x"}' }, 'problem+json'],
    ['of an error with another status', { status: 404, text: problem(400) }, 'problem+json'],
  ])('%s', (_words, response, expected) => {
    expect(check(response)).toThrow(expected);
  });

  test.each<[string, Partial<ReceivedResponse>, Partial<Circumstances>]>([
    ['with a status that was arranged', { status: 503, text: problem(503) }, { arranged: [503] }],
    ['with data of its own', { text: `{"id":"of-${tokenOf(1)}"}` }, {}],
    ['as HTML of the page', html, { path: '/__control/ui' }],
    ['as HTML of / for a browser', html, { path: '/', acceptsHtml: true }],
    ['to HEAD, of an error', { status: 404, text: '' }, { mayBeEmpty: true }],
    ['of an error as decided', { status: 404, text: '{"message":"x"}' }, { errorBody: 'message' }],
  ])('but not %s', (_words, response, circumstances) => {
    expect(check(response, circumstances)).not.toThrow();
  });
});
