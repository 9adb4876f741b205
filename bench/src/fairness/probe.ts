import { setTimeout as delay } from 'node:timers/promises';
import { serveParent } from '../measure/child.ts';
import { countLatencies } from '../measure/latencies.ts';
import { sessionSecret } from '../setup/members.ts';
import type { ProbeName, ProbeResult, ProbeResults } from './judge.ts';
import { pictureForm, smallPicture } from './pictures.ts';
import { ask, type Reply } from './send.ts';

/** Another member's requests for so long: the feed by members in turn, so that none comes near their limit. */
export interface Probe {
  port: number;
  durationMs: number;
  /** Who signs in, each time on a device that is not known. */
  email: string;
  password: string;
}

const address = { 'x-forwarded-for': '198.51.100.7' };
const members = 500;
const small = pictureForm(smallPicture());
const everyMs: Record<ProbeName, number> = { feed: 25, 'sign-in': 1_300, upload: 800 };
const statuses: Record<ProbeName, number> = { feed: 200, 'sign-in': 201, upload: 201 };
let uploads = 0;

function send(name: ProbeName, number: number, { port, email, password }: Probe): Promise<Reply> {
  const session = (count: number) => ({ ...address, 'x-appwrite-session': sessionSecret(count % members) });
  if (name === 'feed') return ask(port, '/api/post/feed', { headers: session(number) });
  if (name === 'sign-in') {
    const headers = { ...address, 'content-type': 'application/json' };
    const body = JSON.stringify({ email, password });
    return ask(port, '/v1/account/sessions/email', { method: 'POST', headers, body });
  }
  const headers = { ...session(uploads++), 'content-type': small.contentType };
  return ask(port, '/v1/storage/buckets/images/files', { method: 'POST', headers, body: small.body });
}

async function measure(name: ProbeName, probe: Probe): Promise<ProbeResult> {
  const latencies = countLatencies();
  let failed = 0;
  let refused = 0;
  const one = async (number: number) => {
    const sentAt = performance.now();
    const { status } = await send(name, number, probe);
    if (status >= 500) failed++;
    else if (status !== statuses[name]) refused++;
    latencies.record(performance.now() - sentAt);
  };
  const begin = performance.now();
  const sent: Promise<void>[] = [];
  // At fixed times, whether or not the one before was answered: a blocked server does not get fewer requests.
  for (let number = 0; number * everyMs[name] < probe.durationMs; number++) {
    await delay(Math.max(0, begin + number * everyMs[name] - performance.now()));
    sent.push(one(number));
  }
  await Promise.all(sent);
  return { p50: latencies.percentile(0.5), p99: latencies.percentile(0.99), failed, refused };
}

async function run(probe: Probe): Promise<ProbeResults> {
  const [feed, signIn, upload] = await Promise.all([
    measure('feed', probe),
    measure('sign-in', probe),
    measure('upload', probe),
  ]);
  return { feed, 'sign-in': signIn, upload };
}

serveParent<Probe, ProbeResults>(run);
