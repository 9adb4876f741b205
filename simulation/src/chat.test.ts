import { describe, expect } from 'vitest';
import { type Deed, networkFaults, type Script } from './chat/script.ts';
import { chat } from './chat/subject.ts';
import { Coverage } from './lives/coverage.ts';
import { liveSeed } from './lives/run.ts';
import { minuteMs } from './lives/script.ts';
import { livesTest, printedLife } from './testing/lives.ts';

const test = livesTest('chat', chat);

const lives = 8;

const scriptOf = (...deeds: Deed[]): Script => ({
  ...{ environment: {}, tells: false },
  acts: deeds.map((deed) => ({ deed, steps: null })),
});

/** Two people write, read, take back and block. */
const talk = scriptOf(
  { do: 'open', pair: 0, by: 0 },
  { do: 'send', chat: 0, by: 0, isTwice: true },
  { do: 'send', chat: 0, by: 1, isTwice: false },
  { do: 'read', chat: 0, by: 0 },
  { do: 'unsend', chat: 0, by: 1, choice: 0 },
  { do: 'block', chat: 0, by: 0 },
  { do: 'send', chat: 0, by: 1, isTwice: false },
  { do: 'pass', ms: minuteMs },
);

describe('a life of chats', () => {
  test('goes from the first message to a block', async ({ place }) => {
    const coverage = new Coverage();
    const { findings } = await liveSeed(place, 1, { script: talk, coverage });
    expect(findings).toEqual([]);
    const rows = await place.world.admin`select user_id as by, body from messages order by sequence`;
    expect(rows).toEqual([
      { by: 'ana', body: 'message 1' },
      { by: 'ben', body: 'message unsent' },
    ]);
    expect(Object.fromEntries(coverage.counts.get('answer') ?? [])).toMatchObject({
      ...{ 'send: 200': 3, 'send: chat_read_only': 1, 'unsend: 200': 1, 'mark: 200': 1, 'block: 200': 1 },
    });
    expect(Object.fromEntries(coverage.counts.get('deed') ?? [])).toEqual({
      ...{ open: 1, send: 3, read: 1, unsend: 1, block: 1, pass: 1 },
    });
  });

  test.for([...networkFaults])('loses what a script says: %s', async (what, { place }) => {
    const coverage = new Coverage();
    const script = scriptOf(
      ...[{ do: 'open', pair: 0, by: 0 } as const, { do: 'lose', what, times: 1 } as const],
      { do: 'send', chat: 0, by: 0, isTwice: false },
    );
    expect((await liveSeed(place, 1, { script, coverage })).findings).toEqual([]);
    expect(Object.fromEntries(coverage.counts.get('fault') ?? [])).toEqual({ [what]: 1 });
  });

  test('is the same in another process, byte for byte', async ({ place }) => {
    const { trace } = await liveSeed(place, 1);
    expect(await printedLife('chat', 1)).toBe(trace.join('\n'));
  });

  test.for([1, 2])('is the same again from its seed, byte for byte: %i', async (seed, { place }) => {
    const first = await liveSeed(place, seed);
    const again = await liveSeed(place, seed);
    expect(again.trace.join('\n')).toBe(first.trace.join('\n'));
    expect(first.steps).toBeGreaterThan(50);
  });

  test(`holds in each of ${lives} lives`, async ({ place }) => {
    const failures = [];
    for (let seed = 1000; seed < 1000 + lives; seed++)
      failures.push(...(await liveSeed(place, seed)).findings.map((finding) => ({ seed, finding })));
    expect(failures).toEqual([]);
  });
});
