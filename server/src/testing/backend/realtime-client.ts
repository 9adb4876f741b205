import { once } from 'node:events';
import { WebSocket } from 'ws';

export interface Frame {
  type: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever the wire says.
  data?: any;
}

export interface ClientOptions {
  query?: string;
  headers?: Record<string, string>;
}

/** A realtime client, signed in by `secret` or a guest, that stores received frames in order. */
export function realtimeClient(
  serverUrl: string,
  secret: string | null,
  { query = 'project=tara', headers = {} }: ClientOptions = {},
) {
  const socket = new WebSocket(`${serverUrl.replace('http', 'ws')}/v1/realtime?${query}`, {
    headers: { ...headers, ...(secret === null ? {} : { cookie: `a_session_tara=${secret}` }) },
  });
  const heard: Frame[] = [];
  let wake = () => {};
  socket.on('message', (data) => {
    heard.push(JSON.parse(String(data)));
    wake();
  });
  socket.on('error', () => wake());
  const closed = once(socket, 'close').then(([code]) => Number(code));
  return {
    socket,
    closed,
    /** Frames received and not yet taken. */
    heard: (): readonly Frame[] => heard,
    say: (type: string, data?: unknown) => socket.send(JSON.stringify({ type, data })),
    /** The next frame, in order. */
    next: async (): Promise<Frame> => {
      while (heard.length === 0)
        await new Promise<void>((done) => {
          wake = done;
        });
      return heard.shift() ?? { type: 'none' };
    },
    /** Frames received until the server answered a ping: everything sent before that. */
    async untilNow(): Promise<Frame[]> {
      const frames: Frame[] = [];
      socket.send('{"type":"ping"}');
      for (let frame = await this.next(); frame.type !== 'pong'; frame = await this.next())
        frames.push(frame);
      return frames;
    },
  };
}
