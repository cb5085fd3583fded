import { useState } from 'react'
import { Link } from '../../src/navigation.tsx'
import type { Route } from '../../src/routes.ts'
import { Sheet } from '../../src/sheet.tsx'
import { PipeCard } from '../../src/start/pipe-card.tsx'
import { PlainStatus } from '../../src/status/plain-status.tsx'
import { applyTheme, storedTheme } from '../../src/theme.ts'
import { click, find, focusName, has, press, textOf } from '../stage/hands.ts'
import { eventually, mount, pass, type Scenes, same, settled } from '../stage/stage.tsx'
import { createServices, inApp } from './world.tsx'

function Opener() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button type="button" className="opener" onClick={() => setIsOpen(true)}>
        Open
      </button>
      {isOpen && (
        <Sheet title="Pane" onClose={() => setIsOpen(false)}>
          <p className="inside">Words</p>
        </Sheet>
      )}
    </>
  )
}

const down = (selector: string) => find(selector).dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))

export const sheet: Scenes = {
  'closes by its button, by a click beside it and by Escape, and gives the focus back, each time': async () => {
    mount(<Opener />)
    const closes = [
      () => find('[aria-label=Close]').click(),
      () => {
        down('dialog')
        click('dialog')
      },
      () => find<HTMLDialogElement>('dialog').requestClose(),
      () => find('[aria-label=Close]').click(),
    ]
    for (const close of closes) {
      find('.opener').focus()
      click('.opener')
      same(has('dialog:modal'), true)
      close()
      await eventually('it is closed', () => !has('dialog'))
      same(focusName(), 'opener')
    }
  },

  'stays open for a click inside, and for a selection that ends beside it': async () => {
    mount(<Opener />)
    click('.opener')
    down('.inside')
    click('.inside')
    click('dialog')
    await settled()
    same(has('dialog[open]'), true)
  },

  'keeps its keys to itself': () => {
    const heard: string[] = []
    const note = ({ key }: KeyboardEvent) => heard.push(key)
    window.addEventListener('keydown', note)
    mount(<Opener />)
    click('.opener')
    for (const key of ['/', 'Escape', 'a']) press(key, {}, find('.inside'))
    window.removeEventListener('keydown', note)
    same(heard, [])
  },
}

export const link: Scenes = {
  'goes to its page with a plain click, once per click, and leaves every other click to the browser': () => {
    const gone: Route[] = []
    const router = { ...createServices().router, go: (route: Route) => gone.push(route) }
    const follows: string[] = []
    const to: Route = { name: 'thread', threadId: 'a/b' }
    mount(inApp(<Link to={to} className="link" onClick={() => follows.push('x')} />, { router }))
    same(find('.link').getAttribute('href'), '/t/a%2Fb')
    for (const init of [{ metaKey: true }, { ctrlKey: true }, { shiftKey: true }, { altKey: true }, { button: 1 }]) {
      same(click('.link', init), false, JSON.stringify(init))
    }
    same(gone.length, 0)
    for (const _ of [1, 2]) same(click('.link'), true)
    same([gone, follows.length], [[to, to], 7])
  },

  'does not go if its own handler says no': () => {
    const gone: Route[] = []
    const router = { ...createServices().router, go: (route: Route) => gone.push(route) }
    mount(
      inApp(<Link to={{ name: 'start' }} className="link" onClick={(event) => event.preventDefault()} />, { router }),
    )
    click('.link')
    same(gone, [])
  },
}

const openStatus = () => mount(inApp(<PlainStatus text="Ready" tone="quiet" />))
const applied = () => document.documentElement.dataset.theme ?? 'none'

/** Replaces a method of the storage until the work is done. */
async function withStorage(method: 'getItem' | 'setItem', work: () => Promise<void>): Promise<void> {
  const before = Storage.prototype[method]
  const forbid = () => {
    throw new DOMException('Forbidden', 'SecurityError')
  }
  try {
    Object.assign(Storage.prototype, { [method]: forbid })
    await work()
  } finally {
    Object.assign(Storage.prototype, { [method]: before })
  }
}

export const theme: Scenes = {
  'cycles as the system, light, dark, is applied at once, and is stored': () => {
    openStatus()
    const seen = [1, 2, 3, 4].map(() => {
      click('.theme-switch')
      return [applied(), storedTheme(), find('.theme-switch').ariaLabel]
    })
    same(seen, [
      ['light', 'light', 'Theme: light. Switch to dark.'],
      ['dark', 'dark', 'Theme: dark. Switch to system.'],
      ['none', 'system', 'Theme: system. Switch to light.'],
      ['light', 'light', 'Theme: light. Switch to dark.'],
    ])
  },

  'is the stored one after a reload; garbage counts as none': () => {
    for (const [stored, expected] of [
      ['dark', 'dark'],
      ['light', 'light'],
      ['purple', 'none'],
      ['', 'none'],
    ] as const) {
      localStorage.setItem('millrace-theme', stored)
      applyTheme(storedTheme())
      same(applied(), expected, `the theme after ${stored}`)
    }
  },

  'lasts as long as the page if nothing can be stored, on every page of it': () =>
    withStorage('setItem', async () => {
      const { unmount } = openStatus()
      click('.theme-switch')
      click('.theme-switch')
      unmount()
      openStatus()
      same([applied(), find('.theme-switch').ariaLabel], ['dark', 'Theme: dark. Switch to system.'])
    }),

  'is the system’s if the storage cannot be read': () =>
    withStorage('getItem', async () => {
      applyTheme(storedTheme())
      same([storedTheme(), applied()], ['system', 'none'])
    }),
}

export const copying: Scenes = {
  'says for a moment whether it was copied, each time': async () => {
    const copied: string[] = []
    let isForbidden = false
    const clipboard = {
      writeText: async (text: string) => {
        if (isForbidden) throw new DOMException('Forbidden', 'NotAllowedError')
        copied.push(text)
      },
    }
    Object.defineProperty(navigator, 'clipboard', { configurable: true, get: () => clipboard })
    mount(<PipeCard server={location.origin} />)
    for (const forbidden of [false, true, false, false]) {
      isForbidden = forbidden
      click('.pipe button')
      await settled()
      same(textOf('.pipe button'), forbidden ? 'Not copied' : 'Copied')
      await pass(1_499)
      same(textOf('.pipe button') === 'Copy', false)
      await pass(1)
      same(textOf('.pipe button'), 'Copy')
    }
    same([copied.length, copied[0]?.includes(`"${location.origin}/api/ingest`)], [3, true])
    Reflect.deleteProperty(navigator, 'clipboard')
  },
}
