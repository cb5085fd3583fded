import { useImport } from '../../src/recordings/use-import.ts'
import { useWindowDrop } from '../../src/recordings/use-window-drop.ts'
import { server } from '../stage/server.ts'
import { eventually, mountHook, type Scenes, same, settled } from '../stage/stage.tsx'
import { createServices } from './world.tsx'

const LINE = '{"type":"text","data":{"content":"The wheel turns."}}\n'
const known = (name: string) => new File([LINE.repeat(3)], name)
const strange = (name: string) => new File(['{"unheard":"of"}\n'], name)

const CREATE = 'POST /api/threads'
const INGEST = 'POST /api/ingest'

function openImport() {
  const services = createServices()
  server.always('GET /api/threads', { threads: [] })
  const hook = mountHook(() => useImport(services), undefined)
  /** Each file with its state. */
  const states = () => hook.value.items.map(({ name, state }) => `${name} ${state}`)
  const itemOf = (name: string) => hook.value.items.find((item) => item.name === name)
  /** The next recording is sent: its thread gets this id. */
  const accept = async (id: string) => {
    await eventually('a thread is created', () => server.open(CREATE).length === 1)
    server.open(CREATE)[0]?.answer({ id, title: '' })
    await eventually('a recording is sent', () => server.open(INGEST).length === 1)
  }
  const choose = (name: string, format: string) => hook.value.importAs(itemOf(name)?.id ?? 0, format)
  const drop = (...files: readonly File[]) => hook.value.importFiles(files)
  const done = async () => {
    server.open(INGEST)[0]?.answer({})
    await settled()
  }
  return { ...services, hook, states, itemOf, accept, choose, drop, done }
}

const names = ['one.jsonl', 'two.jsonl', 'three.jsonl']

export const importing: Scenes = {
  'sends recordings one after the other, and opens the thread of the first while it is being read': async () => {
    const opened = openImport()
    opened.drop(...names.map(known))
    for (const [index, name] of names.entries()) {
      await opened.accept(`t${index}`)
      const { query } = server.open(INGEST)[0] ?? {}
      same(
        ['format', 'threadId', 'file'].map((field) => query?.get(field)),
        ['agent-lines', `t${index}`, name],
      )
      same(opened.router.snapshot(), { name: 'thread', threadId: 't0' }, `the page while ${name} is read`)
      same(opened.itemOf(name)?.state, 'sending')
      await opened.done()
    }
    same(
      opened.states(),
      names.map((name) => `${name} done`),
    )
    same(
      server.asked.filter(({ route }) => route === CREATE).map(({ body }) => body),
      [{}, {}, {}],
      'titles come from the words',
    )
  },

  'a recording alone leaves nothing behind; what is done goes when more is dropped': async () => {
    const opened = openImport()
    opened.drop(known('one.jsonl'))
    await opened.accept('t1')
    await opened.done()
    same(opened.states(), [])
    opened.drop(known('one.jsonl'), known('two.jsonl'))
    for (const id of ['t2', 't3']) {
      await opened.accept(id)
      await opened.done()
    }
    same(opened.states(), ['one.jsonl done', 'two.jsonl done'])
    opened.drop(strange('bad.jsonl'))
    await settled()
    same(opened.states().length, 1)
  },

  'a file whose format is unknown keeps no other waiting, and none hides another': async () => {
    const opened = openImport()
    opened.drop(strange('bad.jsonl'), known('good.jsonl'), strange('worse.jsonl'))
    await opened.accept('t1')
    await eventually('the third is examined', () => opened.itemOf('worse.jsonl')?.state === 'unsure')
    same(opened.states(), ['bad.jsonl unsure', 'good.jsonl sending', 'worse.jsonl unsure'])
    await opened.done()
    opened.choose('worse.jsonl', 'codex-exec')
    await opened.accept('t2')
    same(
      [opened.router.snapshot(), server.open(INGEST)[0]?.query.get('format')],
      [{ name: 'thread', threadId: 't2' }, 'codex-exec'],
    )
    await opened.done()
    opened.hook.value.dismiss(opened.itemOf('bad.jsonl')?.id ?? 0)
    await settled()
    same(opened.states(), ['good.jsonl done'])
  },

  'the best guess comes first; what can be no stream of an agent is refused with the reason': async () => {
    const opened = openImport()
    const guessed = '{"type":"assistant","message":{"content":[]}}\n{"unheard":1}\n{"unheard":2}\n{"unheard":3}\n'
    const bytes = new File([new Uint8Array([137, 80, 78, 71, 0, 1])], 'picture.png')
    const latin = new File([new Uint8Array([0x7b, 0xe9, 0x7d])], 'latin.txt')
    opened.drop(
      new File([guessed], 'guess.jsonl'),
      bytes,
      latin,
      new File([], 'empty.jsonl'),
      new File(['words\n'], 'notes.txt'),
    )
    await eventually('all are listed', () => opened.states().length === 5)
    await eventually('all are examined', () => !opened.states().some((state) => state.endsWith('waiting')))
    const guess = opened.itemOf('guess.jsonl')
    if (guess?.state !== 'unsure') throw new Error(`guess.jsonl is ${guess?.state}.`)
    same(
      [guess.guess, guess.formats[0], new Set(guess.formats).size === guess.formats.length],
      ['claude-agent-sdk', 'claude-agent-sdk', true],
    )
    same(guess.reason.includes('Claude Agent SDK'), true, 'the reason names it by its title')
    const reasons = ['picture.png', 'latin.txt', 'empty.jsonl', 'notes.txt'].map((name) => {
      const item = opened.itemOf(name)
      return item?.state === 'refused' ? item.reason.split(/[:.]/)[0] : item?.state
    })
    same(reasons, ['It is not text', 'It is not text', 'The file is empty', 'It has no JSON in it'])
    same(server.asked.length, 0, 'the number of requests')
  },

  'says why one was not imported, goes on with the next, and can be tried again': async () => {
    const opened = openImport()
    opened.drop(known('one.jsonl'), known('two.jsonl'))
    await eventually('a thread is created', () => server.open(CREATE).length === 1)
    server.open(CREATE)[0]?.refuse(507, 'The disk is full.')
    await opened.accept('t2')
    const failed = opened.itemOf('one.jsonl')
    same(failed?.state === 'failed' && failed.reason, 'The disk is full.')
    server.open(INGEST)[0]?.drop()
    await settled()
    same(opened.states(), ['one.jsonl failed', 'two.jsonl failed'])
    opened.drop(known('one.jsonl'))
    await opened.accept('t3')
    await opened.done()
    same(opened.states(), ['one.jsonl failed', 'two.jsonl failed'], 'what failed stays until it is dismissed')
  },

  'reads the list again after each recording': async () => {
    const opened = openImport()
    for (const round of [1, 2]) {
      opened.drop(known('one.jsonl'))
      await opened.accept('t1')
      await opened.done()
      same(server.count('GET /api/threads'), round * 2, 'the number of lists')
    }
  },
}

function drag(type: string, files: readonly File[] | undefined): DragEvent {
  const data = new DataTransfer()
  for (const file of files ?? []) data.items.add(file)
  if (files === undefined) data.setData('text/plain', 'words')
  const event = new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: data })
  document.body.dispatchEvent(event)
  return event
}

export const windowDrop: Scenes = {
  'shows that files are over the window until they are dropped or leave, each time': async () => {
    const got: string[][] = []
    const hook = mountHook(() => useWindowDrop((files) => got.push(files.map(({ name }) => name))), undefined)
    const files = [known('a'), known('b')]
    for (const end of ['drop', 'leave', 'drop', 'leave'] as const) {
      for (const type of ['dragenter', 'dragenter', 'dragleave']) drag(type, files)
      await settled()
      same(hook.value, true, 'whether files are over the window')
      same(drag('dragover', files).defaultPrevented, true, 'whether they can be dropped')
      if (end === 'leave') drag('dragleave', files)
      else same(drag('drop', files).defaultPrevented, true, 'whether the browser opens nothing')
      await settled()
      same(hook.value, false, `whether files are over the window after ${end}`)
    }
    same(got, [
      ['a', 'b'],
      ['a', 'b'],
    ])
  },

  'leaves everything else that is dragged to the browser': async () => {
    const got: unknown[] = []
    const hook = mountHook(() => useWindowDrop((files) => got.push(files)), undefined)
    for (const type of ['dragenter', 'dragover', 'drop'])
      same(drag(type, undefined).defaultPrevented, false, `whether ${type} is taken`)
    await settled()
    same([hook.value, got.length], [false, 0])
  },

  'is not over before it is entered: a leave too many is forgotten': async () => {
    const hook = mountHook(() => useWindowDrop(() => undefined), undefined)
    for (const type of ['dragleave', 'dragleave', 'dragenter']) drag(type, [known('a')])
    await settled()
    same(hook.value, true)
  },

  'gives the files to the newest handler': () => {
    const got: string[] = []
    const hook = mountHook<boolean, string>((name) => useWindowDrop(() => got.push(name)), 'first')
    hook.update('second')
    drag('drop', [known('a')])
    same(got, ['second'])
  },
}
