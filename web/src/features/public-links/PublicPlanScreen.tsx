import { getRouteApi, Link } from '@tanstack/react-router';
import { useLoaded, useOptional } from '../../lib/queries.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { RatingLine } from '../../ui/facts.tsx';
import { Illustration } from '../../ui/Illustration.tsx';
import { Picture } from '../../ui/Picture.tsx';
import { sessionQuery } from '../accounts/index.ts';
import { HowPlansWork, PriceLabel } from '../plans/index.ts';
import { PublicPageLinks } from '../public-pages/index.ts';
import { JoinButtons, LinkEnded } from './JoinButtons.tsx';
import { publicPlanQuery } from './queries.ts';
import { PublicPlanFrame } from './skeletons.tsx';

const route = getRouteApi('/plan/$id');

/** `/plan/{id}`: a plan for people who are not on Tara yet. */
export function PublicPlanScreen() {
  const { id } = route.useParams();
  const plan = useLoaded(publicPlanQuery(id));
  const isMember = useOptional(sessionQuery) !== null;
  if ('notice' in plan) return <LinkEnded notice={plan.notice} />;
  const { title, firstName, cover, rating, price } = plan;
  const isRated = rating.totalReviews + rating.totalMeetings > 0;
  return (
    <PublicPlanFrame
      title={title}
      cover={
        cover ? (
          <Picture {...cover} source={() => cover.imageUrl} ratio="4 / 3" eager />
        ) : (
          <Illustration name="sailing" className="size-full" />
        )
      }
      footer={
        <div className="mt-12 mb-6 flex flex-col gap-8 lg:mt-16">
          <HowPlansWork />
          <PublicPageLinks />
        </div>
      }
    >
      <p className="text-lg text-ink-soft">A plan by {firstName}, who has shown an ID to Tara</p>
      <h1 tabIndex={-1} className="mt-1 text-3xl font-bold tracking-tight wrap-anywhere">
        {title}
      </h1>
      <p className="mt-2 text-ink-soft">
        <span className="sr-only">Rating of the plan: </span>
        {isRated ? <RatingLine rating={rating} /> : 'New, without meetings so far'}
      </p>
      <p className="mt-5">
        <span className="sr-only">Price: </span>
        <PriceLabel pesos={price} className="text-2xl font-bold" />
        {price > 0 && <span className="block text-ink-soft">Tara holds the money until you have met.</span>}
      </p>
      <div className="mt-6">
        {isMember ? (
          <Link to="/open-plan/$id" params={{ id }} className={buttonClass({ size: 'lg', block: true })}>
            See this plan
          </Link>
        ) : (
          <JoinButtons label="Join to book" destination={`/open-plan/${id}`} />
        )}
      </div>
    </PublicPlanFrame>
  );
}
