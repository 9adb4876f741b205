import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { channel } from '@tara/contract/realtime';
import { act, cleanup, configure, render, screen } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { queryClient } from '../lib/queries.ts';
import { createAppRouter } from '../router.ts';
import { samplePerson, samplePlan, samplePlanDetail, sampleSession } from '../testing/samples.ts';
import { stubServer } from '../testing/stub-server.ts';
import { StubSocket } from '../testing/stub-socket.ts';

const PLAN = 'GET /api/plan/one/plan';
let server: Awaited<ReturnType<typeof stubServer>>;

beforeAll(async () => {
  configure({ asyncUtilTimeout: 20_000 });
  vi.stubGlobal('WebSocket', StubSocket);
  server = await stubServer();
  server.visit();
});
afterEach(() => {
  cleanup();
  queryClient.clear();
});
afterAll(() => server.close());

test('an open plan takes no requests from the moment its creator has no verified mark (§6)', async () => {
  const answerPlan = (verified: true | null) =>
    server.answer(
      PLAN,
      200,
      samplePlanDetail({ plan: samplePlan({ creator: samplePerson('Ana', { verified }) }) }),
    );
  server.answer('GET /api/account/session', 200, sampleSession('Ben'));
  answerPlan(true);
  const history = createMemoryHistory({ initialEntries: ['/profile/plan-details/plan'] });
  const router = createAppRouter({ history, pendingMs: 0, pendingMinMs: 0 });
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  await screen.findByRole('button', { name: 'Send Request' });
  answerPlan(null);
  act(() => StubSocket.publish(channel.document('users', 'Ana')));
  await screen.findByText('This plan takes no requests now');
  expect(screen.queryByRole('button', { name: 'Send Request' })).toBeNull();
});
