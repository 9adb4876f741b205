import { writeFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { serveParent } from '../measure/child.ts';
import { type Attacker, expensiveInputs } from './inputs.ts';
import type { InputResult } from './judge.ts';
import { ask } from './send.ts';

/** Sends expensive inputs again and again, for so long. */
export interface Attack extends Attacker {
  durationMs: number;
  /** Names of the inputs. */
  names: readonly string[];
  /** How many cheap requests are sent in place of each input; without it, the inputs. */
  cheap?: Record<string, number>;
}

// Their sender would have a machine of their own: here they get what the server and its other callers leave.
setPriority(10);
await writeFile('/proc/self/autogroup', '5').catch(() => {});

/** ms from a refusal to the next of those inputs that follow one another. */
const refusedMs = 300;

let inputs: ReturnType<typeof expensiveInputs> | undefined;

/** So many cheap requests, in equal intervals. */
async function sendCheap(port: number, count: number, durationMs: number): Promise<void> {
  const begin = performance.now();
  const sent: Promise<unknown>[] = [];
  for (let number = 0; number < count; number++) {
    await delay(Math.max(0, begin + (number * durationMs) / count - performance.now()));
    sent.push(ask(port, '/healthz', {}));
  }
  await Promise.all(sent);
}

/** Ends when the last answer is there: what was begun belongs to this round, and not to the quiet after it. */
async function run({ durationMs, names, cheap, ...attacker }: Attack): Promise<Record<string, InputResult>> {
  if (inputs === undefined) {
    inputs = expensiveInputs(attacker);
    for (const { prepare } of inputs) prepare?.();
  }
  if (cheap !== undefined) {
    await Promise.all(Object.values(cheap).map((count) => sendCheap(attacker.port, count, durationMs)));
    return {};
  }
  const end = performance.now() + durationMs;
  const results: Record<string, InputResult> = {};
  await Promise.all(
    inputs
      .filter(({ name }) => names.includes(name))
      .map(async ({ name, everyMs, requests = 1, send }) => {
        const result: InputResult = {
          ...{ sent: 0, requests: 0 },
          taken: 0,
          refused: 0,
          failed: 0,
          answers: {},
          slowestMs: 0,
        };
        results[name] = result;
        const one = async () => {
          const sentAt = performance.now();
          result.sent++;
          result.requests += requests;
          const { outcome, answers } = await send();
          result[outcome]++;
          for (const answer of answers) result.answers[answer] = (result.answers[answer] ?? 0) + 1;
          result.slowestMs = Math.max(result.slowestMs, performance.now() - sentAt);
          return outcome;
        };
        const under: Promise<unknown>[] = [];
        for (let count = 0, begin = performance.now(); performance.now() < end; count++) {
          // Without an interval one follows the other; with one they go out on time, answered or not.
          if (everyMs === 0) {
            const isTaken = (await one()) === 'taken';
            // Whoever is refused at once would use up the requests of the other inputs' minute.
            if (!isTaken) await delay(refusedMs);
          } else {
            under.push(one());
            await delay(Math.max(0, begin + (count + 1) * everyMs - performance.now()));
          }
        }
        await Promise.all(under);
      }),
  );
  return results;
}

serveParent<Attack, Record<string, InputResult>>(run);
