import { nowMs, replaceClock } from '@tara/contract/clock';
import { expect, it, onTestFinished, vi } from 'vitest';
import { discoverOidc } from './oauth-requests.ts';

const issuer = 'https://id.example';
const discovery = {
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/jwks`,
};

/** Lets the provider answer so, one request after the other, and the last reply to all that follow. */
function stubReplies(...replies: { body: object; status?: number | undefined }[]) {
  const fetched = vi.fn(async (_url: URL) => {
    const { body, status = 200 } = (replies.length > 1 ? replies.shift() : replies[0]) ?? { body: {} };
    return Response.json(body, { status });
  });
  vi.stubGlobal('fetch', fetched);
  onTestFinished(() => void vi.unstubAllGlobals());
  return fetched;
}

it.each([
  ['names another issuer', { body: { ...discovery, issuer: 'https://evil.example' } }],
  ['has an unencrypted page', { body: { ...discovery, authorization_endpoint: 'http://id.example/a' } }],
  ['takes codes unencrypted', { body: { ...discovery, token_endpoint: 'http://id.example/t' } }],
  ['has its keys unencrypted', { body: { ...discovery, jwks_uri: 'http://id.example/k' } }],
  ['answers with an error', { body: discovery, status: 500 }],
])('nobody is led to a provider that %s (threat-provider-sign-ins)', async (_what, reply) => {
  stubReplies(reply);
  await expect(discoverOidc(issuer)()).rejects.toThrow();
});

it('a sign-in after one that found no provider looks for it again', async () => {
  const fetched = stubReplies({ body: {}, status: 503 }, { body: discovery });
  const discover = discoverOidc(issuer);
  await expect(discover()).rejects.toThrow('503');
  expect(await discover()).toMatchObject({ tokenEndpoint: discovery.token_endpoint });
  expect(String(fetched.mock.calls[0]?.[0])).toBe(`${issuer}/.well-known/openid-configuration`);
});

it('the addresses of a provider are read again after an hour', async () => {
  const start = nowMs();
  let ms = 0;
  onTestFinished(replaceClock({ nowMs: () => start + ms }));
  const moved = `${issuer}/moved`;
  stubReplies({ body: discovery }, { body: { ...discovery, token_endpoint: moved } });
  const discover = discoverOidc(issuer);
  const endpoints: string[] = [];
  for (ms of [0, 3600_000, 3600_001]) endpoints.push((await discover()).tokenEndpoint);
  expect(endpoints).toEqual([discovery.token_endpoint, discovery.token_endpoint, moved]);
});
