// Every part in every state, for judging by eye. Served by `vite dev` at /gallery.html; never built.
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '../../styles.css';
import { Logo } from '../Icon.tsx';
import { Overlays } from '../Overlays.tsx';
import { Page } from '../Page.tsx';
import { ThemeSwitch } from '../Segmented.tsx';
import { Actions, Forms } from './Controls.tsx';
import { Facts, Pictures, Places, Sample } from './Facts.tsx';

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <main>
        <Page title="Gallery" width="grid" intro="Every part of the kit." actions={<ThemeSwitch />}>
          <Logo size={48} className="mb-8" />
          <div className="grid items-start gap-10 lg:grid-cols-2">
            <Sample />
            <Actions />
            <Forms />
            <Facts />
            <Pictures />
            <Places />
          </div>
        </Page>
      </main>
      <Overlays />
    </StrictMode>,
  );
}
