import { Link } from '@tanstack/react-router';
import type { Picture as PictureRecord } from '@tara/contract/fields';
import { urlAtWidth } from '@tara/contract/files';
import type { Person } from '@tara/contract/members/profiles';
import { clsx } from 'clsx';
import { type ComponentProps, useState } from 'react';
import { PersonName } from '../ui/facts.tsx';
import { useOpenState } from '../ui/lazy-overlays.tsx';
import { VerifiedMark } from '../ui/marks.tsx';
import { Avatar, Picture } from '../ui/Picture.tsx';

interface StoredPictureProps
  extends Omit<ComponentProps<typeof Picture>, keyof PictureRecord | 'source'>,
    Partial<Pick<PictureRecord, 'alt'>> {
  picture: PictureRecord;
  /** Quality of the preview (§9), 0 to 100; that of posts unless given. */
  quality?: number;
}

/** A picture that the server stores, in the size at which it is shown. */
export function StoredPicture({ picture, alt = picture.alt, quality, ...look }: StoredPictureProps) {
  const { imageUrl, width, height, widths, thumbhash } = picture;
  return (
    <Picture
      {...look}
      {...{ width, height, widths, thumbhash, alt }}
      source={(pixels) => urlAtWidth(imageUrl, pixels, quality)}
    />
  );
}

interface PictureButtonProps extends StoredPictureProps {
  /** What a press does. */
  label: string;
  onPress: () => void;
}

/** A stored picture that a press opens full screen. */
export function PictureButton({ label, onPress, className, ...picture }: PictureButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      onClick={onPress}
      className={clsx('block w-full cursor-zoom-in!', className)}
    >
      <StoredPicture {...picture} />
    </button>
  );
}

/** The one of several pictures that is open full screen: `viewer` is what `ImageViewer` needs of it. */
export function usePictureSeries(count: number) {
  const flag = useOpenState();
  const [index, setIndex] = useState(0);
  return {
    index,
    open(position: number) {
      setIndex(position);
      flag.open();
    },
    viewer: { open: flag.isOpen, onClose: flag.close, series: { index, count, onShow: setIndex } },
  };
}

interface PersonAvatarProps extends Omit<ComponentProps<typeof Avatar>, 'name' | 'src'> {
  person: Pick<Person, 'name' | 'picture'>;
}

/** A member's picture, or the first letter of the name. */
export function PersonAvatar({ person: { name, picture }, size = 'md', ...look }: PersonAvatarProps) {
  const pixels = size === 'xl' || size === '2xl' ? 320 : 96;
  return <Avatar name={name} src={urlAtWidth(picture.imageUrl, pixels)} size={size} {...look} />;
}

interface PersonSummaryProps {
  person: Person;
  /** Below the name; the username unless given. */
  note?: string;
  nameClass?: string;
}

/** A member's picture, name and username, as the content of a row that can be pressed. */
export const PersonSummary = ({
  person,
  note = `@${person.username}`,
  nameClass = 'font-medium',
}: PersonSummaryProps) => (
  <>
    <PersonAvatar person={person} />
    <span className="min-w-0 flex-1">
      <PersonName person={person} className={nameClass} />
      <span className="block truncate text-sm text-ink-soft">{note}</span>
    </span>
  </>
);

/** A member's name as a link to the profile, with the mark of a verified identity; inside a row. */
export function PersonLink({ person: { id, name, verified } }: { person: Person }) {
  return (
    <>
      <Link to="/profile/$id" params={{ id }} className="touch truncate font-semibold hover:underline">
        {name}
      </Link>
      {verified && <VerifiedMark size={16} />}
    </>
  );
}
