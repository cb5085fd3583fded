import { useRef } from 'react'
import { commandNames, commandOf } from '../../src/keys/commands.ts'
import { KeysProvider, useCommands, useKeys } from '../../src/keys/keys-context.tsx'
import type { Acts } from '../../src/keys/keys-store.ts'
import { find, press } from '../stage/hands.ts'
import { mount, type Scenes, same } from '../stage/stage.tsx'

let done: string[] = []
let drawn: ReturnType<typeof useKeys>

const act = (name: string) => () => void done.push(name)

function Part({ acts, isInside = false }: { readonly acts: Acts; readonly isInside?: boolean }) {
  const box = useRef<HTMLDivElement>(null)
  useCommands(acts, isInside ? box : undefined)
  drawn = useKeys()
  return (
    <div ref={box}>
      <button type="button" className={isInside ? 'inside' : 'outside'}>
        {'Button'}
      </button>
    </div>
  )
}

function Page({ acts, inner }: { readonly acts: Acts; readonly inner?: Acts | undefined }) {
  return (
    <KeysProvider>
      <input className="text" />
      <input className="choice" type="checkbox" />
      <textarea className="long" />
      <Part acts={acts} />
      {inner !== undefined && <Part acts={inner} isInside />}
    </KeysProvider>
  )
}

const open = (acts: Acts, inner?: Acts) => {
  done = []
  return mount(<Page acts={acts} inner={inner} />)
}

/** What pressing these keys did. */
function after(...keys: readonly (readonly [key: string, init?: KeyboardEventInit])[]): readonly string[] {
  done = []
  for (const [key, init] of keys) press(key, init)
  return done
}

const all = Object.fromEntries(commandNames.map((name) => [name, act(name)])) as Acts

export const keys: Scenes = {
  'do nothing while a text is written, but for those with ⌘ or Ctrl and Escape': () => {
    open(all)
    for (const field of ['.text', '.long']) {
      find(field).focus()
      same(after(['j'], ['/'], ['?'], ['ArrowLeft'], ['Enter'], [' '], ['L', { shiftKey: true }]), [], field)
      same(after(['k', { ctrlKey: true }], ['b', { metaKey: true }], ['F6'], ['Escape']), [
        ...['palette', 'rail', 'next-region', 'back'],
      ])
    }
    find('.choice').focus()
    same(after(['j'], [' ']), ['next-piece'], 'a checkbox is no text, and takes the space itself')
  },

  'leave Enter and Space to the button that has the focus': () => {
    open(all)
    find('.outside').focus()
    same([after(['Enter'], [' ']), press('Enter').defaultPrevented], [[], false])
    ;(document.activeElement as HTMLElement).blur()
    same(after([' ']), ['play'])
    same(press(' ').defaultPrevented, true)
  },

  'are done by the part that has the focus inside, else by the newest that can': () => {
    const { update } = open({ edit: act('edit') }, { 'export-rows': act('export') })
    same(after(['e']), ['edit'])
    find('.inside').focus()
    same(after(['e']), ['export'])
    update(<Page acts={{ edit: act('edit') }} inner={{ 'export-rows': () => false }} />)
    same(after(['e']), ['edit'], 'one that could not')
    update(<Page acts={{ edit: undefined }} />)
    same([after(['e']), press('e').defaultPrevented], [[], false], 'nothing to do')
  },

  'that are pressed twice are one command, and held or late they are not': () => {
    open({ back: act('back'), stop: act('stop') })
    same(after(['Escape'], ['Escape']), ['back', 'stop'])
    same(after(['Escape'], ['x'], ['Escape']), ['back', 'back'])
    same(after(['Escape', { repeat: true }], ['Escape', { repeat: true }]), [], 'a held key')
    same(after(['Escape'], ['Escape'], ['Escape']), ['back', 'stop', 'back'])
  },

  'repeat while they are held only if they are steps': () => {
    open(all)
    same(after(['j', { repeat: true }], ['v', { repeat: true }]), ['next-piece'])
  },

  'leave a key to what has taken it, and to a character that is composed': () => {
    open(all)
    const take = (event: Event) => event.preventDefault()
    const button = find('.outside')
    button.focus()
    button.addEventListener('keydown', take)
    same(after(['j']), [])
    button.removeEventListener('keydown', take)
    same(after(['j', { isComposing: true }], ['j', { keyCode: 229 }], ['j', { altKey: true }]), [])
  },

  'can be turned off: single characters, or all but Escape; the choice is kept': () => {
    open(all)
    const pressAll = () => after(['j'], ['?'], ['End'], ['k', { ctrlKey: true }], ['Escape'])
    same(pressAll(), ['next-piece', 'keys-list', 'latest', 'palette', 'back'])
    drawn.keys.choose('chords')
    same(pressAll(), ['latest', 'palette', 'back'])
    drawn.keys.choose('none')
    same([pressAll(), localStorage.getItem('millrace.keys')], [['back'], 'none'])
    drawn.keys.choose('all')
    same(pressAll().length, 5)
  },

  'offer what can be done now': async () => {
    const { update } = open({ stop: act('stop'), edit: undefined })
    same(drawn.available, ['stop'])
    update(<Page acts={{ stop: undefined, edit: act('edit') }} />)
    await Promise.resolve()
    same([drawn.available, drawn.keys.run('edit'), drawn.keys.run('stop'), done], [['edit'], true, false, ['edit']])
  },

  'are unique in their region': () => {
    const taken = commandNames.flatMap((name) =>
      commandOf(name).keys.map((each) => `${commandOf(name).where}: ${each}`),
    )
    same(
      taken.filter((each, index) => taken.indexOf(each) !== index),
      [],
    )
  },
}
