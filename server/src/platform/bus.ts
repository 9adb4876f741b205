import type { Log } from './log.ts';

/** Whether a message was published on this node or on another one. */
export type Origin = 'here' | 'elsewhere';

type Handler<Message> = (message: Message, origin: Origin) => void | Promise<void>;

type Publish<Topics> = <Topic extends keyof Topics & string>(topic: Topic, message: Topics[Topic]) => void;

/** Messages between parts of the server, on all nodes, by topic. `Topics` maps each topic to what it carries. */
export interface Bus<Topics> {
  /** Hands the message to every subscriber of the topic; returns before they are done and never throws. */
  publish: Publish<Topics>;
  /** Returns the function that ends the subscription. */
  subscribe<Topic extends keyof Topics & string>(topic: Topic, handler: Handler<Topics[Topic]>): () => void;
  /** Publishes to subscribers of this node alone: what each node finds out by itself. */
  readonly here: { publish: Publish<Topics> };
}

/** The way to the buses of other nodes. What is sent can be lost. */
export interface OtherNodes {
  send(topic: string, message: unknown): void;
  /** Sets what is done with their messages. */
  receive(handler: (topic: string, message: unknown) => void): void;
}

/**
 * A bus inside this process: what fails in one subscriber is logged and reaches neither the publisher nor the others. With
 * `others` messages also reach their subscribers, and those of this node at once, whatever becomes of the rest.
 */
export function openBus<Topics>(log: Log, others: OtherNodes | null = null): Bus<Topics> {
  const handlers = new Map<string, Set<(message: never, origin: Origin) => void | Promise<void>>>();
  const deliver = (topic: string, message: unknown, origin: Origin) => {
    for (const handler of [...(handlers.get(topic) ?? [])] as Handler<unknown>[]) {
      // A microtask of its own: the publisher's request does not wait, and a throw becomes a rejection.
      Promise.resolve(message)
        .then((value) => handler(value, origin))
        .catch((error: unknown) => log.error({ err: error, topic }, 'a bus subscriber failed'));
    }
  };
  others?.receive((topic, message) => deliver(topic, message, 'elsewhere'));
  return {
    publish(topic, message) {
      deliver(topic, message, 'here');
      others?.send(topic, message);
    },
    subscribe(topic, handler) {
      const subscribed = handlers.get(topic) ?? new Set();
      handlers.set(topic, subscribed.add(handler));
      return () => void subscribed.delete(handler);
    },
    here: { publish: (topic, message) => deliver(topic, message, 'here') },
  };
}
