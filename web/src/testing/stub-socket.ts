import { expect } from 'vitest';

/** The realtime of a server that says what the test publishes: `vi.stubGlobal('WebSocket', StubSocket)`. */
export class StubSocket extends EventTarget {
  static latest: StubSocket | undefined;
  readonly channels = new Map<string, string[]>();
  constructor() {
    super();
    StubSocket.latest = this;
    setTimeout(() => this.receive({ type: 'connected' }));
  }
  /** Sends an event to every subscription of the channel. */
  static publish(channel: string, payload: object = {}) {
    const subscriptions = [...(StubSocket.latest?.channels ?? [])]
      .filter(([, channels]) => channels.includes(channel))
      .map(([id]) => id);
    expect(subscriptions).not.toEqual([]);
    StubSocket.latest?.receive({ type: 'event', data: { subscriptions, channels: [channel], payload } });
  }
  send(text: string) {
    const { type, data } = JSON.parse(text);
    if (type !== 'subscribe') return;
    for (const { subscriptionId, channels } of data) this.channels.set(subscriptionId, channels);
    this.receive({ type: 'response', data: { to: 'subscribe', subscriptions: data } });
  }
  close() {}
  receive(message: object) {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) }));
  }
}
