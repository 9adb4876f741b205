/** The URL of the provider's checkout, with the URL of the list to return to. `check` is the id of the request,
 * so that its payment is looked up on return.
 */
export function checkoutUrlWithReturn(checkoutUrl: string, { tab, id }: { tab: string; id: string }): string {
  const back = `/manage-plans?${new URLSearchParams({ tab, check: id })}`;
  const address = new URL(checkoutUrl);
  address.searchParams.set('return_url', back);
  return address.href;
}
