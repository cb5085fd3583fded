import { SearchField } from '../../src/rail/search-field.tsx'
import { TitleField } from '../../src/thread/title-field.tsx'
import { click, fill, find, focusName, has, press, textOf } from '../stage/hands.ts'
import { mount, pass, type Scenes, same, settled } from '../stage/stage.tsx'

const INPUT = '.title-input'

function openTitle(title = 'Old mill') {
  const renamed: string[] = []
  const draw = (shown: string) => (
    <>
      <TitleField title={shown} onRename={(next) => renamed.push(next)} />
      <button type="button" className="elsewhere">
        Elsewhere
      </button>
    </>
  )
  const mounted = mount(draw(title))
  return { renamed, update: (next: string) => mounted.update(draw(next)) }
}

/** What reaches the window. */
function listenToKeys(): { readonly keys: readonly string[]; leave(): void } {
  const keys: string[] = []
  const note = ({ key }: KeyboardEvent) => keys.push(key)
  window.addEventListener('keydown', note)
  return { keys, leave: () => window.removeEventListener('keydown', note) }
}

export const titleField: Scenes = {
  'renames with Enter and by leaving, not with Escape, in any order and as often as one likes': async () => {
    const { renamed } = openTitle()
    const ends: readonly (readonly [string, () => unknown, boolean])[] = [
      ['One', () => press('Enter'), true],
      ['Two', () => press('Escape'), false],
      ['Three', () => find('.elsewhere').focus(), true],
      ['Four', () => press('Escape'), false],
      ['Five', () => press('Escape'), false],
      ['Six', () => press('Enter'), true],
      ['Seven', () => find('.elsewhere').focus(), true],
    ]
    const expected: string[] = []
    for (const [title, end, isKept] of ends) {
      click('.title-button')
      same(find<HTMLInputElement>(INPUT).value, 'Old mill', 'the title to begin with')
      fill(INPUT, ` ${title} `)
      end()
      await settled()
      if (isKept) expected.push(title)
      same(has(INPUT), false, 'whether it is still edited')
    }
    same(renamed, expected)
  },

  'keeps the focus after a key, and leaves it alone after a click elsewhere, also the second time': async () => {
    openTitle()
    for (const end of ['Enter', 'click', 'Escape', 'click', 'Enter'] as const) {
      click('.title-button')
      same(focusName(), 'Title of the thread')
      if (end === 'click') find('.elsewhere').focus()
      else press(end)
      await settled()
      same(focusName(), end === 'click' ? 'elsewhere' : 'title-button mr-cut', `the focus after ${end}`)
    }
  },

  'does not rename to nothing or to the same': async () => {
    const { renamed } = openTitle()
    for (const text of ['', '   ', 'Old mill', ' Old mill ']) {
      click('.title-button')
      fill(INPUT, text)
      press('Enter')
      await settled()
    }
    same(renamed, [])
  },

  'is still edited while a character is composed': () => {
    const { renamed } = openTitle()
    click('.title-button')
    fill(INPUT, '水')
    for (const key of ['Enter', 'Escape'])
      for (const init of [{ isComposing: true }, { keyCode: 229 }])
        same(press(key, init).defaultPrevented, false, `${key} with ${JSON.stringify(init)}`)
    same([has(INPUT), renamed.length], [true, 0])
  },

  'keeps its keys to itself, and the draft when the title changes meanwhile': () => {
    const { update } = openTitle()
    const heard = listenToKeys()
    click('.title-button')
    same(find<HTMLInputElement>(INPUT).selectionEnd, 8, 'the selected part')
    fill(INPUT, 'Draft')
    update('Changed elsewhere')
    same(find<HTMLInputElement>(INPUT).value, 'Draft')
    press('Escape')
    same([textOf('.title-button'), heard.keys.length], ['Changed elsewhere', 0])
    click('.title-button')
    same(find<HTMLInputElement>(INPUT).value, 'Changed elsewhere')
    heard.leave()
  },
}

const SEARCH = 'input[type=search]'

function openSearch() {
  const searched: string[] = []
  const onSearch = (text: string) => searched.push(text)
  const mounted = mount(<SearchField onSearch={onSearch} ref={() => undefined} />)
  return { searched, ...mounted }
}

export const searchField: Scenes = {
  'asks when typing has paused, only for the last text, trimmed, each time': async () => {
    const { searched } = openSearch()
    await pass(200)
    for (const text of ['wheel', 'mill']) {
      for (let end = 1; end < text.length; end++) {
        fill(SEARCH, text.slice(0, end))
        await pass(100)
      }
      fill(SEARCH, ` ${text} `)
      await pass(149)
      same(searched.at(-1) === text, false, 'whether it asked too early')
      await pass(1)
    }
    same(searched, ['', 'wheel', 'mill'])
  },

  'is emptied by the first Escape, and only the next one reaches the page; each time': () => {
    openSearch()
    const heard = listenToKeys()
    for (const round of [1, 2]) {
      fill(SEARCH, 'wheel')
      press('Escape')
      same([find<HTMLInputElement>(SEARCH).value, heard.keys.length], ['', round - 1], `round ${round}`)
      press('Escape')
      same(heard.keys.length, round, 'the keys that the page heard')
    }
    heard.leave()
  },

  'is not emptied by an Escape that ends a composition': () => {
    openSearch()
    fill(SEARCH, '水')
    for (const init of [{ isComposing: true }, { keyCode: 229 }]) press('Escape', init)
    press('Enter')
    same(find<HTMLInputElement>(SEARCH).value, '水')
  },

  'asks nothing once it is gone': async () => {
    const { searched, unmount } = openSearch()
    fill(SEARCH, 'wheel')
    unmount()
    await pass(1_000)
    same(searched, [])
  },
}
