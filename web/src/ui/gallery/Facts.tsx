import {
  Banknote,
  Bookmark,
  Clock,
  EllipsisVertical,
  HandCoins,
  Heart,
  MapPin,
  MessageCircle,
  RotateCcw,
  ShieldCheck,
} from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { rgbaToThumbHash } from 'thumbhash';
import { Button, IconButton, linkClass } from '../Button.tsx';
import { Collapsible, Money, StateLine, StateList } from '../facts.tsx';
import { Icon, Spinner } from '../Icon.tsx';
import { InfiniteList } from '../InfiniteList.tsx';
import { ImageViewer } from '../lazy-overlays.tsx';
import { Badge, CountBadge, Stars, VerifiedMark } from '../marks.tsx';
import { Card, EmptyState, ErrorState, Skeleton, Skeletons } from '../Page.tsx';
import { Avatar, Picture } from '../Picture.tsx';
import { TimeLabel } from '../TimeLabel.tsx';

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

export function Facts() {
  return (
    <Section title="Facts">
      <Row>
        <Badge>expired</Badge>
        <Badge tone="lagoon" icon={ShieldCheck}>
          paid
        </Badge>
        <Badge tone="mango">new</Badge>
        <Badge tone="leaf">accepted</Badge>
        <Badge tone="ember">declined</Badge>
        <Badge tone="guava">yours</Badge>
        <CountBadge count={3} label="unread messages" />
        <CountBadge count={240} label="unread messages" />
        <VerifiedMark />
        <Spinner />
      </Row>
      <Row>
        <Stars value={9} figure />
        <Stars value={5} />
        <Stars value={0} />
        <Stars value={10} size={24} />
      </Row>
      <Row>
        <Money pesos={1500} className="text-xl font-bold" />
        <TimeLabel iso={ago(0)} />
        <TimeLabel iso={ago(12)} />
        <TimeLabel iso={ago(130)} />
        <TimeLabel iso={ago(1500)} />
        <TimeLabel iso={ago(60_000)} />
      </Row>
      <Card>
        <h3 className="font-semibold">Your money</h3>
        <StateList className="mt-1">
          <StateLine icon={Banknote} label="Paid" when="14 Mar" value={<Money pesos={1500} />} />
          <StateLine
            icon={ShieldCheck}
            tone="lagoon"
            label="Held until you have met"
            value={<Money pesos={1500} />}
          />
          <StateLine
            icon={HandCoins}
            tone="leaf"
            label="Paid out to Ana"
            when="2h"
            value={<Money pesos={1500} />}
          />
          <StateLine icon={RotateCcw} label="Refunded" value="nothing" />
          <StateLine icon={Clock} tone="mango" label="Payment" value="we are checking" />
        </StateList>
      </Card>
      <Collapsible title="About" open>
        <StateList>
          <StateLine label="Working as student" value="Yes" />
          <StateLine label="Birth date" value="01/01/02" />
        </StateList>
      </Collapsible>
      <Collapsible title="Terms of Ana">Closed until it is asked for.</Collapsible>
    </Section>
  );
}

/** A titled group of the gallery. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex min-w-0 flex-col gap-5">
      <h2 className="border-b border-line pb-2 text-xl font-bold">{title}</h2>
      {children}
    </section>
  );
}

export function Row({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap items-center gap-3">{children}</div>;
}

export function Places() {
  const [failed, setFailed] = useState(true);
  return (
    <Section title="Places">
      <Card padding="none">
        <EmptyState
          icon={MessageCircle}
          title="No Chats"
          text="Messages with the people you meet are kept here."
          action={<Button>Find friends</Button>}
        />
      </Card>
      <Card padding="none">
        <ErrorState onRetry={() => {}} />
      </Card>
      <Skeletons count={2} className="flex flex-col gap-4">
        {() => (
          <Card>
            <div className="flex items-center gap-3">
              <Skeleton shape="circle" width={40} />
              <div className="flex-1">
                <Skeleton width="40%" />
                <Skeleton width="25%" />
              </div>
            </div>
            <Skeleton shape="box" height={160} className="mt-4 w-full" />
          </Card>
        )}
      </Skeletons>
      <InfiniteList hasMore pending={!failed} failed={failed} loadMore={() => setFailed(false)}>
        {null}
      </InfiniteList>
    </Section>
  );
}

const LANDSCAPES = [
  ['#f7b267', '#f25c54', '#2d6a8e'],
  ['#9ad1d4', '#3a7d7c', '#f4d35e'],
  ['#f9dcc4', '#c8553d', '#588b8b'],
  ['#cdb4db', '#6d597a', '#ffafcc'],
];

/** A little landscape as a picture's address, so that the gallery needs no files. */
export function drawing(which: number, width = 900, height = 675): string {
  const [sky, land, sea] = LANDSCAPES[which % LANDSCAPES.length] ?? [];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 90 60" preserveAspectRatio="xMidYMid slice"><path fill="${sky}" d="M0 0h90v60H0z"/><circle cx="62" cy="22" r="9" fill="#fff3d0"/><path fill="${land}" d="M0 44 24 18l14 16 10-8 42 26v8H0z"/><path fill="${sea}" d="M0 46h90v14H0z"/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

const pixels = Array.from({ length: 16 * 12 }, (_, index) =>
  index < 96 ? [247, 178, 103, 255] : [45, 106, 142, 255],
).flat();
const hash = btoa(String.fromCharCode(...rgbaToThumbHash(16, 12, pixels)));

export function Pictures() {
  const [open, setOpen] = useState(false);
  return (
    <Section title="Pictures">
      <Row>
        <Avatar name="Ana Reyes" size="2xl" src={drawing(2, 200, 200)} />
        <Avatar name="Ben" size="xl" />
        <Avatar name="Carla" size="lg" />
        <Avatar name="" size="md" />
        <Avatar name="Dina" size="sm" />
        <Avatar name="Eli" size="xs" />
        <Avatar name="Broken" src="/nothing.jpg" />
      </Row>
      <div className="grid grid-cols-2 gap-4">
        <Picture
          width={900}
          height={675}
          widths={[]}
          alt="Hills above a bay"
          source={() => drawing(0)}
          thumbhash={hash}
          className="rounded-card"
        />
        <Picture
          width={900}
          height={675}
          widths={[]}
          alt="A picture that fails"
          source={() => '/nothing.jpg'}
          className="rounded-card"
        />
        <Picture
          width={900}
          height={675}
          widths={[]}
          alt="A picture that never comes"
          source={() => 'data:,'}
          thumbhash={hash}
          ratio="1 / 1"
          className="rounded-card"
        />
        <Button variant="secondary" onClick={() => setOpen(true)}>
          View it whole
        </Button>
      </div>
      <ImageViewer open={open} onClose={() => setOpen(false)} src={drawing(3)} alt="Hills above a bay" />
    </Section>
  );
}

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
          widths={[]}
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
        <Picture width={900} height={400} widths={[]} alt="" source={() => drawing(0)} />
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
