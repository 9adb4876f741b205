import { type Message, messages } from '@tara/contract/messages/messages';
import { Copy, CornerUpLeft, Ellipsis, Flag, Undo2 } from 'lucide-react';
import {
  type MouseEvent,
  type PointerEvent,
  Suspense,
  type TouchEvent,
  useEffect,
  useRef,
  useState,
} from 'react';
import { useCall } from '../../lib/queries.ts';
import { IconButton } from '../../ui/Button.tsx';
import { announce, confirm, toast } from '../../ui/feedback.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Menu } from '../../ui/lazy-overlays.tsx';
import { ReportDialog } from '../blocks/index.ts';
import { addMessages } from './chat-cache.ts';

export interface MessageMenuProps {
  message: Message;
  own: boolean;
  /** Absent where nobody can write. */
  onReply?: ((message: Message) => void) | undefined;
}

type ControlledMenuProps = MessageMenuProps & {
  /** How often the menu was opened; 0 shows the button alone. */
  turn: number;
  onTurn: (turn: number) => void;
};

/** What can be done with a message, by its '…' button; a long press on the message opens it too. */
export function MessageMenu({ message, own, onReply, turn, onTurn }: ControlledMenuProps) {
  const { chatId, id, body, name, admin } = message;
  const unsend = useCall(messages.unsend, { onSuccess: (stored) => addMessages(chatId, [stored]) });
  const askToUnsend = async () => {
    const isConfirmed = await confirm({
      title: 'Unsend this message?',
      text: 'It disappears from the chat for both of you. The other may have read it.',
      confirmLabel: 'Unsend',
      tone: 'danger',
    });
    if (isConfirmed) unsend.mutate({ body: { chatId, messageId: id } });
  };
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(body);
      announce('Copied');
    } catch {
      // The browser forbids it, e.g. without a secure connection.
      toast({ title: 'The text could not be copied', tone: 'danger' });
    }
  };
  const [isReporting, setIsReporting] = useState(false);
  const items = [
    ...(onReply && !admin ? [{ label: 'Reply', icon: CornerUpLeft, onSelect: () => onReply(message) }] : []),
    ...(body ? [{ label: 'Copy', icon: Copy, onSelect: () => void copy() }] : []),
    ...(own
      ? [{ label: 'Unsend', icon: Undo2, tone: 'danger' as const, onSelect: () => void askToUnsend() }]
      : []),
    ...(own || admin ? [] : [{ label: 'Report', icon: Flag, onSelect: () => setIsReporting(true) }]),
  ];
  if (items.length === 0) return null;
  const label = own ? 'More about your message' : `More about the message of ${name}`;
  const trigger = (
    <IconButton
      label={label}
      quiet
      size="sm"
      className="opacity-0 transition-opacity group-focus-within/message:opacity-100 group-hover/message:opacity-100 aria-expanded:opacity-100 pointer-coarse:pointer-events-none"
      {...(turn === 0 ? { 'aria-haspopup': 'menu' as const, onClick: () => onTurn(1) } : {})}
    >
      <Icon of={Ellipsis} size={16} />
    </IconButton>
  );
  // Only a message that was asked about has a menu: a long chat has hundreds of messages.
  if (turn === 0) return trigger;
  return (
    <>
      <Menu key={turn} startsOpen label={label} trigger={trigger} items={items} />
      {isReporting && (
        <Suspense>
          <ReportDialog
            what={`the message of ${name}`}
            target={{ kind: 'message', recordId: id, chatId }}
            onClose={() => setIsReporting(false)}
          />
        </Suspense>
      )}
    </>
  );
}

/** How long a finger rests on a message until its menu opens. */
const LONG_PRESS_MS = 500;
/** A finger that moves farther scrolls. */
const MOVE_PX = 10;

/** Handlers of an element on which a finger rests; what is below the finger is not activated then. */
export function useLongPress(onLongPress: () => void) {
  const press = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number; isOver: boolean }>(null);
  const cancel = () => clearTimeout(press.current?.timer);
  useEffect(() => () => clearTimeout(press.current?.timer), []);
  return {
    onPointerDown({ pointerType, clientX, clientY }: PointerEvent) {
      cancel();
      press.current = null;
      if (pointerType !== 'touch') return;
      const timer = setTimeout(() => {
        if (press.current) press.current.isOver = true;
        onLongPress();
      }, LONG_PRESS_MS);
      press.current = { timer, x: clientX, y: clientY, isOver: false };
    },
    onPointerMove({ clientX, clientY }: PointerEvent) {
      const { x, y } = press.current ?? { x: clientX, y: clientY };
      if (Math.hypot(clientX - x, clientY - y) > MOVE_PX) cancel();
    },
    onPointerUp: cancel,
    onPointerCancel: cancel,
    onContextMenu: (event: MouseEvent) => press.current && event.preventDefault(),
    // Without this, lifting the finger is a click on what is below it, which also closes the menu.
    onTouchEnd: (event: TouchEvent) => press.current?.isOver && event.preventDefault(),
  };
}
