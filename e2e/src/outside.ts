import type { Tara } from './tara.ts';

/** Steps outside the product: reading mails, and paying at the hosted checkout. */

/** The newest link to `path` that was mailed to an address; waits for the mail up to 20 s. */
export async function linkInMail(tara: Pick<Tara, 'url'>, email: string, path: string): Promise<URL> {
  const until = Date.now() + 20_000;
  while (Date.now() < until) {
    const answer = await fetch(`${tara.url}/mailbox/messages?to=${encodeURIComponent(email)}`);
    const { messages } = (await answer.json()) as { messages: Array<{ text: string }> };
    const link = messages[0]?.text.match(/https?:\/\/\S+/g)?.find((link) => new URL(link).pathname === path);
    if (link) return new URL(link);
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`no mail to ${email} with a link to ${path}`);
}

/** Pays at the hosted checkout with the test card that succeeds at once. */
export async function payByCard(checkoutUrl: string): Promise<void> {
  const { origin, pathname } = new URL(checkoutUrl);
  const form = new URLSearchParams({ number: '5555444444444457', expiry: '12/34', cvc: '123', name: 'Ben' });
  const answer = await fetch(`${origin}${pathname}/card`, {
    method: 'POST',
    headers: { origin },
    body: form,
    redirect: 'follow',
  });
  const page = await answer.text();
  if (!page.includes('Payment successful')) throw new Error(`the checkout answered ${answer.status}`);
}
