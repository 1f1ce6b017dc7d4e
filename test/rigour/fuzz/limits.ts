/** What a fuzz never tries, and so says nothing of. */
export const LIMITS = [
  'HTTP/2 (but its preface as bytes of another protocol) and TLS are not tried: every connection is HTTP/1.1 in plain text.',
  'The mock is started in one way: with its default dataset and decisions, without a control token, a base path or a state file, with a journal file and 512 MB of heap, and without limits of rate.',
  'What the command reads before it serves (flags, environment, fixtures) gets no generated values.',
  'Of a success only its form and whose data it has is checked: what it has to say is up to the tests and the soak.',
  'No data of another account means none that has its token: a count, or the existence of a record, could be told.',
  'Generated calls wait for each answer or are made at once in one account; two accounts at once are up to the soak.',
];
