import type { ComponentProps } from 'react';
import { cx } from './cx.ts';

/** The look of a link in running text, for a router `Link`. */
export const linkClass =
  'font-medium text-lagoon underline decoration-lagoon/40 underline-offset-3 hover:decoration-current';

/** A link that leaves the app's routes: a mail, a document, another site (opened in a tab of its own). */
export function TextLink({ href, className, ...rest }: ComponentProps<'a'>) {
  const outside = href?.startsWith('http');
  return (
    <a
      href={href}
      {...(outside ? { target: '_blank', rel: 'noreferrer' } : {})}
      {...rest}
      className={cx(linkClass, className)}
    />
  );
}
