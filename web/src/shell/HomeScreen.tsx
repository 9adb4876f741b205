import { Feed, QuickPost } from '../features/posts/Feed.tsx';
import { Collapsible } from '../ui/facts.tsx';
import { Page } from '../ui/Page.tsx';
import { ExtraLinks } from './navigation.tsx';

/** `/` (§2): the extra links (beside the screen where there is room), a quick post, and the feed. */
export function HomeScreen() {
  return (
    <Page title="Home" width="feed" hideTitle>
      <div className="flex flex-col gap-5">
        <div className="xl:hidden">
          <Collapsible title="More for you">
            <ExtraLinks />
          </Collapsible>
        </div>
        <QuickPost />
        <Feed />
      </div>
    </Page>
  );
}
