import { Feed, QuickPost } from '../features/posts/Feed.tsx';
import { Page } from '../ui/Page.tsx';
import { FirstSteps } from './FirstSteps.tsx';

/** `/` (§2): what a new member does first, a quick post, and the feed. The extra links are beside every screen, on phones in the sheet of the avatar. */
export function HomeScreen() {
  return (
    <Page title="Home" width="feed" hideTitle>
      <div className="flex flex-col gap-6">
        <FirstSteps />
        <QuickPost />
        <Feed />
      </div>
    </Page>
  );
}
