import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import { Avatar, Picture } from './Picture.tsx';

const picture = {
  width: 4000,
  height: 3000,
  alt: 'Sea',
  source: (width: number) => `/picture?width=${width}`,
};

afterEach(cleanup);

describe('the addresses of a picture', () => {
  test('are those of its stored widths, so that no screen is dense enough for the original', () => {
    render(<Picture {...picture} widths={[96, 320, 640, 1080]} />);
    const image = screen.getByRole('img', { name: 'Sea' });
    const offered = (image.getAttribute('srcset') ?? '').split(', ').map((entry) => entry.split(' '));
    expect(offered.map(([, width]) => width)).toEqual(['96w', '320w', '640w', '1080w']);
    expect(offered.at(-1)?.[0]).toBe('/picture?width=1080');
    expect(image.getAttribute('src')).toBe('/picture?width=640');
  });

  test('are one for a picture that is drawn in any size', () => {
    render(<Picture {...picture} widths={[]} />);
    const image = screen.getByRole('img', { name: 'Sea' });
    expect(image.hasAttribute('srcset')).toBe(false);
    expect(image.getAttribute('src')).toBe('/picture?width=640');
  });
});

test('a small avatar has the quality 10, and a larger one 25 (§9-preview-quality)', () => {
  const qualities = { xs: 10, sm: 10, md: 25, xl: 25 } as const;
  for (const [size, quality] of Object.entries(qualities)) {
    const { unmount } = render(
      <Avatar name="Ana" src="/preview?width=96&quality=30" size={size as 'xs'} alt="Ana" />,
    );
    expect(screen.getByRole('img').getAttribute('src')).toBe(`/preview?width=96&quality=${quality}`);
    unmount();
  }
});

test('an avatar of another address keeps it', () => {
  render(<Avatar name="Ana" src="/picture?width=96" alt="Ana" />);
  expect(screen.getByRole('img').getAttribute('src')).toBe('/picture?width=96');
});
