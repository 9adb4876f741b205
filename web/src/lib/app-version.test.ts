import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useToasts } from '../ui/feedback.ts';
import { storeApp } from './app-version.ts';
import { checkServer } from './recovery.ts';

vi.mock('./recovery.ts', () => ({ checkServer: vi.fn() }));

class FakeWorker extends EventTarget {
  state = 'installed';
  readonly postMessage = vi.fn();
}
class FakeRegistration extends EventTarget {
  waiting: FakeWorker | null = null;
  installing: FakeWorker | null = null;
  readonly update = vi.fn(async () => {});
}
class FakeContainer extends EventTarget {
  controller: FakeWorker | null = new FakeWorker();
  readonly registration = new FakeRegistration();
  readonly register = vi.fn(async () => this.registration);
}

let container: FakeContainer;
const reload = vi.fn();
const shown = () => useToasts.getState().queue.map(({ title }) => title);
const load = () => useToasts.getState().queue[0]?.action?.onPress();

beforeEach(() => {
  container = new FakeContainer();
  vi.stubGlobal('navigator', { serviceWorker: container });
  vi.stubGlobal('location', { href: 'http://localhost/', origin: 'http://localhost', reload });
});
afterEach(() => {
  vi.unstubAllGlobals();
  useToasts.setState({ queue: [] });
  reload.mockClear();
});

/** A version that was installed while this page is open. */
async function install(): Promise<FakeWorker> {
  const worker = new FakeWorker();
  container.registration.installing = worker;
  container.registration.dispatchEvent(new Event('updatefound'));
  container.registration.waiting = worker;
  worker.dispatchEvent(new Event('statechange'));
  return worker;
}

test('a new version is offered, and loaded when the person says so', async () => {
  vi.mocked(checkServer).mockResolvedValue('new version');
  await storeApp();
  const worker = await install();
  await vi.waitFor(() => expect(shown()).toEqual(['A new version of Tara is ready']));
  expect([worker.postMessage.mock.calls.length, reload.mock.calls.length]).toEqual([0, 0]);
  load();
  expect(worker.postMessage.mock.calls).toEqual([['activate']]);
  container.dispatchEvent(new Event('controllerchange'));
  expect(reload).toHaveBeenCalledTimes(1);
});

test('a page of the newest version is offered nothing, and its version is used from now on', async () => {
  vi.mocked(checkServer).mockResolvedValue('reachable');
  await storeApp();
  const worker = await install();
  await vi.waitFor(() => expect(worker.postMessage.mock.calls).toEqual([['activate']]));
  container.dispatchEvent(new Event('controllerchange'));
  await Promise.resolve();
  expect([shown(), reload.mock.calls.length]).toEqual([[], 0]);
});

test('the first version is stored without a word', async () => {
  vi.mocked(checkServer).mockResolvedValue('new version');
  container.controller = null;
  await storeApp();
  const worker = await install();
  await new Promise((done) => setTimeout(done));
  expect([shown(), worker.postMessage.mock.calls.length]).toEqual([[], 0]);
});

test('another tab that goes on to a new version does not reload this one', async () => {
  vi.mocked(checkServer).mockResolvedValue('new version');
  await storeApp();
  container.dispatchEvent(new Event('controllerchange'));
  await vi.waitFor(() => expect(shown()).toEqual(['A new version of Tara is ready']));
  expect(reload).not.toHaveBeenCalled();
});
