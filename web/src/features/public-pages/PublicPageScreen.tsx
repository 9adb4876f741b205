import type { PublicPage, TextBlock } from '@tara/contract/public-pages';
import { HomeLink } from '../../ui/Icon.tsx';
import { PageTitle } from '../../ui/Page.tsx';
import { PublicPageLinks } from './PublicPageLinks.tsx';

/** `/safety`, `/terms` and `/privacy`, for everybody. */
export function PublicPageScreen({ page: { title, description, sections } }: { page: PublicPage }) {
  return (
    <div className="px-safe pt-safe pb-safe">
      <PageTitle title={title} />
      <div className="mx-auto w-full max-w-feed px-4 pb-16 sm:px-6">
        <header className="flex flex-wrap items-center justify-between gap-x-6 py-4">
          <HomeLink />
          <PublicPageLinks />
        </header>
        <main id="main" className="pt-4 sm:pt-8">
          <h1 tabIndex={-1} className="text-3xl font-bold tracking-tight">
            {title}
          </h1>
          <p className="mt-2 text-lg text-ink-soft">{description}</p>
          {sections.map(({ heading, blocks }) => (
            <section key={heading} className="mt-9">
              <h2 className="text-xl font-semibold">{heading}</h2>
              {blocks.map((block) => (
                <Block key={String(block)} block={block} />
              ))}
            </section>
          ))}
        </main>
      </div>
    </div>
  );
}

function Block({ block }: { block: TextBlock }) {
  if (typeof block === 'string') return <p className="mt-3 leading-relaxed">{block}</p>;
  return (
    <ul className="mt-3 ml-5 flex list-disc flex-col gap-2 leading-relaxed marker:text-ink-soft">
      {block.map((item) => (
        <li key={item} className="pl-1">
          {item}
        </li>
      ))}
    </ul>
  );
}
