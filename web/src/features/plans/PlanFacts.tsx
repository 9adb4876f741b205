import { Link } from '@tanstack/react-router';
import { sized } from '@tara/contract/files';
import { empty } from '@tara/contract/notices';
import type { Plan } from '@tara/contract/plans';
import { Banknote, Clock } from 'lucide-react';
import { useState } from 'react';
import { Avatar } from '../../ui/Avatar.tsx';
import { Card } from '../../ui/Card.tsx';
import { ImageViewer } from '../../ui/ImageViewer.tsx';
import { Picture } from '../../ui/Picture.tsx';
import { StateLine, StateList } from '../../ui/StateLine.tsx';
import { VerifiedMark } from '../../ui/VerifiedMark.tsx';
import { PriceLabel } from './PriceLabel.tsx';

/** A plan in full: cover, creator, what it is, when, what it costs, and its creator's own conditions (§2). */
export function PlanFacts({ plan }: { plan: Plan }) {
  const [viewing, setViewing] = useState(false);
  const { creator, cover } = plan;
  return (
    <Card as="article" padding="none" className="overflow-hidden">
      <button
        type="button"
        aria-label="See the cover in full"
        onClick={() => setViewing(true)}
        className="block w-full -outline-offset-2"
      >
        <Picture
          {...cover}
          alt={cover.alt || plan.title}
          source={(width) => sized(cover.imageUrl, width)}
          ratio="16 / 9"
          eager
        />
      </button>
      <ImageViewer
        open={viewing}
        onClose={() => setViewing(false)}
        src={sized(cover.imageUrl, 1080)}
        alt={cover.alt || plan.title}
      />
      <div className="flex flex-col gap-4 p-4 sm:p-5">
        <Link
          to="/profile/$id"
          params={{ id: creator.id }}
          className="flex min-w-0 items-center gap-3 self-start rounded-control"
        >
          <Avatar name={creator.name} src={sized(creator.picture.imageUrl, 96)} size="lg" />
          <span className="min-w-0">
            <span className="flex items-center gap-1 font-semibold">
              <span className="truncate">{creator.name}</span>
              {creator.verified && <VerifiedMark />}
            </span>
            <span className="block truncate text-sm text-ink-soft">@{creator.username}</span>
          </span>
        </Link>
        <div>
          <h2 className="text-xl font-bold">{plan.title}</h2>
          {plan.desc && <p className="mt-2 whitespace-pre-line">{plan.desc}</p>}
        </div>
        <StateList className="border-y border-line">
          <StateLine icon={Clock} label="Time" value={plan.time || empty.date} />
          <StateLine icon={Banknote} label="Price" value={<PriceLabel pesos={plan.price} />} tone="lagoon" />
        </StateList>
        <section>
          <h3 className="font-semibold">Conditions of {creator.name}</h3>
          <p className="mt-1 whitespace-pre-line text-ink-soft">{plan.terms}</p>
        </section>
      </div>
    </Card>
  );
}
