import { useRef, useState } from 'preact/hooks';
import type { TillState } from '../../shared/till/views.ts';
import { FirstIcon } from '../components/first-icon.tsx';
import { loadLater } from '../components/load-later.tsx';
import { useModel } from '../model.ts';

// It is behind a button, so it is not part of the first load.
const MenuEntries = loadLater(
  () => import('./menu-entries.tsx'),
  (module) => module.MenuEntries,
);

const menuId = 'screen-menu';

/** The menu behind one button: the other screens, and how the page looks. */
export function ScreenMenu({ till }: { readonly till: TillState }) {
  const { frame } = useModel();
  const words = frame.words.value.frame;
  const menu = useRef<HTMLElement>(null);
  const [isAsked, setIsAsked] = useState(false);
  return (
    <>
      <button type="button" class="button button-ghost more" popovertarget={menuId} onClick={() => setIsAsked(true)}>
        <FirstIcon name="menu" />
        <span class="more-word">{words.more}</span>
      </button>
      <nav class="screen-menu panel" id={menuId} popover="auto" aria-label={words.menu} ref={menu}>
        {(frame.isCalm.value || isAsked) && <MenuEntries till={till} onChosen={() => menu.current?.hidePopover()} />}
      </nav>
    </>
  );
}
