import type { Draft } from '@millrace/react'
import { AppComposer } from '../../src/composer/app-composer.tsx'
import { button, fill, find, has, press, textOf } from '../stage/hands.ts'
import { mount, type Scenes, same, settled } from '../stage/stage.tsx'
import { inApp } from './world.tsx'

const FIELD = 'textarea'
const field = () => find<HTMLTextAreaElement>(FIELD)

/** A composer whose messages the scene accepts or refuses one by one. */
function open(fields: Partial<Parameters<typeof AppComposer>[0]> = {}, context = {}) {
  const sent: { readonly text: string; accept(): void; refuse(error: Error): void }[] = []
  const props = {
    agent: 'demo',
    onAgent: () => undefined,
    placeholder: 'Ask',
    onSend: ({ text }: Draft) =>
      new Promise<void>((accept, refuse) => {
        sent.push({ text, accept, refuse })
      }),
    ...fields,
  }
  const mounted = mount(inApp(<AppComposer {...props} />, context))
  return { sent, update: (next: object) => mounted.update(inApp(<AppComposer {...props} {...next} />, context)) }
}

const lost = new Error('The wind is gone.')

export const composer: Scenes = {
  'sends with Enter, trimmed and once, each time anew': async () => {
    const { sent } = open()
    for (const text of ['One', ' Two \n', 'Three']) {
      fill(FIELD, text)
      same(press('Enter').defaultPrevented, true, 'whether Enter adds no line')
      press('Enter', { repeat: true })
      same(field().value, '', 'the field after sending')
      sent.at(-1)?.accept()
      await settled()
    }
    same(
      sent.map(({ text }) => text),
      ['One', 'Two', 'Three'],
    )
    same([field().value, has('[role=alert]')], ['', false])
  },

  'does not send while a character is composed, nor with Shift, nor with another key': () => {
    const { sent } = open()
    fill(FIELD, 'Mühle')
    const keys = [{ isComposing: true }, { keyCode: 229 }, { shiftKey: true }]
    for (const init of keys) same(press('Enter', init).defaultPrevented, false, `Enter with ${JSON.stringify(init)}`)
    for (const key of ['a', 'Escape', 'Tab', 'Process']) press(key)
    same([sent.length, field().value], [0, 'Mühle'])
  },

  'sends nothing without a text, without an agent, and while another message is on its way; the text stays': () => {
    const { sent, update } = open()
    const tries: readonly [string, object][] = [
      ['', {}],
      ['  \n ', {}],
      ['Words', { agent: '' }],
      ['Words', { isBlocked: true }],
    ]
    for (const [text, props] of tries) {
      update(props)
      fill(FIELD, text)
      same(button('Send').disabled, true, `the button with ${JSON.stringify([text, props])}`)
      press('Enter')
      find<HTMLFormElement>('form').requestSubmit()
      same([sent.length, field().value], [0, text])
    }
    update({})
    button('Send').click()
    same(
      sent.map(({ text }) => text),
      ['Words'],
    )
  },

  'restores a text that was not sent and says why, twice; the third attempt succeeds and nothing remains': async () => {
    const { sent } = open()
    fill(FIELD, 'Turn the wheel')
    for (const round of [1, 2]) {
      press('Enter')
      same([field().value, has('[role=alert]')], ['', false], `attempt ${round}`)
      sent.at(-1)?.refuse(lost)
      await settled()
      same(field().value, 'Turn the wheel')
      same(textOf('[role=alert]').includes('The wind is gone.'), true, 'the reason')
    }
    press('Enter')
    sent.at(-1)?.accept()
    await settled()
    same([sent.length, field().value, has('[role=alert]')], [3, '', false])
  },

  'keeps what was typed meanwhile, whether the message was sent or not': async () => {
    const { sent } = open()
    for (const end of ['accept', 'refuse'] as const) {
      fill(FIELD, 'First')
      press('Enter')
      fill(FIELD, 'Second')
      sent.at(-1)?.[end](lost)
      await settled()
      same(field().value, 'Second', `the field after ${end}`)
    }
  },

  'offers every agent, says which one is chosen, and reports each choice': () => {
    const chosen: string[] = []
    open({ agent: 'wheel', onAgent: (name) => chosen.push(name) })
    same(
      [...find<HTMLSelectElement>('select').options].map(({ value }) => value),
      ['demo', 'wheel'],
    )
    same([find<HTMLSelectElement>('select').value, textOf('.mr-tile')], ['wheel', 'WH'])
    for (const name of ['demo', 'wheel', 'demo']) fill('select', name)
    same(chosen, ['demo', 'wheel', 'demo'])
  },

  'has no choice without agents': () => {
    open({ agent: '' }, { agents: undefined })
    same([find<HTMLSelectElement>('select').disabled, textOf('option')], [true, 'No agent'])
  },
}
