const FOLDER = '../../examples/typescript';

// Named by a variable, so that the project's own types can be checked before there is a dist/.
await import(`${FOLDER}/billing-client.test.js`);
