import type { Picture } from '@tara/contract/fields';
import {
  type Dispute,
  type DisputeMessage,
  deletedText,
  disputeReasons,
  type Story,
} from '@tara/contract/money/disputes';
import { StoredPicture, usePictureSeries } from '../../lib/stored-picture.tsx';
import { ImageViewer } from '../../ui/lazy-overlays.tsx';
import { Card } from '../../ui/Page.tsx';
import { exactTime, TimeLabel } from '../../ui/TimeLabel.tsx';

interface StoriesProps {
  dispute: Dispute;
  /** The level that fits the screen; 2 unless given. */
  headingLevel?: 2 | 3;
  client: string;
  creator: string;
  /** Whether the creator reads it. */
  isCreator?: boolean;
}

/** What both sides of a dispute say, with the messages and photos that they added. */
export function Stories({ dispute, headingLevel = 2, client, creator, isCreator = false }: StoriesProps) {
  const heading = headingLevel === 2 ? 'h2' : 'h3';
  return (
    <div className="flex flex-col gap-3">
      <StoryCard
        heading={heading}
        by={client}
        story={dispute.client}
        title={disputeReasons[dispute.reason]}
      />
      {dispute.creator ? (
        <StoryCard heading={heading} by={creator} story={dispute.creator} title="The creator’s answer" />
      ) : (
        <p className="text-ink-soft">
          {isCreator ? 'You have not answered yet.' : `${creator} has not answered yet.`}
        </p>
      )}
    </div>
  );
}

interface StoryCardProps {
  heading: 'h2' | 'h3';
  by: string;
  story: Story;
  title: string;
}

function StoryCard({ heading: Heading, by, story, title }: StoryCardProps) {
  return (
    <Card as="section" aria-label={`What ${by} says`}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <Heading className="font-semibold wrap-anywhere">{title}</Heading>
        <TimeLabel iso={story.createdAt} className="text-sm text-ink-soft" />
      </div>
      <p className="text-sm text-ink-soft wrap-anywhere">{by}</p>
      <p className="mt-2 wrap-anywhere whitespace-pre-line">{story.text || deletedText}</p>
      <Messages messages={story.messages} by={by} />
      <Photos photos={story.photos} by={by} />
    </Card>
  );
}

/** The messages of the plan chat that one side added, oldest first. */
function Messages({ messages, by }: { messages: DisputeMessage[]; by: string }) {
  if (messages.length === 0) return null;
  return (
    <section aria-label={`Messages of ${by}`} className="mt-3">
      <p className="text-sm font-semibold">From the plan chat</p>
      <ol className="mt-1.5 flex flex-col gap-2">
        {messages.map(({ id, text, sentAt }) => (
          <li key={id} className="rounded-control bg-sunken p-3">
            <p className="text-sm text-ink-soft">{exactTime(sentAt)}</p>
            <p className="mt-1 wrap-anywhere whitespace-pre-line">{text || deletedText}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The photos of one side; a press opens them full screen. */
function Photos({ photos, by }: { photos: Picture[]; by: string }) {
  const { index: openIndex, open, viewer } = usePictureSeries(photos.length);
  const altOf = (index: number) => photos[index]?.alt || `Photo ${index + 1} of ${by}`;
  if (photos.length === 0) return null;
  return (
    <>
      <ul aria-label={`Photos of ${by}`} className="mt-3 grid grid-cols-5 gap-1.5">
        {photos.map((photo, index) => (
          <li key={photo.imageUrl}>
            <button type="button" className="block w-full" onClick={() => open(index)}>
              <StoredPicture
                picture={photo}
                alt={altOf(index)}
                ratio="1 / 1"
                sizes="20vw"
                className="rounded-control"
              />
            </button>
          </li>
        ))}
      </ul>
      <ImageViewer {...viewer} src={photos[openIndex]?.imageUrl ?? ''} alt={altOf(openIndex)} />
    </>
  );
}
