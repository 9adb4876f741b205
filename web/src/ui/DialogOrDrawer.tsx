import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { Drawer } from 'vaul';
import { IconButton } from './Button.tsx';
import { useBackToClose } from './back.ts';
import { useCutEdges } from './cut-edges.ts';
import { Icon } from './Icon.tsx';
import { useMediaQuery, useReturnFocus, WIDE } from './Page.tsx';

export interface ResponsiveDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  /** The body; may scroll. */
  children?: ReactNode;
  /** Buttons: the main one last. Below 768 px they are stacked, the main one on top. */
  actions?: ReactNode;
  size?: 'sm' | 'md' | 'lg';
}

const SIZES = { sm: 'max-w-md', md: 'max-w-lg', lg: 'max-w-2xl' };
const overlay =
  'fixed inset-0 z-50 bg-veil data-[state=closed]:animate-fade-out data-[state=open]:animate-fade';

/** What `ResponsiveDialog` shows once it is open. */
export default function DialogOrDrawer(props: ResponsiveDialogProps) {
  useBackToClose(props.open, () => props.onOpenChange(false));
  return useMediaQuery(WIDE) ? <WideDialog {...props} /> : <BottomDrawer {...props} />;
}

interface HeadingProps extends Pick<ResponsiveDialogProps, 'title' | 'description'> {
  /** Whose title and description they are. */
  of: Pick<typeof Dialog, 'Title' | 'Description'>;
  className: string;
}

const Heading = ({ of: { Title, Description }, title, description, className }: HeadingProps) => (
  <header className={className}>
    <Title className="text-xl font-bold">{title}</Title>
    {description && (
      <Description className="mt-2 text-ink-soft first-letter:uppercase">{description}</Description>
    )}
  </header>
);

/** Scrolls between title and buttons, with a line where it is cut; in a short window the whole dialog scrolls instead. */
function Body({ className, children }: { className: string; children: ReactNode }) {
  return (
    <div
      ref={useCutEdges()}
      className={clsx(
        'mt-3 border-y border-transparent data-cut-end:border-b-line data-cut-start:border-t-line short:shrink-0 not-short:min-h-0 not-short:overflow-y-auto',
        className,
      )}
    >
      {/* One box, whose size is watched. */}
      <div className="pt-1">{children}</div>
    </div>
  );
}

function WideDialog({
  open,
  onOpenChange,
  title,
  description,
  children,
  actions,
  size = 'sm',
}: ResponsiveDialogProps) {
  const focus = useReturnFocus();
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className={overlay} />
        <div className="pointer-events-none fixed inset-0 z-50 flex items-center justify-center p-6">
          <Dialog.Content
            {...focus}
            {...(description ? {} : { 'aria-describedby': undefined })}
            className={`pointer-events-auto relative flex max-h-full w-full flex-col rounded-card short:overflow-y-auto border border-line bg-raised shadow-lift outline-none data-[state=closed]:animate-rise-out data-[state=open]:animate-rise ${SIZES[size]}`}
          >
            <Heading of={Dialog} title={title} description={description} className="p-6 pr-16 pb-0" />
            {children && <Body className="px-6 pb-1">{children}</Body>}
            <footer className="flex flex-wrap justify-end gap-3 p-6">{actions}</footer>
            <Dialog.Close asChild>
              <IconButton label="Close" quiet className="absolute! top-4 right-4">
                <Icon of={X} />
              </IconButton>
            </Dialog.Close>
          </Dialog.Content>
        </div>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function BottomDrawer({ open, onOpenChange, title, description, children, actions }: ResponsiveDialogProps) {
  const focus = useReturnFocus();
  return (
    <Drawer.Root open={open} onOpenChange={onOpenChange} repositionInputs={false} autoFocus>
      <Drawer.Portal>
        <Drawer.Overlay className="fixed inset-0 z-50 bg-veil" />
        <Drawer.Content
          {...focus}
          {...(description ? {} : { 'aria-describedby': undefined })}
          className="fixed inset-x-0 bottom-0 z-50 flex max-h-[92dvh] flex-col rounded-t-card short:overflow-y-auto border-t border-line bg-raised outline-none"
        >
          <div aria-hidden="true" className="mx-auto mt-3 h-1 w-10 shrink-0 rounded-full bg-edge" />
          <Heading of={Drawer} title={title} description={description} className="px-5 pt-4 pr-16" />
          {children && <Body className="px-5">{children}</Body>}
          <footer className="flex flex-col-reverse gap-2 p-5 pb-[calc(20px+env(safe-area-inset-bottom))]">
            {actions}
          </footer>
          <Drawer.Close asChild>
            <IconButton label="Close" quiet className="absolute! top-4 right-3">
              <Icon of={X} />
            </IconButton>
          </Drawer.Close>
        </Drawer.Content>
      </Drawer.Portal>
    </Drawer.Root>
  );
}
