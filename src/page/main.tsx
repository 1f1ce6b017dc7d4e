import { render } from 'preact';
import { App } from './app.js';
import { adoptTokenOfFragment } from './connection/control-token.js';

adoptTokenOfFragment();
const root = document.getElementById('app');
if (root) render(<App />, root);
