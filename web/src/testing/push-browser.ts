import { onTestFinished, vi } from 'vitest';

/** A subscription at a push service, with the key of the server that it was made for. */
class FakeSubscription {
  readonly endpoint: string;
  readonly options: { applicationServerKey: ArrayBuffer };
  readonly #browser: PushBrowser;

  constructor(browser: PushBrowser, number: number, applicationServerKey: Uint8Array) {
    this.#browser = browser;
    this.endpoint = `https://push.example/${number}`;
    this.options = { applicationServerKey: new Uint8Array(applicationServerKey).buffer };
  }
  toJSON = () => ({ endpoint: this.endpoint, keys: { p256dh: `p${this.endpoint.at(-1)}`, auth: 'a' } });
  unsubscribe = async () => {
    if (this.#browser.subscription === this) this.#browser.subscription = null;
    return true;
  };
}

interface PushBrowser {
  permission: NotificationPermission;
  /** What the person answers when they are asked. */
  answer: NotificationPermission;
  subscription: FakeSubscription | null;
  hasPushService: boolean;
  /** Notifications that are on screen. */
  shown: { tag: string; close: () => void }[];
  /** Makes a subscription for the key of a server. */
  subscribe: (key: Uint8Array) => FakeSubscription;
}

/** Gives the page a browser with Web Push, for one test. */
export function stubPushBrowser(part: Partial<PushBrowser> = {}): PushBrowser {
  let subscriptions = 0;
  const browser: PushBrowser = {
    permission: 'default',
    answer: 'granted',
    subscription: null,
    hasPushService: true,
    shown: [],
    subscribe(key) {
      subscriptions++;
      browser.subscription = new FakeSubscription(browser, subscriptions, key);
      return browser.subscription;
    },
    ...part,
  };
  const registration = {
    pushManager: {
      getSubscription: async () => browser.subscription,
      subscribe: async ({ applicationServerKey }: { applicationServerKey: Uint8Array }) => {
        if (!browser.hasPushService) throw new DOMException('push service not available', 'AbortError');
        return browser.subscribe(applicationServerKey);
      },
    },
    getNotifications: async ({ tag }: { tag?: string } = {}) =>
      browser.shown.filter((notification) => tag === undefined || notification.tag === tag),
  };
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: Object.assign(new EventTarget(), {
      register: async () => registration,
      getRegistration: async () => registration,
      ready: Promise.resolve(registration),
    }),
  });
  vi.stubGlobal('PushManager', class {});
  vi.stubGlobal('Notification', {
    get permission() {
      return browser.permission;
    },
    requestPermission: async () => {
      if (browser.permission === 'default') browser.permission = browser.answer;
      return browser.permission;
    },
  });
  onTestFinished(() => {
    Reflect.deleteProperty(navigator, 'serviceWorker');
    vi.unstubAllGlobals();
  });
  return browser;
}

/** Shows a notification on the device of the test. */
export function showNotification(browser: PushBrowser, tag: string): void {
  const notification = {
    tag,
    close: () => {
      browser.shown = browser.shown.filter((other) => other !== notification);
    },
  };
  browser.shown = [...browser.shown, notification];
}
