import request from 'supertest';
import { createMockServer } from '../../src/index.js';
import { clientOf } from '../support/client.js';
import { controlOf } from '../support/control.js';
import { openapi, operations } from '../support/document.js';

const server = await createMockServer();

const AT_THE_SERVICE =
  "The mock has only the service's known operations; the service itself may accept this call.";

async function detailOf(path: string): Promise<string> {
  const { status, body } = await clientOf(server).get(path);
  expect([path, status]).toEqual([path, 404]);
  return body.detail;
}

test.each([
  ['/v1/measurements/', "Did you mean '/v1/measurements'?"],
  ['/v1//measurements', "Did you mean '/v1/measurements'?"],
  ['/v1/__control/health/', "Did you mean '/v1/__control/health'?"],
])('the advice for %s has the whole path', async (path, advice) => {
  const { app } = await createMockServer({ basePath: '/v1' });
  const { body } = await request(app).get(path).set('Authorization', 'Bearer t');
  expect(body.detail).toContain(advice);
});

describe('a method that a path does not take', () => {
  test.each(Object.keys(openapi.paths))(
    'of %s is refused with the operations that there are',
    async (template) => {
      const there = operations.filter(({ path }) => path === template);
      const isFree = (method: string) => !there.some((one) => one.method === method);
      const method = (['patch', 'put', 'post', 'delete'] as const).find(isFree) ?? 'get';
      const path = template.replaceAll(/\{\w+\}/g, 'x');
      const sent = method.toUpperCase();
      const { status, body } = await request(server.app)[method](path);
      expect(status).toBe(405);
      for (const one of there) {
        const listed = `${one.method.toUpperCase()} (${one.operation.operationId})`;
        expect(body.detail).toContain(listed);
      }
      expect(body.detail).toContain(`${template} was called with ${sent}; expected `);
      expect(body.detail).toContain(
        `. ${AT_THE_SERVICE} To answer it here, add a stub: POST /__control/stubs with {"method":"${sent}","path":"${path}"}, or \`stubs\` in a fixture (docs/stubs.md).`,
      );
    },
  );

  test('of the control plane is refused with all of its operations there', async () => {
    const { status, headers, body } = await controlOf(server).post('/clock', {});
    expect(status).toBe(405);
    expect(headers.allow?.split(', ')).toEqual(expect.arrayContaining(['GET', 'PUT']));
    expect(body.detail).toBe(
      '/__control/clock was called with POST; expected GET (getClock) or PUT (setClock). The control plane has no other operation at this path.',
    );
  });
});

describe('a path that the mock does not have', () => {
  test.each(['/invoices', '/events', '/customers/x/invoices', '/'])(
    '%s may be one of the service, and the refusal says so',
    async (path) => {
      const detail = await detailOf(path);
      expect(detail).toContain(`There is no path '${path}'.`);
      const [, listed = ''] = /Expected one of (.*?)\. /.exec(detail) ?? [];
      expect(listed.split(', ').sort()).toEqual(Object.keys(openapi.paths).sort());
      expect(detail).toContain(AT_THE_SERVICE);
    },
  );

  test.each([
    ['/measurement', '/measurements'],
    ['/customer/x', '/customers/x'],
    ['/contracts/', '/contracts/{contractId}'],
    ['/customers/names/A%20b', '/customers/name/A%20b'],
    ['/event/delete-by-ref', '/events/delete-by-refs'],
    ['/__control/acount', '/__control/account'],
    ['/__control/custmers', '/__control/customers'],
    ['/__control/contrcts/65b', '/__control/contracts/65b'],
    ['/__control/snapshot/1/restor', '/__control/snapshots/1/restore'],
  ])('%s is nearly one that it has', async (path, meant) => {
    expect(await detailOf(path)).toContain(`Did you mean '${meant}'?`);
  });

  test.each([
    ['/customers/name/Slash/Both', '/customers/name/Slash%2FBoth'],
    ['/customers/name/A/b%20c/d', '/customers/name/A%2Fb%20c%2Fd'],
    ['/contracts/a/b', '/contracts/a%2Fb'],
    ['/__control/customers/a/b', '/__control/customers/a%2Fb'],
  ])('%s may have a slash in its value', async (path, meant) => {
    expect(await detailOf(path)).toContain(`Did you mean '${meant}'?`);
  });

  test('is none of the service below /__control', async () => {
    const detail = await detailOf('/__control/nowhere');
    expect(detail).toContain("The control plane has no path '/__control/nowhere'.");
    expect(detail).not.toContain('service');
  });

  test('is the whole control plane where that is left out', async () => {
    const closed = await createMockServer({ control: false });
    for (const path of ['/__control', '/__control/clock']) {
      const { status, body } = await clientOf(closed).get(path);
      expect(status).toBe(404);
      expect(body.detail).toBe(
        `There is no path '${path}'. This mock has no control plane: start it without --no-control (\`control: false\` in the library).`,
      );
    }
    const { body } = await clientOf(closed).get('/__controlled');
    expect(body.detail).not.toContain('has no control plane');
  });
});
