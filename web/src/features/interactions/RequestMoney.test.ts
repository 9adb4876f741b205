import { describe, expect, it } from 'vitest';
import { checkoutUrlWithReturn } from './RequestMoney.tsx';

describe('the way to the checkout', () => {
  it('includes the return URL with tab and request', () => {
    const address = new URL(
      checkoutUrlWithReturn('https://pay.example/links/x?lang=en', { tab: 'yourRequest', id: 'r1' }),
    );
    expect(address.searchParams.get('return_url')).toBe('/manage-plans?tab=yourRequest&check=r1');
    expect(address.searchParams.get('lang')).toBe('en');
  });
});
