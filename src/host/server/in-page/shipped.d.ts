/** What the build generates from the documents, the fixtures and the package's version. */
declare module 'virtual:shipped' {
  type Shipped = import('./browser-mock.js').Shipped;
  export const version: Shipped['version'];
  export const reasonPhrases: Shipped['reasonPhrases'];
  export const documents: Shipped['documents'];
  export const fixtures: Shipped['fixtures'];
  export const createValidators: Shipped['createValidators'];
}
