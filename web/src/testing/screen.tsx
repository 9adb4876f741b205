import { QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router';
import { accounts, type SessionContext } from '@tara/contract/accounts/accounts';
import { adminWork } from '@tara/contract/admin';
import type { Call } from '@tara/contract/calls';
import { counts } from '@tara/contract/counts';
import { type ProblemType, problems } from '@tara/contract/problems';
import { callUrl } from '@tara/contract/url';
import { act, cleanup, render, screen } from '@testing-library/react';
import { type UserEvent, userEvent } from '@testing-library/user-event';
import type { ReactElement } from 'react';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { CallArgs, Reply } from '../lib/call.ts';
import { forgetOutboxes } from '../lib/outbox-storage.ts';
import { queryClient } from '../lib/queries.ts';
import { createAppRouter } from '../router.ts';
import { type FileRoutesById, routeTree } from '../routeTree.gen.ts';
import { useToasts } from '../ui/feedback.ts';
import { Overlays } from '../ui/Overlays.tsx';
import { sampleSession } from './samples.ts';
import { problem, SilentSocket, stubServer } from './stub-server.ts';

/** What a test may wait for one thing to be shown, milliseconds; a busy machine draws a screen in seconds. */
const PATIENT = 20_000;

/** What the stub server answers to one request. */
interface StubReply {
  line: string;
  status: number;
  body: unknown;
}

type Where<C extends Call> = Partial<Pick<CallArgs<C>, Extract<keyof CallArgs<C>, 'params' | 'query'>>>;

const formatCall = (called: Call, where: object) => `${called.method} ${callUrl(called, where)}`;

/** The answer of a call that succeeds, of the type that the contract names. */
export const reply = <C extends Call>(called: C, body: Reply<C>, where: Where<C> = {}): StubReply => ({
  line: formatCall(called, where),
  status: called.status,
  body,
});

/** The answer of a call that is refused, with the code and the texts of the catalogue. */
export const refusal = <C extends Call>(called: C, type: ProblemType, where: Where<C> = {}): StubReply => ({
  line: formatCall(called, where),
  ...problem(problems[type].code, type, problems[type]),
});

/** A text, or a role with an accessible name, a link also with where it leads. */
export type Sight = string | RegExp | [role: string, name?: string | RegExp, href?: string];

/** One state of a screen: its viewer, what the server answers, and what is shown then. */
interface ScreenState {
  /** Other than the table's. */
  path?: string;
  /** Other than the table's; null is a guest. */
  viewer?: SessionContext | null;
  /** In addition to the table's replies, or instead of those to the same request. */
  replies?: StubReply[];
  /** Before the screen is opened: what this device remembers. */
  prepare?: () => void;
  /** What the person does first; `answer` changes what the server says from then on. */
  steps?: (user: UserEvent, answer: (replies: readonly StubReply[]) => void) => Promise<void>;
  shows: Sight[];
  /** Looked for once everything of `shows` is there. */
  hides?: Sight[];
  /** Where the person ends, when it is not the path that was opened. */
  endsAt?: string;
}

/** Why a screen has no such state. */
interface NoState {
  none: string;
}

interface ScreenStates {
  path: string;
  /** A verified member called Ana unless given; null is a guest. */
  viewer?: SessionContext | null;
  /** What the screen reads. */
  replies?: StubReply[];
  /** The accessible name of what is shown while the replies are on their way. */
  loading: string | NoState;
  /** `retry`: when the replies fail the error screen says so, and 'Try again' brings the full state. */
  error: 'retry' | ScreenState | NoState;
  full: ScreenState;
  empty: ScreenState | NoState;
  longTexts: ScreenState | NoState;
  forbidden: ScreenState | NoState;
  /** Further states by their name. */
  more?: Record<string, ScreenState>;
}

/** Members' screens send a guest to the sign-in form. */
export const guestsSignIn: ScreenState = {
  viewer: null,
  endsAt: '/sign-in',
  shows: [['heading', 'Login in to your account.']],
};

/** Presses what has this name, once it is there. */
export const press = async (user: Pick<UserEvent, 'click'>, name: string | RegExp, role = 'button') =>
  user.click(await screen.findByRole(role, { name }));

/** Writes each value into the field of its label, instead of what is there. */
export async function fill(user: UserEvent, values: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(values)) {
    const field = await screen.findByLabelText(label, { selector: 'input' });
    await user.clear(field);
    await user.click(field);
    await user.paste(value);
  }
}

/** Ticks every box. */
export async function tickAll(user: UserEvent): Promise<void> {
  for (const box of await screen.findAllByRole('checkbox')) await user.click(box);
}

const findAll = (sight: Sight) =>
  Array.isArray(sight)
    ? screen.findAllByRole(sight[0], sight[1] === undefined ? {} : { name: sight[1] })
    : screen.findAllByText(sight);
const queryAll = (sight: Sight) => {
  if (!Array.isArray(sight)) return screen.queryAllByText(sight);
  const [role, name, href] = sight;
  const elements = screen.queryAllByRole(role, name === undefined ? {} : { name });
  return href === undefined ? elements : elements.filter((link) => link.getAttribute('href') === href);
};

/**
 * In place of the browser's: says that what it observes is in sight once the test scrolls to the end, as a busy browser does,
 * together with that it was not before.
 */
export class EndObserver {
  static readonly open = new Set<EndObserver>();
  private readonly onSight: IntersectionObserverCallback;
  constructor(onSight: IntersectionObserverCallback) {
    this.onSight = onSight;
  }
  observe() {
    EndObserver.open.add(this);
  }
  unobserve() {}
  disconnect() {
    EndObserver.open.delete(this);
  }
  takeRecords() {
    return [];
  }
  show() {
    const changes = [false, true].map((isIntersecting) => ({ isIntersecting }) as IntersectionObserverEntry);
    this.onSight(changes, this as never);
  }
}

/** Scrolls to the end of an endless list, which fetches its next page. */
export const scrollToEnd = async () => {
  await vi.waitFor(() => expect(EndObserver.open.size).toBeGreaterThan(0), PATIENT);
  await act(async () => {
    for (const observer of EndObserver.open) observer.show();
  });
};

/** What is read beside screens: the session and the demo accounts, and the counts of the navigation. */
const shellReads: readonly Call[] = [accounts.session, accounts.demo, counts.own, adminWork.counts];

/**
 * The requests of these that were made again: a screen that reads by another key than its loader's reads twice. Not where
 * a screen always reads again what it shows at once.
 */
function repeatedReads(requests: readonly { line: string }[], reads: readonly string[]): string[] {
  const queries = queryClient.getQueryCache().getAll();
  if (queries.some(({ observers }) => observers.some(({ options }) => options.refetchOnMount === 'always')))
    return [];
  const lines = requests.map(({ line }) => line).filter((line) => reads.includes(line));
  return lines.filter((line, index) => lines.indexOf(line) !== index);
}

/**
 * Tests every state of one screen: the real route with its loader, in the app's own layout, against a stub server.
 * A route with a loader has to name its loading and error state, and to load what its screen reads.
 */
export function describeScreen(id: keyof FileRoutesById, states: ScreenStates): void {
  describe(`screen ${id}`, () => {
    const server = stubServer();
    beforeAll(() => {
      // Nothing is pushed to these screens.
      vi.stubGlobal('WebSocket', SilentSocket);
      vi.stubGlobal('IntersectionObserver', EndObserver);
      queryClient.setDefaultOptions({
        queries: { ...queryClient.getDefaultOptions().queries, retryDelay: 0 },
      });
    });
    beforeEach(() => {
      forgetOutboxes();
      sessionStorage.clear();
      localStorage.clear();
      useToasts.setState({ queue: [] });
    });
    afterEach(() => {
      cleanup();
      vi.restoreAllMocks();
    });

    const answer = (replies: readonly StubReply[] = []) => {
      for (const { line, status, body } of replies) server.answer(line, status, body);
    };
    const readLines = () => (states.replies ?? []).map(({ line }) => line);

    /** Opens the screen of a state, with its answers ready. */
    const open = async (state: ScreenState) => {
      const viewer = state.viewer === undefined ? states.viewer : state.viewer;
      const session = viewer === undefined ? sampleSession('Ana') : viewer;
      answer(
        session
          ? [reply(accounts.session, session)]
          : [refusal(accounts.session, 'general_unauthorized_scope')],
      );
      answer(states.replies);
      answer(state.replies);
      // React and the router log every error that a boundary shows.
      if ([...(states.replies ?? []), ...(state.replies ?? [])].some(({ status }) => status >= 400))
        for (const method of ['error', 'warn'] as const)
          vi.spyOn(console, method).mockImplementation(() => {});
      state.prepare?.();
      return renderApp(state.path ?? states.path);
    };
    const look = async (
      { steps, shows, hides = [], endsAt }: ScreenState,
      router: ReturnType<typeof renderApp>,
    ) => {
      await steps?.(userEvent.setup(), answer);
      for (const sight of shows) expect(await findAll(sight), String(sight)).not.toEqual([]);
      // All at once: what only the loading screen shows is gone by now.
      const isThere = () => {
        // A skeleton has the headings of its screen.
        if (steps === undefined) expect(document.querySelector('[role=status][aria-busy=true]')).toBeNull();
        for (const sight of shows) expect(queryAll(sight), String(sight)).not.toEqual([]);
      };
      await vi.waitFor(isThere, PATIENT);
      for (const sight of hides) expect(queryAll(sight), String(sight)).toEqual([]);
      if (endsAt !== undefined)
        await vi.waitFor(() => expect(router.state.location.pathname).toBe(endsAt), PATIENT);
    };
    const stateTest = (name: string, state: ScreenState | NoState) => {
      if ('none' in state) return;
      test(name, async () => look(state, await open(state)), 4 * PATIENT);
    };

    const { loading, error, full } = states;
    test('a screen that reads has a loading and an error state', () => {
      const { loader } = findRoute(id).options;
      expect(loader === undefined || (typeof loading === 'string' && !('none' in Object(error)))).toBe(true);
    });
    if (typeof loading === 'string') {
      test(
        'loading, then full',
        async () => {
          server.hold(readLines());
          const router = await open(full);
          expect(await findAll(['status', loading])).not.toEqual([]);
          await act(async () => server.release());
          await look(full, router);
          expect(repeatedReads(server.requests, readLines())).toEqual([]);
        },
        4 * PATIENT,
      );
    } else stateTest('full', full);
    if (findRoute(id).options.loader === undefined)
      test('a screen without a loader reads no data', async () => {
        await look(full, await open(full));
        const isShellRead = ({ queryKey }: { queryKey: readonly unknown[] }) =>
          shellReads.some(({ key }) => key.every((part, index) => part === queryKey[index]));
        const others = queryClient
          .getQueryCache()
          .getAll()
          .filter((query) => !isShellRead(query));
        expect(others.map(({ queryKey }) => queryKey)).toEqual([]);
      });
    if (error === 'retry') {
      test(
        'error, then full by Try again',
        async () => {
          const replies = readLines().map((line) => ({
            line,
            ...problem(500, 'general_unknown', problems.general_unknown),
          }));
          const router = await open({ ...full, replies: [...(full.replies ?? []), ...replies] });
          expect(await screen.findByRole('alert')).toBeTruthy();
          const retry = await screen.findByRole('button', { name: 'Try again' });
          answer(states.replies);
          answer(full.replies);
          await userEvent.click(retry);
          await look(full, router);
        },
        4 * PATIENT,
      );
    } else stateTest('error', error);
    stateTest('empty', states.empty);
    stateTest('long texts', states.longTexts);
    stateTest('forbidden', states.forbidden);
    for (const [name, state] of Object.entries(states.more ?? {})) stateTest(name, state);
  });
}

const renderRouter = (router: object) =>
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );

/** Shows the app at the last of these addresses, with the others before it. Returns the router. */
export const renderApp = (...addresses: string[]) => renderAppAt(addresses);

/**
 * As `renderApp`; a screen that is left stays for `pendingMs` before the next one says that it loads, and nothing is shown
 * for `firstPendingMs` before the first one does.
 */
export function renderAppAt(
  addresses: string[],
  { pendingMs = 0, firstPendingMs }: { pendingMs?: number; firstPendingMs?: number } = {},
) {
  const history = createMemoryHistory({ initialEntries: addresses });
  const router = createAppRouter({
    history,
    firstPendingMs: firstPendingMs ?? pendingMs,
    pendingMs,
    pendingMinMs: 0,
  });
  renderRouter(router);
  return router;
}

/** The route of an id, in the tree of all. */
function findRoute(id: string) {
  const route = createAppRouter({ history: createMemoryHistory() }).routesById[id as keyof FileRoutesById];
  if (route === undefined) throw new Error(`There is no route ${id}.`);
  return route;
}

/** The ids of all routes that are screens: those without routes below. */
export function screenIds(): string[] {
  return Object.values(createAppRouter({ history: createMemoryHistory() }).routesById)
    .filter((route) => route.children === undefined && route.id !== routeTree.id)
    .map((route) => String(route.id));
}

/**
 * Shows an element as the screen at `/`, with the dialogs and toasts of the app; every other address shows its own path.
 * Returns the router, to go elsewhere.
 */
export async function renderScreen(element: ReactElement) {
  const root = createRootRoute({
    component: () => (
      <>
        <Outlet />
        <Overlays />
      </>
    ),
  });
  const screenRoute = createRoute({ getParentRoute: () => root, path: '/', component: () => element });
  const elsewhere = createRoute({
    getParentRoute: () => root,
    path: '$',
    component: () => <p>{`At ${router.state.location.pathname}`}</p>,
  });
  const router = createRouter({
    routeTree: root.addChildren([screenRoute, elsewhere]),
    history: createMemoryHistory(),
  });
  renderRouter(router);
  await act(() => router.load());
  return router;
}
