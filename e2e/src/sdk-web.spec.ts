import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { messages } from '@tara/contract/messages/messages';
import { findViolations } from './axe.ts';
import { beginConversation, writeTo } from './chats.ts';
import { test as base, expect } from './server-fixture.ts';
import { createPost, password } from './steps.ts';

/** The page of `examples/sdk-web` at an origin of its own, which the server allows. */
const test = base.extend<{ example: string }>({
  example: async ({ otherOrigin }, use) => {
    const server = spawn(
      process.execPath,
      [resolve(import.meta.dirname, '../../examples/sdk-web/serve.mjs')],
      {
        env: { ...process.env, PORT: new URL(otherOrigin).port },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    await once(server.stdout, 'data');
    await use(otherOrigin);
    server.kill();
  },
});

test('a page of plain HTML with the unmodified SDK signs in, likes a post and chats live', async ({
  example,
  tara,
  join,
  browser,
}) => {
  const [ana, ben] = [await join('Ana'), await join('Ben')];
  const caption = `Coffee by the sea, ${ben.name}`;
  await createPost(ben, caption);
  const { id } = await beginConversation(ben, ana);
  await writeTo(ben, id, 'Kumusta');
  await writeTo(ana, id, 'Good, thank you');

  const page = await browser.newPage();
  await page.goto(`${example}/?endpoint=${tara.url}/v1`);
  await page.getByLabel('Email').fill(ana.email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('status')).toHaveText(`Signed in as ${ana.name}.`);

  const post = page.getByRole('article').filter({ hasText: caption });
  await expect(post.locator('img')).toHaveAttribute('src', /^blob:/);
  const like = post.getByRole('button', { name: /^Like/ });
  await expect(like).toHaveText('Like, 0');
  await like.click();
  await expect(like).toHaveText('Like, 1');
  await expect(like).toHaveAttribute('aria-pressed', 'true');
  await like.click();
  await expect(like).toHaveText('Like, 0');

  await page.getByRole('button', { name: `Chat with ${ben.name}` }).click();
  const chat = page.getByRole('list', { name: 'Messages' });
  await expect(chat.getByRole('listitem')).toHaveText([
    `${ben.name}: Kumusta`,
    `${ana.name}: Good, thank you`,
  ]);
  await writeTo(ben, id, 'See you at the pier');
  await expect(chat.getByText(`${ben.name}: See you at the pier`)).toBeVisible();
  await page.getByRole('textbox', { name: 'Message' }).fill('On my way');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(chat.getByText(`${ana.name}: On my way`)).toBeVisible();
  const { items } = await ben.client.call(messages.list, { params: { chatId: id } });
  expect(items.map(({ body }) => body)).toContain('On my way');
  expect(await findViolations(page)).toEqual([]);

  // The session outlives the page.
  await page.reload();
  await expect(page.getByRole('status')).toHaveText(`Signed in as ${ana.name}.`);
  await page.close();
});
