import { useLocation, useNavigate, useRouter } from '@tanstack/react-router';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** What is open over the screen, see `useHistoryFlag`. */
    overlay?: string;
  }
}

/**
 * Something open over the screen as an entry of the history, so that Back closes it. The address stays.
 * @param name unlike those of all others on the screen.
 */
export function useHistoryFlag(name: string) {
  const navigate = useNavigate();
  const { history } = useRouter();
  const isOpen = useLocation({ select: ({ state }) => state.overlay === name });
  return {
    isOpen,
    open: () =>
      void navigate({
        to: '.',
        search: true,
        hash: true,
        state: (state) => ({ ...state, overlay: name }),
        resetScroll: false,
      }),
    close: () => isOpen && history.back(),
  };
}
