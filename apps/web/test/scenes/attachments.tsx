import { type Delivery, type Draft, MOST_BYTES, MOST_FILES } from '@millrace/react'
import { AppComposer } from '../../src/composer/app-composer.tsx'
import { button, click, fill, find, has, press, textOf, textsOf } from '../stage/hands.ts'
import { server } from '../stage/server.ts'
import { mount, type Scenes, same, settled } from '../stage/stage.tsx'
import { inApp } from './world.tsx'

const UPLOAD = 'POST /api/files'

/** A composer that keeps what was sent; `refuses` makes the next message fail. */
function open(fields: Partial<Parameters<typeof AppComposer>[0]> = {}) {
  const sent: (readonly [Draft, Delivery])[] = []
  const state = { refuses: false }
  const onSend = async (draft: Draft, delivery: Delivery) => {
    if (state.refuses) throw new Error('The wind is gone.')
    sent.push([draft, delivery])
  }
  const props = { agent: 'demo', onAgent: () => undefined, placeholder: 'Ask', onSend, ...fields }
  const mounted = mount(inApp(<AppComposer {...props} />))
  return { sent, state, update: (next: object) => mounted.update(inApp(<AppComposer {...props} {...next} />)) }
}

const file = (name: string, type = 'text/csv', size = 4) => {
  const made = new File(['beam'], name, { type })
  Object.defineProperty(made, 'size', { value: size })
  return made
}

function hand(kind: 'paste' | 'drop' | 'dragover', files: readonly File[]): boolean {
  const transfer = new DataTransfer()
  for (const each of files) transfer.items.add(each)
  const event =
    kind === 'paste'
      ? new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: transfer })
      : new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: transfer })
  find('textarea').dispatchEvent(event)
  return event.defaultPrevented
}

function pick(files: readonly File[]): void {
  const input = find<HTMLInputElement>('input[type=file]')
  Object.defineProperty(input, 'files', { value: files, configurable: true })
  input.dispatchEvent(new Event('change', { bubbles: true }))
}

let uploads = 0
const stored = () => server.always(UPLOAD, () => ({ id: `f${++uploads}`, mediaType: 'text/csv' }))

export const attachments: Scenes = {
  'uploads a picked, a pasted and a dropped file at once, and sends them with the text': async () => {
    uploads = 0
    stored()
    const { sent } = open()
    pick([file('one.csv')])
    await settled()
    same(hand('paste', [file('two.csv')]), true, 'whether the paste was taken')
    same(hand('dragover', [file('three.csv')]), true, 'whether the drag was taken')
    await settled()
    same(find<HTMLTextAreaElement>('textarea').placeholder, 'Drop to attach')
    hand('drop', [file('three.csv')])
    await settled()
    same(textsOf('.mr-attachment b'), ['one.csv', 'two.csv', 'three.csv'])
    same(
      server.asked.filter(({ route }) => route === UPLOAD).map(({ query }) => query.get('filename')),
      ['one.csv', 'two.csv', 'three.csv'],
    )
    fill('textarea', 'Look')
    press('Enter')
    await settled()
    same(sent, [
      [
        {
          text: 'Look',
          files: ['one', 'two', 'three'].map((name, index) => ({
            id: `f${index + 1}`,
            mediaType: 'text/csv',
            filename: `${name}.csv`,
          })),
        },
        'run',
      ],
    ])
    same(has('.mr-attachment'), false, 'the files after sending')
  },

  'pastes a text as usual': () => {
    open()
    same(hand('paste', []), false)
  },

  'sends nothing while a file is uploaded or was not, and says why; without it the message goes': async () => {
    const { sent } = open()
    pick([file('one.csv')])
    await settled()
    fill('textarea', 'Look')
    press('Enter')
    same([sent.length, textOf('.mr-attachment-words span')], [0, 'Uploading…'])
    server.open(UPLOAD)[0]?.refuse(413, 'The file is too large.')
    await settled()
    same([sent.length, textOf('.mr-attachment [role=alert]')], [0, 'Not uploaded. The file is too large.'])
    press('Enter')
    same(sent.length, 0)
    click(button('Remove one.csv'))
    same(document.activeElement === find('textarea'), true, 'whether the focus is with the message')
    press('Enter')
    await settled()
    same(sent.length, 1)
  },

  'refuses a file that is too large and more than a message can have, each in a sentence': async () => {
    stored()
    open()
    pick([file('huge.bin', '', MOST_BYTES + 1), file('fits.bin', '', MOST_BYTES)])
    await settled()
    same(
      [textsOf('.mr-attachment b'), textOf('[role=alert]')],
      [['fits.bin'], '1 file was not added: a file has at most 64 MB.'],
    )
    pick(Array.from({ length: MOST_FILES + 1 }, (_, index) => file(`${index}.csv`)))
    await settled()
    same(textsOf('.mr-attachment b').length, MOST_FILES)
    same(textOf('[role=alert]'), '2 files were not added: a message has at most 20 files.')
  },

  'shows a picture, and puts the files back with the text if the message could not be sent': async () => {
    stored()
    const { state } = open()
    pick([file('wheel.png', 'image/png'), file('page.svg', 'image/svg+xml')])
    await settled()
    same(document.querySelectorAll('.mr-attachment img').length, 1, 'the number of pictures')
    state.refuses = true
    fill('textarea', 'Look')
    press('Enter')
    await settled()
    same(
      [textsOf('.mr-attachment b'), textOf('.mr-composer-trouble').startsWith('Not sent.')],
      [['wheel.png', 'page.svg'], true],
    )
  },

  'restores the files of a message that could not start a thread': () => {
    open({
      unsent: { text: 'Look', files: [{ id: 'f', mediaType: 'image/png', filename: 'wheel.png' }], trouble: 'Gone.' },
    })
    same(textsOf('.mr-attachment-words'), ['wheel.pngimage/png'])
    same(button('Send').disabled, false)
  },

  'steers with Enter and queues with Ctrl, or the other way; an agent that cannot be steered gets it next':
    async () => {
      const { sent, update } = open({ live: { canSteer: true } })
      const say = async (init: KeyboardEventInit = {}) => {
        fill('textarea', 'Slower')
        press('Enter', init)
        await settled()
        return sent.at(-1)?.[1]
      }
      same([await say(), await say({ ctrlKey: true }), await say({ metaKey: true })], ['now', 'next', 'next'])
      const [, second] = document.querySelectorAll<HTMLInputElement>('.mr-delivery input')
      second?.click()
      await settled()
      same([await say(), await say({ ctrlKey: true })], ['next', 'now'])
      update({ live: { canSteer: false } })
      same([has('.mr-delivery'), await say(), await say({ ctrlKey: true })], [false, 'next', 'next'])
      same(find<HTMLSelectElement>('select').disabled, true, 'whether the agent of the run is fixed')
      update({ live: undefined })
      same([await say(), find<HTMLSelectElement>('select').disabled], ['run', false])
    },
}
