import type { CompleteServiceOptions } from '../settle/complete-settle-options.js';
import { planOf } from '../settle/plan.js';
import type { Probe } from '../settle/probes/probe.js';
import { wrap } from './wrap.js';

/** What a run would send, for people. */
export function planForPeople(options: CompleteServiceOptions): string {
  const { target, mostRequests, rate, scratchContracts, scratchRefs } = options;
  const { decisions, probes, heldBack, madeUp } = planOf(options);
  const reading = probes.filter(({ changesRecords }) => !changesRecords);
  const changing = probes.filter(({ changesRecords }) => changesRecords);
  const untold = decisions.filter((id) => ![...probes, ...heldBack].some(isAbout([id])));
  const paragraphs = [
    wrap(
      `The plan for ${target}: at most ${mostRequests} requests, ${rate} a second, one at a time.`,
    ),
    listed('Reads records:', reading, decisions),
    listed('Changes records:', changing, decisions),
    changing.length === 0
      ? []
      : [
          'Only these may be deleted:',
          ...wrap(`contracts: ${scratchContracts.join(', ') || 'none'}`, 2),
          ...wrap(`refs of events: ${scratchRefs.join(', ') || 'none'}`, 2),
        ],
    listed(
      'Not sent without --allow-writes, and --scratch-contract or --scratch-ref:',
      heldBack,
      decisions,
    ),
    madeUp.length === 0 ? [] : ['Made up, to see what it does:', ...madeUp.flatMap(item)],
    untold.length === 0
      ? []
      : ['Told only if it happens to be seen:', ...wrap(untold.join(', '), 2)],
  ];
  const shown = paragraphs.filter((lines) => lines.length > 0);
  return `${shown.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function listed(title: string, probes: readonly Probe[], decisions: readonly string[]): string[] {
  if (probes.length === 0) return [];
  const lines = probes.flatMap(({ requests, tells }) => [
    ...wrap(requests, 2),
    ...wrap(`for ${tells.filter((id) => decisions.includes(id)).join(', ')}`, 6),
  ]);
  return [...wrap(title), ...lines];
}

function item(text: string): string[] {
  return wrap(text, 2);
}

function isAbout(decisions: readonly string[]) {
  return ({ tells }: Probe) => tells.some((id) => decisions.includes(id));
}
