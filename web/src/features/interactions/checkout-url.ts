/**
 * The provider's page for a request, with the way back to the list it was opened from. `check` names the request,
 * so that its payment is looked up on return.
 */
export function checkoutUrlWithReturn(checkoutUrl: string, { tab, id }: { tab: string; id: string }): string {
  const back = `/manage-plans?${new URLSearchParams({ tab, check: id })}`;
  const address = new URL(checkoutUrl);
  address.searchParams.set('return_url', back);
  return address.href;
}
