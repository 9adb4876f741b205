import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { demoPicture } from './pictures.ts';
import world from './world.json' with { type: 'json' };

const folder = join(import.meta.dirname, 'pictures');
const files = readdirSync(folder);
const photos = files.filter((name) => name.endsWith('.webp')).map((name) => name.replace('.webp', ''));

const posts = world.posts.map(({ picture }) => picture);
const covers = world.plans.map(({ picture }) => picture);

test('the pictures of the demo world take less than 2 MB', () => {
  const sizes = files.map((name) => statSync(join(folder, name)).size);
  expect(sizes.reduce((total, size) => total + size, 0)).toBeLessThan(2_000_000);
});

test('no picture of the demo world is on two posts or covers, or twice on the page of a plan', () => {
  expect(new Set([...posts, ...covers]).size).toBe(posts.length + covers.length);
  for (const { picture, photos: others } of world.plans)
    expect(new Set([picture, ...others]).size).toBe(1 + others.length);
});

test('each photo of the demo world is used, and is listed with its source and licence', () => {
  const used = JSON.stringify(world);
  const listed = readFileSync(join(import.meta.dirname, '../../../docs/demo-pictures.md'), 'utf8');
  for (const name of photos.filter((name) => name !== 'id-back')) {
    expect(used, name).toContain(`"${name}"`);
    expect(listed, name).toMatch(
      new RegExp(`^\\| \`${name}\` \\|.*\\| (GPL-2\\+|CC0 1\\.0|CC BY(-SA)? 4\\.0) \\|`, 'm'),
    );
  }
});

test('each member of the demo world has a portrait, and a card that shows it', async () => {
  for (const { key } of world.members) {
    const portrait = await (await demoPicture(`portrait-${key}`)).metadata();
    expect([portrait.width, portrait.height], key).toEqual([640, 640]);
    const card = await (await demoPicture(`id-front-${key}`)).metadata();
    expect([card.width, card.height], key).toEqual([960, 606]);
  }
});
