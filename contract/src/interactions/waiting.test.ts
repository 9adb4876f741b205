import { expect, it } from 'vitest';
import { stages } from './stages.ts';
import { allVerdicts, type StepRecord } from './verdicts.ts';
import { type WaitingState, waitingFlags, waitingStates, waitsFor } from './waiting.ts';

const parties = ['client', 'creator'] as const;
const proposals = [null, 'client', 'creator'] as const;

/** A request with every combination of what it waits by. */
const records: StepRecord[] = stages.flatMap((stage) =>
  Array.from({ length: 2 ** waitingFlags.length }, (_, bits) => ({
    stage,
    ...{ haveConvoReceipt: true, cardDown: false, reviewSubmitted: false, frozen: false, free: false },
    ...{ blocked: false, weekPassed: false, withdrawalClosed: false, objectionClosed: false },
    ...(Object.fromEntries(waitingFlags.map((name, index) => [name, (bits >> index) % 2 === 1])) as Record<
      (typeof waitingFlags)[number],
      boolean
    >),
  })),
);

const request = (
  record: StepRecord,
  party: 'client' | 'creator' | 'other',
  by: 'client' | 'creator' | null,
) => ({
  ...record,
  can: allVerdicts(record, party),
  proposal: by && {
    ...{ id: 'proposal', by, meetsAt: '', meetsUntil: '', place: '', createdAt: '' },
  },
});

it.each(parties)('a request waits for the %s where one of the steps that it names is possible', (party) => {
  const states: readonly WaitingState[] = waitingStates[party];
  for (const { stages, flags = {}, steps } of states) {
    const matching = records.filter(
      (record) =>
        stages.includes(record.stage) &&
        waitingFlags.every((name) => flags[name] === undefined || flags[name] === record[name]),
    );
    expect(matching).not.toEqual([]);
    for (const record of matching) {
      expect(waitsFor(request(record, party, null), party)).toBe(true);
      const { can } = request(record, party, null);
      expect(steps.filter((step) => can[step] === true)).not.toEqual([]);
    }
  }
});

it('a proposal waits for who answers it, and not for who made it', () => {
  for (const by of parties) {
    const record = records.find(({ stage }) => stage === 'accepted') ?? expect.fail();
    for (const party of parties) expect(waitsFor(request(record, party, by), party)).toBe(by !== party);
  }
});

it('nothing waits for others, or once it is over', () => {
  for (const record of records) {
    for (const by of proposals) expect(waitsFor(request(record, 'other', by), 'other')).toBe(false);
    if (record.stage !== 'completed' && record.stage !== 'cancelled') continue;
    for (const party of parties) expect(waitsFor(request(record, party, null), party)).toBe(false);
  }
});
