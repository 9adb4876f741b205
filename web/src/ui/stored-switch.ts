import { create } from 'zustand';
import { storedItem, storeItem } from './browser-storage.ts';

/** A switch that this browser remembers: on, unless the person turned it off. */
export function createSwitch(key: string) {
  const useSwitch = create<{ isOn: boolean }>(() => ({ isOn: storedItem(key) !== 'off' }));
  return {
    useIsOn: () => useSwitch(({ isOn }) => isOn),
    isOn: () => useSwitch.getState().isOn,
    turn(isOn: boolean): void {
      storeItem(key, isOn ? null : 'off');
      useSwitch.setState({ isOn });
    },
  };
}
