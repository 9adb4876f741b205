import { Bookmark, EllipsisVertical, Heart, MapPin } from 'lucide-react';
import { Avatar } from '../Avatar.tsx';
import { Button } from '../Button.tsx';
import { Card } from '../Card.tsx';
import { Icon } from '../Icon.tsx';
import { IconButton } from '../IconButton.tsx';
import { Money } from '../Money.tsx';
import { Picture } from '../Picture.tsx';
import { Stars } from '../Stars.tsx';
import { linkClass } from '../TextLink.tsx';
import { TimeLabel } from '../TimeLabel.tsx';
import { VerifiedMark } from '../VerifiedMark.tsx';
import { drawing } from './drawing.ts';
import { Section } from './Section.tsx';

/** How the parts look together: a post and a plan. */
export function Sample() {
  return (
    <Section title="Together">
      <Card as="article" padding="none">
        <header className="flex items-center gap-3 p-4">
          <Avatar name="Ana Reyes" src={drawing(2, 200, 200)} />
          <div className="min-w-0 flex-1">
            <p className="flex items-center gap-1.5 font-semibold">
              Ana Reyes <VerifiedMark />
            </p>
            <p className="flex items-center gap-1 text-sm text-ink-soft">
              <Icon of={MapPin} size={16} /> Cebu ·{' '}
              <TimeLabel iso={new Date(Date.now() - 7_500_000).toISOString()} />
            </p>
          </div>
          <IconButton label="More">
            <Icon of={EllipsisVertical} />
          </IconButton>
        </header>
        <Picture
          width={900}
          height={675}
          alt="Hills above a bay"
          source={() => drawing(1)}
          eager
          maxHeight={800}
        />
        <div className="flex items-center gap-1 px-2 pt-2">
          <IconButton label="Like" pressed className="text-guava!">
            <Icon of={Heart} filled />
          </IconButton>
          <span className="figures font-semibold">12</span>
          <span className="flex-1" />
          <IconButton label="Save">
            <Icon of={Bookmark} />
          </IconButton>
        </div>
        <p className="px-4 pt-1 pb-4">
          First light over the bay, and the ferry was late for once.{' '}
          <a href="#tag" className={linkClass}>
            #sunrise
          </a>
        </p>
      </Card>
      <Card padding="none" className="overflow-hidden">
        <Picture width={900} height={400} alt="" source={() => drawing(0)} />
        <div className="p-4">
          <div className="flex items-baseline justify-between gap-3">
            <h3 className="text-lg font-semibold">Island day with boat</h3>
            <Money pesos={1500} className="text-lg font-bold text-lagoon" />
          </div>
          <p className="mt-1 flex items-center gap-2 text-sm text-ink-soft">
            Saturdays · <Stars value={9} figure size={16} />
          </p>
          <Button block className="mt-4">
            Send Request
          </Button>
        </div>
      </Card>
    </Section>
  );
}
