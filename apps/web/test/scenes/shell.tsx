import { useRef } from 'react'
import { useFocusAfterMove, useSearchKey } from '../../src/focus.ts'
import { KeysProvider } from '../../src/keys/keys-context.tsx'
import type { Route } from '../../src/routes.ts'
import { useDrawer } from '../../src/use-drawer.ts'
import { click, find, focusName, press } from '../stage/hands.ts'
import { beNarrow, setMedia } from '../stage/media.ts'
import { mount, type Scenes, same, settled } from '../stage/stage.tsx'

let shown: ReturnType<typeof useDrawer>

const Drawer = () => (
  <KeysProvider>
    <DrawerParts />
  </KeysProvider>
)

function DrawerParts() {
  const field = useRef<HTMLInputElement>(null)
  shown = useDrawer(field)
  useSearchKey(field, shown.open)
  return (
    <>
      <button type="button" aria-label="menu" onClick={shown.open}>
        Menu
      </button>
      <div inert={shown.isHidden}>
        <input ref={field} aria-label="search" defaultValue="words" />
      </div>
      <textarea aria-label="writing" />
      <select aria-label="choosing" />
      {/* biome-ignore lint/a11y/useSemanticElements: any editable element counts */}
      <div contentEditable role="textbox" tabIndex={0} aria-label="editing" suppressContentEditableWarning>
        text
      </div>
    </>
  )
}

const state = () => [shown.isOpen, shown.isHidden]

export const drawer: Scenes = {
  'opens with the focus in its field, and gives it back when it closes, each time': async () => {
    beNarrow()
    mount(<Drawer />)
    same(state(), [false, true])
    for (const close of ['key', 'call', 'key'] as const) {
      find('[aria-label=menu]').focus()
      click('[aria-label=menu]')
      await settled()
      same([state(), focusName()], [[true, false], 'search'], 'the open drawer')
      if (close === 'key') press('Escape')
      else shown.close()
      await settled()
      same([state(), focusName()], [[false, true], 'menu'], `the drawer closed by ${close}`)
    }
  },

  'is closed by Escape alone, and not by one that ends a composition': async () => {
    beNarrow()
    mount(<Drawer />)
    click('[aria-label=menu]')
    await settled()
    for (const key of ['Enter', 'a', 'Tab']) press(key)
    for (const init of [{ isComposing: true }, { keyCode: 229 }]) press('Escape', init)
    await settled()
    same(state(), [true, false])
  },

  'is neither open nor hidden where there is room, and follows the width': async () => {
    mount(<Drawer />)
    click('[aria-label=menu]')
    await settled()
    same(state(), [false, false], 'on a wide screen')
    for (const round of [1, 2]) {
      setMedia('max-width', true)
      await settled()
      same(state(), [false, true], `narrow, round ${round}`)
      setMedia('max-width', false)
      await settled()
      same(state(), [false, false], `wide, round ${round}`)
      click('[aria-label=menu]')
      await settled()
    }
  },

  'does not open by itself when the screen becomes narrow again': async () => {
    beNarrow()
    mount(<Drawer />)
    click('[aria-label=menu]')
    await settled()
    setMedia('max-width', false)
    await settled()
    setMedia('max-width', true)
    await settled()
    same(state(), [false, true])
  },
}

export const searchKey: Scenes = {
  'focuses and selects the search with a slash, also in a closed drawer': async () => {
    beNarrow()
    mount(<Drawer />)
    find('[aria-label=menu]').focus()
    same(press('/').defaultPrevented, true)
    await settled()
    same([focusName(), shown.isOpen], ['search', true])
    setMedia('max-width', false)
    shown.close()
    await settled()
    for (const round of [1, 2]) {
      find('[aria-label=menu]').focus()
      press('/')
      await settled()
      const { selectionStart, selectionEnd } = find<HTMLInputElement>('[aria-label=search]')
      same([focusName(), selectionStart, selectionEnd], ['search', 0, 5], `round ${round}`)
    }
  },

  'leaves a slash to whoever is writing, to shortcuts, and to whoever has taken it': async () => {
    mount(<Drawer />)
    for (const name of ['writing', 'search', 'choosing', 'editing']) {
      find(`[aria-label=${name}]`).focus()
      same([press('/').defaultPrevented, focusName()], [false, name])
    }
    const menu = find('[aria-label=menu]')
    menu.focus()
    for (const init of [{ metaKey: true }, { ctrlKey: true }, { altKey: true }])
      same([press('/', init).defaultPrevented, focusName()], [false, 'menu'], JSON.stringify(init))
    const take = (event: Event) => event.preventDefault()
    menu.addEventListener('keydown', take)
    press('/')
    menu.removeEventListener('keydown', take)
    press('?')
    same(focusName(), 'menu')
  },
}

function Page({ route }: { readonly route: Route }) {
  useFocusAfterMove(route)
  return (
    <div id="main">
      {route.name === 'start' && <button type="button">{'Start'}</button>}
      <div className="mr-thread-scroll" tabIndex={-1} />
      <div className="mr-composer">
        <textarea className="message" />
      </div>
    </div>
  )
}

const thread = (threadId: string): Route => ({ name: 'thread', threadId })

export const focusAfterMove: Scenes = {
  'moves to the composer when the page that had it is gone, each time, and not on the first page': async () => {
    const { update } = mount(<Page route={{ name: 'start' }} />)
    await settled()
    same(focusName(), 'BODY', 'the focus of the first page')
    for (const round of [1, 2]) {
      update(<Page route={{ name: 'start' }} />)
      find('button').focus()
      update(<Page route={thread(`t${round}`)} />)
      await settled()
      same(focusName(), 'message', `the focus of move ${round}`)
    }
  },

  'stays where it is if its place is still there': async () => {
    const { update } = mount(<Page route={thread('one')} />)
    find('.mr-thread-scroll').focus()
    update(<Page route={thread('two')} />)
    await settled()
    same(focusName(), 'mr-thread-scroll')
  },

  'moves to the thread on a touch screen, where a field would open the keyboard': async () => {
    beNarrow('(pointer: coarse)')
    const { update } = mount(<Page route={{ name: 'start' }} />)
    find('button').focus()
    update(<Page route={thread('one')} />)
    await settled()
    same(focusName(), 'mr-thread-scroll')
  },
}
