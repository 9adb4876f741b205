/** Subscriptions that the address of a realtime socket asks for, by id. */
export interface Asked {
  /** Every channel named. */
  channels: string[];
  /** Id → channels. */
  subscriptions: Map<string, string[]>;
  /** The ids are slots of the client, which wants to be told them again. */
  slots: boolean;
}

const slotOf = /^(.+)\[(\d{1,3})\]\[\d*\]$/;

/**
 * Reads the two older generations of addresses: `channels[]=a&channels[]=b`, and the same with a slot for each
 * subscription, `a[0][]=<query>`. The newest generation names none here and subscribes by message.
 */
export function readAddress(url: string): Asked {
  const parameters = new URL(url, 'ws://tara').searchParams;
  const channels: string[] = [];
  const bySlot = new Map<string, string[]>();
  for (const [name, value] of parameters) {
    if (/^channels(\[\d*\])?$/.test(name)) channels.push(value);
    const [, channel, slot] = slotOf.exec(name) ?? [];
    if (channel === undefined || slot === undefined || channel === 'channels') continue;
    const slotChannels = bySlot.get(slot);
    if (slotChannels === undefined) bySlot.set(slot, [channel]);
    else slotChannels.push(channel);
  }
  if (bySlot.size > 0) return { channels, subscriptions: bySlot, slots: true };
  const subscriptions = new Map(channels.length > 0 ? [['0', channels]] : []);
  return { channels, subscriptions, slots: false };
}
