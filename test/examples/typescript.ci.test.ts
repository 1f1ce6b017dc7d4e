const FOLDER = '../../examples/typescript';

// In a variable, so that type checks of this project do not need dist/.
await import(`${FOLDER}/billing-client.test.js`);
