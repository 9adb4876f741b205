import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { Locator } from '@playwright/test';
import { messages } from '@tara/contract/messages/messages';
import { findViolations } from './axe.ts';
import { beginConversation, writeTo } from './chats.ts';
import { photo } from './photos.ts';
import { test as base, expect, uniqueName } from './server-fixture.ts';
import { confirmEmail, createPost, newPerson, password } from './steps.ts';

/** The page of `examples/sdk-web` at an origin of its own, which the server allows. */
const test = base.extend<{ example: { port: string; site: string } }>({
  example: async ({ otherOrigin, otherSite }, use) => {
    const server = spawn(
      process.execPath,
      [resolve(import.meta.dirname, '../../examples/sdk-web/serve.mjs')],
      {
        env: { ...process.env, HOST: '127.0.0.1', PORT: new URL(otherOrigin).port },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    await once(server.stdout, 'data');
    await use({ port: otherOrigin, site: otherSite });
    server.kill();
  },
});

/** How wide the picture is that the browser shows; 0 while there is none, and when it was refused. */
const shownWidth = (image: Locator) =>
  image.evaluate((element) => (element instanceof HTMLImageElement ? element.naturalWidth : -1));

for (const from of ['port', 'site'] as const)
  test(`a page of plain HTML at another ${from} signs in, shows pictures, likes and chats live by the unmodified SDK`, async ({
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
    await page.goto(`${example[from]}/?endpoint=${tara.url}/v1`);
    const signIn = page.getByRole('form', { name: 'Sign in' });
    await signIn.getByLabel('Email').fill(ana.email);
    await signIn.getByLabel('Password').fill(password);
    await signIn.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByRole('status')).toHaveText(`Signed in as ${ana.name}.`);

    const post = page.getByRole('article').filter({ hasText: caption });
    await expect.poll(() => shownWidth(post.locator('img'))).toBe(160);
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

for (const from of ['port', 'site'] as const)
  test(`a page of plain HTML at another ${from} signs up, and posts a photo once the email is confirmed`, async ({
    example,
    tara,
    browser,
  }) => {
    const cara = newPerson(tara, uniqueName('Cara'));
    const page = await browser.newPage();
    await page.goto(`${example[from]}/?endpoint=${tara.url}/v1`);
    const signUp = page.getByRole('form', { name: 'Sign up' });
    await signUp.getByLabel('Name', { exact: true }).fill(cara.name);
    await signUp.getByLabel('Username').fill(cara.name.slice(0, 15));
    await signUp.getByLabel('Email').fill(cara.email);
    await signUp.getByLabel('Password').fill(password);
    await signUp.getByRole('button', { name: 'Sign up' }).click();
    await expect(page.getByText(cara.email)).toBeVisible();
    await confirmEmail(tara, cara);
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByRole('status')).toHaveText(`Signed in as ${cara.name}.`);

    const newPost = page.getByRole('form', { name: 'New post' });
    const caption = `At the pier, ${cara.name}`;
    await newPost.getByLabel('Caption').fill(caption);
    const picture = { name: 'pier.jpg', mimeType: 'image/jpeg', buffer: await photo(3, 800, 600) };
    await newPost.getByLabel('Photo').setInputFiles(picture);
    await newPost.getByRole('button', { name: 'Post' }).click();
    const post = page.getByRole('article').filter({ hasText: caption });
    await expect.poll(() => shownWidth(post.locator('img'))).toBe(640);
    expect(await findViolations(page)).toEqual([]);
    await page.close();
  });
