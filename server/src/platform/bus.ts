import type { Log } from './log.ts';

type Handler<Message> = (message: Message) => void | Promise<void>;

/** Messages between parts of one node, by topic. `Topics` maps each topic to what it carries. */
export interface Bus<Topics> {
  /** Hands the message to every subscriber of the topic; returns before they are done and never throws. */
  publish<Topic extends keyof Topics & string>(topic: Topic, message: Topics[Topic]): void;
  /** Returns the function that ends the subscription. */
  subscribe<Topic extends keyof Topics & string>(topic: Topic, handler: Handler<Topics[Topic]>): () => void;
}

/** A bus inside this process: what fails in one subscriber is logged and reaches neither the publisher nor the others. */
export function openBus<Topics>(log: Log): Bus<Topics> {
  const handlers = new Map<string, Set<(message: never) => void | Promise<void>>>();
  return {
    publish(topic, message) {
      for (const handler of [...(handlers.get(topic) ?? [])] as Handler<typeof message>[]) {
        // A microtask of its own: the publisher's request does not wait, and a throw becomes a rejection.
        Promise.resolve(message)
          .then(handler)
          .catch((error: unknown) => log.error({ err: error, topic }, 'a bus subscriber failed'));
      }
    },
    subscribe(topic, handler) {
      const subscribed = handlers.get(topic) ?? new Set();
      handlers.set(topic, subscribed.add(handler));
      return () => void subscribed.delete(handler);
    },
  };
}
