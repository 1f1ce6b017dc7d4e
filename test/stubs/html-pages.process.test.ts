import { createMockServer, type StubRequest } from '../../src/index.js';
import { usePages } from '../support/browser.js';
import { describeInChromium } from '../support/chromium.js';

const STUBS: readonly StubRequest[] = [
  {
    method: 'GET',
    path: '/login',
    headers: { 'Content-Type': 'text/html' },
    body: `<form action="login" method="post"><input name="user" value="{{query.user}}"><button>Log in</button></form>
<p id="status"></p><script>
  fetch('/__control/accounts/reset', { method: 'POST', mode: 'no-cors' })
    .then(({ type }) => { document.querySelector('#status').textContent = type; });
</script>`,
  },
  {
    method: 'POST',
    path: '/login',
    headers: { 'Content-Type': 'text/html' },
    body: '<h1>Hello {{body.user}}</h1>',
  },
];

describeInChromium('a page that a stub serves', () => {
  const open = usePages();

  test('cannot reset accounts, and still logs somebody in', async () => {
    const server = await createMockServer({ dataset: 'empty', port: 0, stubs: STUBS });
    const url = await server.start();
    server.account('my-token').customers.add({ id: 'c1', name: 'Initech' });
    try {
      const injected = encodeURIComponent('"><img src=x onerror="document.title=1">');
      const page = await open(`${url}/login?user=${injected}`);
      // The type would be 'basic' if the page had the mock's origin.
      expect(await page.locator('#status:not(:empty)').textContent()).toBe('opaque');
      expect(server.account('my-token').customers.get('c1')).toBeDefined();
      expect(await page.locator('img').count()).toBe(0);
      await page.locator('input').fill('Robin');
      await page.getByRole('button').click();
      expect(await page.locator('h1').textContent()).toBe('Hello Robin');
    } finally {
      await server.stop();
    }
  });
});
