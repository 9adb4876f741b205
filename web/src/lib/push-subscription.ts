/** What the server stores of a browser's subscription (`devices.register`). The page and the service worker send it. */
export function subscriptionBody(subscription: PushSubscription): {
  endpoint: string;
  p256dh: string;
  auth: string;
} {
  const { keys = {} } = subscription.toJSON();
  const { p256dh = '', auth = '' } = keys;
  return { endpoint: subscription.endpoint, p256dh, auth };
}
