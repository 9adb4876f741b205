import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { messages } from '@tara/contract/messages';
import { findViolations } from './axe.ts';
import { beginConversation, writeTo } from './chats.ts';
import { freePort } from './free-port.ts';
import { test as base, expect } from './server-fixture.ts';
import { confirmEmail, createPost, newPerson, password, signUp } from './steps.ts';
import { openTara } from './tara.ts';

/** The page of `examples/sdk-web` at its own origin, and a server that allows it. */
const test = base.extend<{ example: { origin: string; url: string } }>({
  example: async ({ browserName: _ }, use) => {
    const port = await freePort();
    const server = spawn(
      process.execPath,
      [resolve(import.meta.dirname, '../../examples/sdk-web/serve.mjs')],
      {
        env: { ...process.env, PORT: String(port) },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    await once(server.stdout, 'data');
    const origin = `http://localhost:${port}`;
    const tara = await openTara({ env: { ALLOWED_ORIGINS: origin } });
    await use({ origin, url: tara.url });
    server.kill();
    await tara.remove();
  },
});

test('a page of plain HTML with the unmodified SDK signs in, likes a post and chats live', async ({
  example: { origin, url },
  browser,
}) => {
  const tara = { url };
  const [ana, ben] = [newPerson(tara, 'Ana'), newPerson(tara, 'Ben')];
  for (const person of [ana, ben]) {
    await signUp(tara, person);
    await confirmEmail(tara, person);
  }
  await createPost(ben, 'Coffee by the sea');
  const { id } = await beginConversation(ben, ana);
  await writeTo(ben, id, 'Kumusta');
  await writeTo(ana, id, 'Good, thank you');

  const page = await browser.newPage();
  await page.goto(`${origin}/?endpoint=${url}/v1`);
  await page.getByLabel('Email').fill(ana.email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('status')).toHaveText('Signed in as Ana.');

  const post = page.getByRole('article').filter({ hasText: 'Coffee by the sea' });
  await expect(post.locator('img')).toHaveAttribute('src', /^blob:/);
  const like = post.getByRole('button', { name: /^Like/ });
  await expect(like).toHaveText('Like, 0');
  await like.click();
  await expect(like).toHaveText('Like, 1');
  await expect(like).toHaveAttribute('aria-pressed', 'true');
  await like.click();
  await expect(like).toHaveText('Like, 0');

  await page.getByRole('button', { name: 'Chat with Ben' }).click();
  const chat = page.getByRole('list', { name: 'Messages' });
  await expect(chat.getByRole('listitem')).toHaveText(['Ben: Kumusta', 'Ana: Good, thank you']);
  await writeTo(ben, id, 'See you at the pier');
  await expect(chat.getByText('Ben: See you at the pier')).toBeVisible();
  await page.getByRole('textbox', { name: 'Message' }).fill('On my way');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(chat.getByText('Ana: On my way')).toBeVisible();
  const { items } = await ben.client.call(messages.list, { params: { chatId: id } });
  expect(items.map(({ body }) => body)).toContain('On my way');
  expect(await findViolations(page)).toEqual([]);

  // The session outlives the page.
  await page.reload();
  await expect(page.getByRole('status')).toHaveText('Signed in as Ana.');
  await page.close();
});
