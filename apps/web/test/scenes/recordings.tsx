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
  const state = () => hook.value.current.state
  const nameOf = () => ('name' in hook.value.current ? hook.value.current.name : '')
  /** The next recording is sent: its thread gets this id. */
  const accept = async (id: string) => {
    await eventually('a thread is created', () => server.open(CREATE).length === 1)
    server.open(CREATE)[0]?.answer({ id, title: '' })
    await eventually('a recording is sent', () => server.open(INGEST).length === 1)
  }
  return { ...services, hook, state, nameOf, accept, done: () => server.open(INGEST)[0]?.answer({}) }
}

type Opened = ReturnType<typeof openImport>

/** The user chooses the format of a recording that is not recognised. */
function choose({ hook }: Opened, format: string): void {
  const { current, importAs } = hook.value
  if (current.state === 'unsure') importAs(current.file, format)
}

export const importing: Scenes = {
  'sends recordings one after the other, each to a thread of its name, and opens it': async () => {
    const opened = openImport()
    const names = ['one.jsonl', 'two.jsonl', 'three.jsonl']
    opened.hook.value.importFiles(names.map(strange))
    for (const name of names) {
      await eventually(`the format of ${name} is asked for`, () => opened.state() === 'unsure')
      choose(opened, 'agent-lines')
      await opened.accept(`thread ${name}`)
      same([opened.state(), opened.nameOf()], ['reading', name])
      same(server.open(INGEST)[0]?.query.get('threadId'), `thread ${name}`)
      opened.done()
      await settled()
      same(opened.router.snapshot(), { name: 'thread', threadId: `thread ${name}` })
    }
    same([opened.state(), server.count(INGEST)], ['idle', 3])
    const titles = server.asked.filter(({ route }) => route === CREATE).map(({ body }) => body)
    same(
      titles,
      names.map((title) => ({ title })),
    )
  },

  'says which recording failed and why, and goes on with the next when that is dismissed': async () => {
    const opened = openImport()
    opened.hook.value.importFiles([strange('bad.jsonl'), strange('good.jsonl')])
    await eventually('the first is asked for', () => opened.state() === 'unsure')
    choose(opened, 'agent-lines')
    await eventually('a thread is created', () => server.open(CREATE).length === 1)
    server.open(CREATE)[0]?.refuse(507, 'The disk is full.')
    await settled()
    same(opened.hook.value.current, { state: 'failed', name: 'bad.jsonl', reason: 'The disk is full.' })
    opened.hook.value.dismiss()
    await eventually('the next is asked for', () => opened.state() === 'unsure')
    opened.hook.value.dismiss()
    await settled()
    same([opened.state(), server.count(INGEST)], ['idle', 0])
  },

  'can be tried again: a failure, another failure, then success': async () => {
    const opened = openImport()
    const file = strange('again.jsonl')
    for (const end of ['refuse', 'drop', 'answer'] as const) {
      opened.hook.value.importFiles([file])
      await eventually('the format is asked for', () => opened.state() === 'unsure')
      choose(opened, 'agent-lines')
      await opened.accept('t1')
      const [sent] = server.open(INGEST)
      if (end === 'refuse') sent?.refuse(400, 'No.')
      else if (end === 'drop') sent?.drop()
      else sent?.answer({})
      await settled()
      same(opened.state(), end === 'answer' ? 'idle' : 'failed', `after ${end}`)
    }
  },

  'detects a known format by itself, and adds a second drop to the first': async () => {
    const opened = openImport()
    opened.hook.value.importFiles([known('one.jsonl')])
    await opened.accept('t1')
    same(server.open(INGEST)[0]?.query.get('format'), 'agent-lines')
    opened.hook.value.importFiles([known('two.jsonl')])
    await settled()
    same([opened.nameOf(), server.count(CREATE)], ['one.jsonl', 1], 'what is read while the first is sent')
    opened.done()
    await opened.accept('t2')
    same(opened.nameOf(), 'two.jsonl')
    opened.done()
    await settled()
    same([opened.state(), opened.router.snapshot()], ['idle', { name: 'thread', threadId: 't2' }])
  },

  'keeps the recordings that wait when more are dropped': async () => {
    const opened = openImport()
    const names = ['one.jsonl', 'two.jsonl', 'three.jsonl', 'four.jsonl']
    const [files, late] = [names.slice(0, 3).map(known), names.slice(3).map(known)]
    opened.hook.value.importFiles(files)
    await opened.accept('t0')
    opened.hook.value.importFiles(late)
    for (const [index, name] of names.entries()) {
      if (index > 0) await opened.accept(`t${index}`)
      same(opened.nameOf(), name)
      opened.done()
      await settled()
    }
    same([opened.state(), server.count(INGEST)], ['idle', names.length])
  },

  'reads the list again after each recording': async () => {
    const opened = openImport()
    for (const round of [1, 2]) {
      opened.hook.value.importFiles([known('one.jsonl')])
      await opened.accept('t1')
      opened.done()
      await settled()
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
