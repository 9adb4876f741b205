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

test.for([
  ['a small avatar has the quality 10 (§9-quality-small-avatars)', ['xs', 'sm'], 10],
  ['a larger avatar has the quality 25 (§9-quality-default-avatar)', ['md', 'xl'], 25],
] as const)('%s', ([, sizes, quality]) => {
  for (const size of sizes) {
    const { unmount } = render(
      <Avatar name="Ana" src="/preview?width=96&quality=30" size={size} alt="Ana" />,
    );
    expect(screen.getByRole('img').getAttribute('src')).toBe(`/preview?width=96&quality=${quality}`);
    unmount();
  }
});

test('an avatar of another address keeps it', () => {
  render(<Avatar name="Ana" src="/picture?width=96" alt="Ana" />);
  expect(screen.getByRole('img').getAttribute('src')).toBe('/picture?width=96');
});
