import { search } from '@tara/contract/search';
import { act, cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { samplePerson, samplePicture } from '../../testing/samples.ts';
import { renderScreen } from '../../testing/screen.tsx';
import { problem, stubServer } from '../../testing/stub-server.ts';
import { openSearch, SearchHost, searchKey } from './SearchHost.tsx';

const server = stubServer();
const line = (text: string) => `GET ${search.all.path}?search=${text}`;
const ana = samplePerson('Ana');
const results = {
  people: [ana],
  plans: [{ id: 'plan', title: 'Sunset walk', price: 250, cover: samplePicture, creator: ana }],
  posts: [{ id: 'post', caption: 'Tara sa dagat', picture: samplePicture, creator: ana }],
};
const nothing = { people: [], plans: [], posts: [] };

beforeEach(() => {
  Element.prototype.scrollIntoView ??= () => {};
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const open = async () => {
  const router = await renderScreen(
    <>
      <h1>Screen</h1>
      <input aria-label="Caption" />
      <SearchHost />
    </>,
  );
  const user = userEvent.setup();
  return { router, user };
};
const field = () => screen.findByRole('combobox', { name: 'Search people, plans and posts' });
const active = () => screen.getByRole('combobox').getAttribute('aria-activedescendant') ?? '';
const isChosen = (name: RegExp) =>
  screen.getByRole('option', { name }).id === active() &&
  screen.getByRole('option', { name }).getAttribute('aria-selected') === 'true';

test('/ opens it from anywhere but a field, and Escape closes it', async () => {
  const { user } = await open();
  await user.type(screen.getByLabelText('Caption'), 'a/b');
  expect(screen.getByLabelText('Caption')).toHaveProperty('value', 'a/b');
  expect(screen.queryByRole('combobox')).toBeNull();
  act(() => screen.getByLabelText('Caption').blur());
  await user.keyboard('/');
  const input = await field();
  await expect.poll(() => document.activeElement).toBe(input);
  expect(input).toHaveProperty('value', '');
  // What is open takes a slash as a letter.
  await user.keyboard('/');
  expect(input).toHaveProperty('value', '/');
  await user.keyboard('{Escape}');
  await expect.poll(() => screen.queryByRole('combobox')).toBeNull();
});

test('one request is made for what was typed, in one list that the arrow keys walk', async () => {
  server.answer(line('sea'), 200, results);
  const { user, router } = await open();
  act(openSearch);
  await user.type(await field(), 'sea');
  await screen.findByRole('option', { name: /^Ana/ });
  expect(server.requests).toEqual([{ line: line('sea') }]);
  expect(screen.getAllByRole('group').map((group) => group.getAttribute('aria-labelledby'))).toHaveLength(4);
  expect(screen.getAllByRole('option').map((option) => option.getAttribute('href'))).toEqual([
    ...['/profile/Ana', '/profile/plan-details/plan?list=Ana', '/post/post', '/explore?search=sea'],
  ]);
  screen.getByText('1 person, 1 plan, 1 post');
  expect(isChosen(/^Ana/)).toBe(true);
  await user.keyboard('{ArrowDown}');
  expect(isChosen(/^Sunset walk/)).toBe(true);
  await user.keyboard('{ArrowUp}{ArrowUp}');
  expect(isChosen(/^All results/)).toBe(true);
  await user.keyboard('{ArrowDown}{ArrowDown}{Enter}');
  await expect.poll(() => router.state.location.pathname).toBe('/profile/plan-details/plan');
  await expect.poll(() => screen.queryByRole('combobox')).toBeNull();
});

test('the results before stay until the next ones are there, and empty text shows where to look around', async () => {
  server.answer(line('sea'), 200, results);
  server.answer(line('seaside'), 200, nothing);
  const { user } = await open();
  act(openSearch);
  screen.getByRole('option', { name: /^Plans/ });
  await user.type(await field(), 'sea');
  await screen.findByRole('option', { name: /^Ana/ });
  server.hold([line('seaside')]);
  await user.type(await field(), 'side');
  await vi.waitFor(() => expect(server.requests.at(-1)?.line).toBe(line('seaside')), 5_000);
  screen.getByRole('option', { name: /^Ana/ });
  await act(async () => server.release());
  await screen.findByText('Nothing matches “seaside”');
  expect(screen.queryByRole('listbox')).toBeNull();
  await user.clear(await field());
  await screen.findByRole('option', { name: /^People/ });
});

test('a failure is said in place of results, and can be tried again', async () => {
  const { status, body } = problem(403, 'general_unknown');
  server.answer(line('sea'), status, body);
  const { user } = await open();
  act(openSearch);
  await user.type(await field(), 'sea');
  await screen.findByRole('alert');
  server.answer(line('sea'), 200, results);
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('option', { name: /^Ana/ });
});

test('Enter waits for the results of the text, and opens none of the text before', async () => {
  const ben = samplePerson('Ben');
  server.answer(line('sea'), 200, results);
  server.answer(line('seaside'), 200, { ...nothing, people: [ben] });
  const { user, router } = await open();
  const before = router.state.location.href;
  act(openSearch);
  await user.type(await field(), 'sea');
  await screen.findByRole('option', { name: /^Ana/ });
  server.hold([line('seaside')]);
  await user.type(await field(), 'side{Enter}');
  await vi.waitFor(() => expect(server.requests.at(-1)?.line).toBe(line('seaside')), 5_000);
  await user.keyboard('{Enter}');
  expect(router.state.location.href).toBe(before);
  await act(async () => server.release());
  await expect.poll(() => router.state.location.pathname).toBe('/profile/Ben');
});

test('a search that is opened again shows no result of the one before', async () => {
  server.answer(line('sea'), 200, results);
  const { user } = await open();
  act(openSearch);
  await user.type(await field(), 'sea');
  await screen.findByRole('option', { name: /^Ana/ });
  await user.keyboard('{Escape}');
  await expect.poll(() => screen.queryByRole('combobox')).toBeNull();
  act(openSearch);
  await user.type(await field(), 's');
  expect(screen.queryByRole('option', { name: /^Ana|^All results/ })).toBeNull();
});

test('/ opens nothing once it is switched off in the settings', async () => {
  const { user } = await open();
  act(() => searchKey.turn(false));
  await user.keyboard('/');
  expect(screen.queryByRole('combobox')).toBeNull();
  expect(localStorage.getItem('tara-search-key')).toBe('off');
  act(() => searchKey.turn(true));
  await user.keyboard('/');
  await field();
});
