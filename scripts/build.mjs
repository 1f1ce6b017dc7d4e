// Builds dist/ as tsdown.config.ts says; quietly, because every `npm start` runs it.
import { build } from 'tsdown';

await build({ logLevel: 'error' });
