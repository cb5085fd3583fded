import type { AgentInfo } from '@millrace/core/client'
import { AgentPicker } from '@millrace/react'
import { AgentsPage } from '../../src/agents/agents-page.tsx'
import { DetailsButton } from '../../src/details/run-details.tsx'
import { button, click, fill, find, has, textOf, textsOf } from '../stage/hands.ts'
import { server } from '../stage/server.ts'
import { eventually, mount, type Scenes, same, settled } from '../stage/stage.tsx'
import { detail, inApp, openApp, recorded, run, serve } from './world.tsx'

const CHECK = 'POST /api/agents/:name/check'
const list: readonly AgentInfo[] = [
  {
    name: 'lost',
    title: 'Lost',
    kind: 'process',
    unavailable: 'Not found. Install it with `npm install -g lost`, as `lost`.',
  },
  { name: 'wheel', title: 'Wheel', kind: 'process', can: { steer: true, session: 'fork', files: ['image/png'] } },
  { name: 'desk', title: 'Desk', kind: 'http', can: { clientTools: false, files: [] } },
]

const troubled: readonly AgentInfo[] = [
  ...list,
  {
    name: 'survey',
    title: 'Survey',
    kind: 'process',
    trouble: { kind: 'key', variables: ['SURVEY_KEY'], login: 'survey login' },
  },
  { name: 'broken', title: 'Broken', kind: 'process', unavailable: 'Line 2: cwd.', trouble: { kind: 'file' } },
  { name: 'away', title: 'Away', kind: 'process', unavailable: 'No program.', trouble: { kind: 'program' } },
]

/** The page of agents, with one of them chosen. */
function open(agent?: string, agents: readonly AgentInfo[] = list) {
  const loads: number[] = []
  const context = { agents, reloadAgents: () => void loads.push(1) }
  const draw = (chosen: string | undefined) => inApp(<AgentsPage agent={chosen} />, context)
  const mounted = mount(draw(agent))
  return { loads, choose: (next: string) => mounted.update(draw(next)) }
}

export const agentsPage: Scenes = {
  'lists the agents by kind, those that can run first, and says why one cannot; nothing is checked': () => {
    const { loads } = open()
    same(textsOf('.agent-list h2'), ['On this machine', 'Endpoints'])
    same(textsOf('.agent-name b'), ['Wheel', 'Lost', 'Desk'])
    same(textsOf('.health'), [
      'Available',
      'Not availableNot found. Install it with npm install -g lost, as lost.',
      'Available',
    ])
    same(textsOf('.agent-action'), ['Run', 'See why', 'Run'])
    same([loads.length, server.count(CHECK)], [1, 0], 'what was asked of the server')
  },

  'says what an agent can, and of one that can nothing more what happens to a message': () => {
    const { choose } = open('wheel')
    same(textsOf('.agent-facts li'), [
      'reads messages while it runs',
      'goes on from any earlier turn',
      'takes files: image/png',
    ])
    choose('desk')
    same([textsOf('.agent-facts li'), textOf('.agent-none').includes('waits for the next run')], [[], true])
  },

  'names the variable that is missing and two ways to set it, and runs it all the same': () => {
    const { choose } = open('survey', troubled)
    same(textOf('.agent-reason b'), 'SURVEY_KEY is not set')
    same(textsOf('.command-line code'), ['export SURVEY_KEY=…', 'survey login'])
    same(textsOf('.agent-detail footer *').includes('Run anyway'), true)
    choose('broken')
    same([textOf('.agent-reason b'), textsOf('.command-line code')], ['File with an error', []])
  },

  'says of each kind of trouble what it is': () => {
    open(undefined, troubled)
    const marks = ['ready', 'key', 'other', 'file', 'program'].map((health) => textsOf(`.health-${health}`))
    same(marks, [
      ['Available', 'Available'],
      ['Key missingSURVEY_KEY is not set'],
      ['Not availableNot found. Install it with npm install -g lost, as lost.'],
      ['File with an errorLine 2: cwd.'],
      ['Not foundNo program.'],
    ])
    same(textsOf('.agent-action'), ['Run', 'Set key', 'See why', 'See why', 'See why', 'Run'])
    same(textOf('.bar-note'), '2 available, 1 needs a key, 3 not available')
  },

  'offers the command lines of the reason for copying, not every name in it, and no run': () => {
    open('lost')
    same(textsOf('.command-line code'), ['npm install -g lost'])
    same(textsOf('.agent-detail footer *').includes('Run'), false)
  },

  'checks on a click only, once at a time, and shows each outcome as a sentence': async () => {
    open('wheel')
    for (const [answer, expected] of [
      [{ isReady: true, message: '2.1' }, 'It can run. 2.1'],
      [{ isReady: false, message: 'Not logged in.' }, 'It cannot run. Not logged in.'],
    ] as const) {
      click(button('Check'))
      click(button('Checking…'))
      await settled()
      same(server.open(CHECK).length, 1)
      server.open(CHECK)[0]?.answer(answer)
      await settled()
      same(textOf('.agent-check'), expected)
    }
    click(button('Check'))
    await settled()
    server.open(CHECK)[0]?.refuse(500, 'The server is busy.')
    await settled()
    same(textOf('.agent-check'), 'It was not checked. The server is busy.')
  },

  'is reached from the rail; Run leads to the start page with the agent chosen': async () => {
    serve()
    server.always('GET /api/agents', { agents: list })
    await openApp()
    click(find('.rail-link[href="/agents"]'))
    await settled()
    same(location.pathname, '/agents')
    click(button('Run Desk'))
    await settled()
    same([location.search, find<HTMLInputElement>('.agent:has(:checked) b').textContent], ['?agent=desk', 'Desk'])
    same(textsOf('.agent-off b'), ['Lost not available'], 'the agents that cannot be chosen')
  },

  'the picker has available agents first, the others with their reason and not to be chosen': () => {
    mount(<AgentPicker agents={list} value="wheel" onChoose={() => undefined} />)
    const options = [...find<HTMLSelectElement>('select').options]
    same(
      options.map(({ value, disabled }) => `${value} ${disabled}`),
      ['wheel false', 'desk false', 'lost true'],
    )
    same(options[2]?.textContent?.startsWith('Lost: Not found.'), true)
  },

  'a thread keeps the agent that was chosen for it, also after a reload': async () => {
    serve()
    for (const [path, expected] of [
      ['/t/t1', 'demo'],
      ['/t/t1', 'wheel'],
      ['/t/t2', 'demo'],
    ] as const) {
      const page = await openApp(path)
      await eventually('the agents are there', () => has('.mr-picker option[value=wheel]'))
      same(find<HTMLSelectElement>('.mr-picker select').value, expected, `the agent at ${path}`)
      if (path === '/t/t1') fill('.mr-picker select', 'wheel')
      page.unmount()
    }
  },

  'continues with the agent of the run, says what that does, and never with another one': async () => {
    const cut = (agent: string) => detail({ runs: [run({ outcome: 'interrupted', agent })] })
    serve(undefined, cut('wheel'))
    server.always('GET /api/runs/:id/messages', { messages: [] })
    const page = await openApp('/t/t1')
    await eventually('the note is there', () => has('.continue-note'))
    same(textOf('.continue-note p').includes('starts a new run of Wheel'), true, 'the words')
    fill('.mr-picker select', 'demo')
    click(find('.continue-note button'))
    await settled()
    const start = (server.open('POST /api/threads/:id/runs')[0]?.body ?? {}) as { readonly agent?: string }
    same(start.agent, 'wheel')
    page.unmount()
    server.always('GET /api/threads/:id', detail({ runs: [recorded({ outcome: 'interrupted' })] }))
    await openApp('/t/t1')
    await settled()
    same(has('.continue-note'), false, 'whether a recording can be continued')
  },

  'the details say how the program was started and what it printed': async () => {
    const launch = { argv: ['claude', '-p', 'a b'], cwd: '/work', env: ['PATH', 'HOME'], permissions: 'ask' }
    const metadata = { millrace: { launch, exit: { code: 2, peakMemory: 2048, stderr: 'logged' } } }
    const newest = { run: { runId: 'run_1', chatEvents: [], metadata }, connection: 'ended', seq: 9, seen: new Map() }
    mount(inApp(<DetailsButton run={run({ agent: 'wheel' })} newest={newest as never} />))
    click(button('Run details'))
    await eventually('the sheet is open', () => has('dialog[open]'))
    same(server.count('GET /api/runs/:id/stderr'), 1)
    server.open('GET /api/runs/:id/stderr')[0]?.answer('no such model')
    await settled()
    same(textOf('.details .command-line code'), "claude -p 'a b'")
    same(textsOf('.fact-name'), ['PATH', 'HOME'])
    same(textsOf('.details h3'), ['This run', 'How it was started', 'How it ended', 'Printed beside the stream'])
    same(textsOf('.fact-row').includes('Peak memory2.0 KB'), true, 'the memory in words')
    same([textsOf('.fact-row').includes('Exit code2'), textOf('.details .mr-well')], [true, 'no such model'])
  },

  'the details of a stream from elsewhere ask for no program, and say so': async () => {
    const newest = { run: { runId: 'run_1', chatEvents: [] }, connection: 'ended', seq: 9, seen: new Map() }
    mount(inApp(<DetailsButton run={recorded()} newest={newest as never} />))
    click(button('Run details'))
    await eventually('the sheet is open', () => has('dialog[open]'))
    same(server.asked.length, 0, 'the number of requests')
    same(textOf('.details-note').includes('came from elsewhere'), true)
  },
}
