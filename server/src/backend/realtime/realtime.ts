import websocket from '@fastify/websocket';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import { findAccount, watchSessions } from '../../features/accounts/index.ts';
import { watchPresence } from '../../features/conversations/index.ts';
import {
  type AnnounceTyping,
  type LearnChats,
  openChatLearning,
  openTyping,
} from '../../features/messages/index.ts';
import { requestJwt, sessionCookie, sessionSecret } from '../../platform/http/cookies.ts';
import { checkOrigin } from '../../platform/http/origin.ts';
import { limitByAddress, limitByKey } from '../../platform/http/rate-limits.ts';
import type { ResolveViewer } from '../../platform/http/viewer.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { closeCode } from '../../platform/realtime/close-codes.ts';
import type { Connection } from '../../platform/realtime/connection.ts';
import { type Hub, openHub } from '../../platform/realtime/hub.ts';
import { readRecord } from '../documents/routes.ts';
import { carriesFileTokens } from '../pictures.ts';
import { presentUser } from '../present.ts';
import { checkProject, readAccount } from '../wire.ts';
import {
  accountMessage,
  deliverFile,
  documentDelivery,
  notificationsMessage,
  type ReadRecord,
  sessionMessage,
  tokenMessage,
} from './event.ts';
import { readFilter } from './filter.ts';
import {
  type Asked,
  connectRealtime,
  endedFrame,
  errorFrame,
  frame,
  type Incoming,
  pong,
  presentPresence,
  readAddress,
  readMessage,
  typingChatId,
} from './protocol.ts';

/** Bytes of one frame from a client. */
export const frameLimit = 64 * 1024;
/** Messages a minute: of one socket, and of all sockets of one account or, without one, of one address. */
export const perMinute = { socket: 120, client: 1200 };
/** Messages a minute at which a socket is closed. */
const floodPerMinute = 1200;

const tooMuch = 'Too much in the subscriptions of one account or address';
const tooMany = 'Too many sockets or subscriptions of one account or address';

interface RealtimeContext {
  platform: Platform;
  hub: Hub;
  resolveViewer: ResolveViewer;
  mayTalk: ReturnType<typeof limitMessages>;
  announceTyping: AnnounceTyping;
  /** Null on a single node, which answered all calls itself. */
  learnChats: LearnChats | null;
}

/** Sends the reason, and closes so that the client does not reconnect: for what would be refused each time. */
function refuse(socket: WebSocket, why: string): void {
  socket.send(errorFrame(closeCode.refused, why), { binary: false });
  socket.close(closeCode.refused, why);
}

/** Closes so that the client reconnects later; one that does not answer the close is cut off. */
function turnAway(socket: WebSocket, why: string): void {
  socket.close(closeCode.busy, why);
  setTimeout(() => socket.terminate(), 5_000).unref();
}

/** The signed-in account for `connected` and `authentication`; null for a guest. */
const readUser = async ({ platform }: RealtimeContext, { viewer }: Connection) =>
  viewer && presentUser(await readAccount(platform.database, viewer));

async function authenticate(
  context: RealtimeContext,
  connection: Connection,
  session: string,
): Promise<void> {
  const viewer = await context.resolveViewer(session);
  if (viewer === null) return connection.send(errorFrame(1003, 'Session is not valid'));
  if (!context.hub.identify(connection, viewer, session)) return turnAway(connection.socket, tooMany);
  const user = await readUser(context, connection);
  connection.send(frame('response', { to: 'authentication', success: true, user }));
}

/**
 * Sets subscriptions, from whose answer on every event arrives: the chats that they name are known by then. Returns why not,
 * with the code that says whether it would be refused again.
 */
async function subscribe(
  { hub, learnChats }: RealtimeContext,
  connection: Connection,
  requested: Asked['subscriptions'],
): Promise<{ code: 1003 | 1013; why: string } | null> {
  try {
    const subscriptions = requested.map(({ id, channels, queries }) => {
      const filter = readFilter(queries);
      return { id, channels, ...(filter && { filter }) };
    });
    const channels = subscriptions.flatMap((one) => one.channels);
    if (connection.viewer) await learnChats?.(connection.viewer, channels);
    const result = hub.subscribe(connection, subscriptions);
    if (result === 'socket_full') return { code: 1003, why: 'Too many subscriptions' };
    return result === 'share_full' ? { code: closeCode.busy, why: tooMuch } : null;
  } catch (error) {
    if (error instanceof Problem) return { code: 1003, why: error.message };
    throw error;
  }
}

async function answer(
  context: RealtimeContext,
  connection: Connection,
  message: Incoming | null,
): Promise<void> {
  if (message === null) return connection.send(errorFrame(1003, 'Message format is not valid'));
  if (message.type === 'ping') return connection.send(pong);
  if (message.type === 'authentication') return authenticate(context, connection, message.data.session);
  if (message.type === 'presence') {
    const { viewer } = connection;
    const chatId = typingChatId(message.data);
    if (chatId !== null && viewer) context.announceTyping(viewer, connection.id, chatId);
    // The newest SDKs name theirs and wait for an answer; our own web does not.
    if (message.data.presenceId === undefined) return;
    if (viewer === null) return connection.send(errorFrame(1003, 'Presence needs a session'));
    const presence = presentPresence(viewer, message.data);
    return connection.send(frame('response', { to: 'presence', success: true, presence }));
  }
  if (message.type === 'unsubscribe') {
    const removed = context.hub.unsubscribe(
      connection,
      message.data.map(({ subscriptionId }) => subscriptionId),
    );
    const subscriptions = message.data.map(({ subscriptionId }, index) => ({
      subscriptionId,
      removed: removed[index],
    }));
    return connection.send(frame('response', { to: 'unsubscribe', success: true, subscriptions }));
  }
  const subscriptions = message.data;
  const refused = await subscribe(
    context,
    connection,
    subscriptions.map(({ subscriptionId, ...wanted }) => ({ id: subscriptionId, ...wanted })),
  );
  if (refused !== null) return connection.send(errorFrame(refused.code, refused.why));
  if (connection.viewer) context.platform.bus.here.publish('memberActive', connection.viewer);
  return connection.send(frame('response', { to: 'subscribe', success: true, subscriptions }));
}

/** Binds the session of the upgrade and says `connected`: always the first frame. */
async function sendConnected(
  context: RealtimeContext,
  connection: Connection,
  request: FastifyRequest,
  requested: Asked,
): Promise<void> {
  const { config } = context.platform;
  const secret =
    requestJwt(request) ?? sessionSecret(request, sessionCookie(config.projectId, config.publicUrl));
  // Looked up again: the session may have ended since the upgrade began.
  const viewer = secret === null ? null : await context.resolveViewer(secret);
  const admitted =
    viewer && secret !== null
      ? context.hub.identify(connection, viewer, secret)
      : context.hub.admitGuest(connection);
  if (!admitted) return turnAway(connection.socket, tooMany);
  const user = await readUser(context, connection);
  const refused = await subscribe(context, connection, requested.subscriptions);
  if (refused?.code === closeCode.busy) return turnAway(connection.socket, refused.why);
  if (refused !== null) return refuse(connection.socket, refused.why);
  const { channels } = requested;
  const own = viewer ? [`account.${viewer.accountId}`] : [];
  const named = channels.flatMap((name) => (name === 'account' ? [name, ...own] : [name]));
  connection.numericSequence = channels.length > 0 && !requested.slots;
  connection.hasFileTokens = carriesFileTokens(request, config);
  const ids = Object.fromEntries(requested.subscriptions.map(({ id }) => [id, id]));
  const subscriptions = requested.slots ? ids : [];
  connection.send(
    frame('connected', {
      channels: [...new Set(named)],
      user,
      subscriptions,
    }),
  );
}

/** Counts messages: what is too much is answered with an error and not done, what is far too much ends the socket. */
function limitMessages() {
  const perSocket = limitByKey(true, { points: perMinute.socket, seconds: 60 });
  const flood = limitByKey(true, { points: floodPerMinute, seconds: 60 });
  const perAccount = limitByKey(true, { points: perMinute.client, seconds: 60 });
  const perAddress = limitByAddress(true, { points: perMinute.client, seconds: 60 });
  return async (connection: Connection): Promise<boolean> => {
    const { id, viewer, ip } = connection;
    const client = () => (viewer ? perAccount.allows(viewer.accountId) : perAddress.allows(ip));
    if ((await perSocket.allows(id)) && (await client())) return true;
    if (await flood.allows(id)) connection.send(errorFrame(closeCode.busy, 'Too many messages'));
    else connection.socket.terminate();
    return false;
  };
}

function handleConnection(context: RealtimeContext, socket: WebSocket, request: FastifyRequest): void {
  const connection = context.hub.open(socket, request.ip);
  const { log } = context.platform;
  // One message after the other: `subscribe` follows `authentication` back to back.
  let turn = Promise.resolve();
  const next = (work: () => Promise<void>) => {
    turn = turn.then(work).catch((error: unknown) => {
      log.error({ err: error }, 'a realtime message failed');
      socket.close(closeCode.failed, 'Something went wrong');
    });
  };
  socket.on('message', (data, isBinary) => {
    void context.mayTalk(connection).then((allowed) => {
      if (allowed) next(() => answer(context, connection, isBinary ? null : readMessage(String(data))));
    });
  });
  next(() => sendConnected(context, connection, request, readAddress(request.raw.url ?? '')));
}

/** Why this socket may not be opened, or null. A browser sends the page's true origin. */
function refusal(request: FastifyRequest, { config }: Platform): string | null {
  try {
    checkOrigin(request, config);
    checkProject(request, config);
    return null;
  } catch (error) {
    if (error instanceof Problem) return error.message;
    throw error;
  }
}

/**
 * `GET /v1/realtime` (§7): announces documents and one's own account, in all generations of the wire. Permission to
 * read is checked at each event.
 */
export async function realtimeRoutes(
  app: FastifyInstance,
  platform: Platform,
  resolveViewer: ResolveViewer,
  read: ReadRecord = (change, viewer) => readRecord(platform, change, viewer),
): Promise<Hub> {
  const { bus } = platform;
  const hub = openHub(platform, { resolveViewer, endedFrame });
  const context: RealtimeContext = {
    platform,
    hub,
    resolveViewer,
    mayTalk: limitMessages(),
    announceTyping: openTyping(platform, hub),
    learnChats: platform.nodes.areMany ? openChatLearning(platform) : null,
  };
  const presence = watchPresence(platform, hub);
  app.leaving.onLeave(hub.leave);
  app.addHook('onClose', presence.close);
  if (platform.nodes.areMany) {
    const stop = watchSessions(platform, hub);
    app.addHook('onClose', async () => stop());
  }

  bus.subscribe('document', documentDelivery(hub, platform, read));
  bus.subscribe('file', (change) => deliverFile(hub, change));
  const deliverAccount = async (accountId: string, field?: string) => {
    if (!hub.listens(accountId)) return;
    const row = await findAccount(platform.database, accountId);
    if (row) hub.deliver(accountMessage(presentUser(row), field));
  };
  bus.subscribe('viewerChanged', ({ accountId }) => deliverAccount(accountId));
  bus.subscribe('userChanged', ({ accountId, field }) => deliverAccount(accountId, field));
  bus.subscribe('sessionChanged', (change) => hub.deliver(sessionMessage(change)));
  bus.subscribe('notificationsChanged', (change) => hub.deliver(notificationsMessage(change)));
  bus.subscribe('tokenChanged', (change) => hub.deliver(tokenMessage(change)));

  await app.register(websocket, {
    options: { maxPayload: frameLimit, perMessageDeflate: false },
    // What anybody may send is no error of the server.
    errorHandler: (error, socket) => {
      const isClientError = 'code' in error && String(error.code).startsWith('WS_ERR_');
      platform.log[isClientError ? 'debug' : 'error'](
        { err: error },
        'a realtime connection ended by an error',
      );
      socket.terminate();
    },
    preClose: (done) => {
      hub.close().then(() => done(), done);
    },
  });
  // An invalid handshake is answered like any other request that is not HTTP.
  app.websocketServer.on('wsClientError', (error, socket) => app.server.emit('clientError', error, socket));
  // An upgrade that was refused before the plugin saw it leaves a socket that nobody times out.
  app.addHook('onResponse', async (request) => {
    if (request.headers.upgrade !== undefined && request.ws !== true) request.raw.socket.destroy();
  });
  await app.register(async (plugin) => {
    plugin.route({
      method: 'GET',
      url: connectRealtime.path,
      // A plain request that wants no upgrade.
      handler: async () => {
        throw new Problem('general_route_not_found');
      },
      wsHandler: (socket, request) => {
        const why = refusal(request, platform);
        if (why === null) handleConnection(context, socket, request);
        else refuse(socket, why);
      },
    });
  });
  return hub;
}
