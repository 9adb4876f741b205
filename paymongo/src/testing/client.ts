import { createPaymongo } from '../index.ts';

/** A request of the client. */
export type Sent = { url: string; init: RequestInit };

/** A client whose calls get the replies of `handler`, and the requests it sent. */
export function clientWith(handler: (sent: Sent) => Response | Promise<Response>, timeoutMs?: number) {
  const sent: Sent[] = [];
  const client = createPaymongo({
    secretKey: 'sk_test_x',
    baseUrl: 'https://provider.test/',
    timeoutMs,
    fetch: async (url, init = {}) => {
      const call = { url: String(url), init };
      sent.push(call);
      return handler(call);
    },
  });
  return { client, sent };
}

export const reply = (body: unknown, status = 200) => Response.json(body, { status });
/** What a call is refused with; null when it is not. */
export const caughtError = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => null,
    (error) => error,
  );
