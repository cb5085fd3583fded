import { mkdir, mkdtemp, realpath, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readAgentFile } from '../src/agents/agent-file.ts'
import { createAgentFolder } from '../src/agents/agent-folder.ts'
import { createPresets, presets } from '../src/agents/presets.ts'
import { splitCommand } from '../src/agents/split-command.ts'

let folder: string
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'millrace-folder-')))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const write = async (name: string, text: string) => {
  await mkdir(join(folder, name, '..'), { recursive: true })
  await writeFile(join(folder, name), text)
}
const open = () => createAgentFolder(folder, { threads: join(folder, '.work') })

/** How a file names a variable. */
const of = (name: string) => ['$', '{', name, '}'].join('')

describe('a folder of agents', () => {
  it('S0-127: has one agent per file, in any of the four forms', async () => {
    const module = `export default { title: 'T', format: 'agent-lines', framing: 'json-lines', async *run() {} }`
    await write('alpha.yaml', 'run: [node, x.js]')
    await write('beta/agent.yaml', 'acp: some-agent --acp\ntitle: Beta')
    await write('gamma.ts', module)
    await write('delta/agent.ts', module)
    await write('notes.md', 'No agent.')
    const agents = open()
    await agents.ready()
    expect(agents.agents().map(({ name, title, kind, format }) => [name, title, kind, format])).toEqual([
      ['alpha', 'node x.js', 'process', 'agent-lines'],
      ['beta', 'Beta', 'process', 'acp'],
      ['delta', 'T', undefined, 'agent-lines'],
      ['gamma', 'T', undefined, 'agent-lines'],
    ])
  })

  it('S0-127: takes the name and the framework of a file by the names that its author gave them', async () => {
    await write('deep/agent.yaml', 'name: Deep\nframework: deepagents\nrun: node')
    await write('graph.yaml', 'name: Graph\ntitle: Its graph\nframework: langchain\nrun: node')
    const agents = open()
    expect(agents.agents().map(({ name, title, format }) => [name, title, format])).toEqual([
      ['deep', 'Deep', 'deepagents'],
      ['graph', 'Its graph', 'langchain'],
    ])
  })

  it('is seen as it is now, without a restart', async () => {
    await write('one.yaml', 'run: [node]\ntitle: Before')
    const agents = open()
    expect(agents.agents().map(({ title }) => title)).toEqual(['Before'])
    expect(agents.agents()[0]).toBe(agents.agents()[0])
    await write('one.yaml', 'run: [node]\ntitle: Afterwards')
    await write('two.yaml', 'run: [node]\ntitle: New')
    await utimes(join(folder, 'one.yaml'), 1, 1)
    expect(agents.agents().map(({ title }) => title)).toEqual(['Afterwards', 'New'])
    await rm(join(folder, 'one.yaml'))
    expect(agents.agents().map(({ title }) => title)).toEqual(['New'])
  })

  it('lists a bad file as one agent that says why, beside the good ones', async () => {
    await write('bad.yaml', 'title: Bad\nrun: [node]\npermisions: all\n')
    await write('good.yaml', `run: ['${process.execPath}']`)
    await write('thrown.ts', 'throw new Error("no key")')
    const agents = open()
    await agents.ready()
    const sentences = agents.agents().map((agent) => [agent.name, agent.unavailable?.()])
    expect(sentences).toEqual([
      ['bad', expect.stringMatching(/bad\.yaml: Line 3: .*permisions/)],
      ['good', undefined],
      ['thrown', expect.stringContaining('no key')],
    ])
  })

  it('says what kind of trouble an agent has, and never the value of a variable', async () => {
    const program = `run: ['${process.execPath}']`
    await write('bad.yaml', 'run: 3')
    await write('given.yaml', `${program}\nenv: [FOLDER_GIVEN, 'FOLDER_*', FOLDER_SET]\nset: { FOLDER_SET: here }`)
    await write('gone.yaml', 'preset: goose\ntitle: Gone')
    await write('keyless.yaml', `${program}\nenv: [FOLDER_GIVEN, FOLDER_KEY]`)
    process.env.FOLDER_GIVEN = 'a secret value'
    const path = process.env.PATH
    process.env.PATH = folder
    const troubles = open()
      .agents()
      .map((agent) => [agent.name, agent.trouble?.(), agent.unavailable?.() === undefined])
    process.env.PATH = path
    delete process.env.FOLDER_GIVEN
    expect(troubles).toEqual([
      ['bad', { kind: 'file' }, false],
      ['given', undefined, true],
      ['gone', { kind: 'program' }, false],
      ['keyless', { kind: 'key', variables: ['FOLDER_KEY'] }, true],
    ])
  })
})

describe('the file of an agent', () => {
  const problemOf = (text: string) => {
    const read = readAgentFile(text, 'x', '/srv/agents/x')
    return 'problem' in read ? read.problem : undefined
  }

  it('becomes a program with its limits', () => {
    const text = `run: python3 'my agent.py' -v
env: [OPENAI_API_KEY]
set: { MODEL: '\${NO_SUCH_VARIABLE:-small}', TOKEN: '\${MILLRACE_TOKEN:-none}', COUNT: 3 }
cwd: thread
limits: { time: 30m, idle: 90s, memory: 2g, output: 256m, runs: 2 }
sandbox: bwrap+net`
    expect(readAgentFile(text, 'x', '/srv/agents/x')).toMatchObject({
      spec: {
        name: 'x',
        command: ['python3', 'my agent.py', '-v'],
        permissions: 'ask',
        set: { MODEL: 'small', TOKEN: 'none', COUNT: '3' },
        limits: { time: 1_800_000, idle: 90_000, memory: 2 * 1024 ** 3, output: 256 * 1024 ** 2, runs: 2 },
        sandbox: 'bwrap+net',
      },
    })
  })

  it('changes a preset', () => {
    const text = `{ preset: claude-code, model: opus, permissions: read, instructions: 'Review.' }`
    expect(readAgentFile(text, 'reviewer', '/srv')).toMatchObject({
      spec: { command: ['claude'], model: 'opus', permissions: 'read', instructions: 'Review.', cwd: 'project' },
    })
  })

  it('names a service with its headers, and the variables that they need', () => {
    const text = `url: https://agents.example/run
endpoint: a2a
env: [SUPPORT_KEY]
headers: { Authorization: 'Bearer ${of('SUPPORT_KEY')}' }
limits: { idle: 5m }`
    expect(readAgentFile(text, 'support', '/srv')).toMatchObject({
      http: {
        name: 'support',
        endpoint: 'a2a',
        target: { reach: 'public' },
        headers: { Authorization: `Bearer ${of('SUPPORT_KEY')}` },
        env: ['SUPPORT_KEY'],
        limits: { idle: 300_000, runs: 16 },
      },
    })
  })

  it.each([
    ['run: [node]\nacp: [node]', /run and acp/],
    ['title: Nothing', /none of run/],
    ['url: https://agents.example', /needs an `endpoint`/],
    ['url: https://agents.example\nendpoint: smoke', /Line 2: endpoint/],
    ['url: http://agents.example\nendpoint: ag-ui', /must begin with https/],
    ['url: https://agents.example\nendpoint: ag-ui\ncwd: thread', /`cwd` is not for an agent with a `url`/],
    ['url: https://agents.example\nendpoint: ag-ui\nformat: a2a', /ag-ui has its own/],
    [
      `url: https://agents.example\nendpoint: ag-ui\nheaders: { x-key: "${of('HOME')}" }`,
      /needs HOME, which `env` does not list/,
    ],
    ['url: https://agents.example\nendpoint: ag-ui\nheaders: { Host: inward }', /Host is set with each request/],
    ['url: https://agents.example\nendpoint: ag-ui\nenv: [MILLRACE_TOKEN]', /cannot have MILLRACE_TOKEN/],
    ['url: https://agents.example\nendpoint: ag-ui\nlimits: { memory: 1g }', /for programs/],
    ['run: [node]\nheaders: { a: b }', /`headers` is for agents with a `url`/],
    ['run: [node]\nlimits: { time: long }', /Line 2: limits\.time/],
    ['run: [node]\ncwd: {a: b}', /Line 2: cwd/],
    ['title: x\nrun: [true]', /^Line 2: run is a command: a line, or a list of words$/],
    ['run: [node]\nenv: {KEY: x}', /^Line 2: env is a list of names of variables, .* values belong to `set`$/],
    ['titel: x\nrun: [true]', /^Line 1: .*titel/],
    ['run: [node]\n\nbogus: 1', /^Line 3: Unrecognized key: "bogus"$/],
    ['run: [node\ntitle: x', /^Line \d/],
    ['run: [node]\nrun: [sh]', /Line 2: .*unique/],
    ["run: 'node \"open'", /run/],
    ['preset: nobody', /preset/],
    ['run: [node]\ndialect: text', /must name its format/],
    ['- a\n- b', /./],
    ['', /./],
    ['x'.repeat(300_000), /too large/],
    ['['.repeat(50_000), /./],
    [
      `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghij'.replaceAll(/./g, (key, at: number) => `${key}: &${key} [${`*${'abcdefghij'[at]},`.repeat(9)}]\n`)}`,
      /./,
    ],
    ['__proto__: { polluted: true }\nrun: [node]', /./],
  ])('is refused with a sentence: %#', (text, sentence) => {
    expect(problemOf(text)).toMatch(sentence)
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })
})

describe('a command in one text', () => {
  it.each([
    ['python3 agent.py', ['python3', 'agent.py']],
    [` a  'b c' "d \\" e" f\\ g '' $HOME;rm `, ['a', 'b c', 'd " e', 'f g', '', '$HOME;rm']],
    [`a'b'"c"d`, ['abcd']],
    ['', []],
  ])('is split into words, and nothing is expanded: %s', (text, words) => {
    expect(splitCommand(text)).toEqual(words)
  })

  it.each([`a 'b`, `a "b`, 'a \\'])('with an open end is none: %s', (text) => {
    expect(splitCommand(text)).toBeUndefined()
  })
})

describe('a preset', () => {
  it('is found by its file, without running it', async () => {
    const marker = join(folder, 'was-run')
    const path = process.env.PATH
    await writeFile(join(folder, 'goose'), `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 })
    const list = createPresets({ threads: folder, folder })
    const before = list().map(({ name }) => name)
    process.env.PATH = `${folder}:${path}`
    const names = list().map(({ name }) => name)
    process.env.PATH = path
    expect(names.filter((name) => !before.includes(name))).toEqual(before.includes('goose') ? [] : ['goose'])
    expect(list()[0]).toBe(list()[0])
    for (const { description } of list()) expect(description).toContain(`“${basename(folder)}”`)
    await expect(realpath(marker)).rejects.toThrow('ENOENT')
  })

  it('asks a person, unless a file says otherwise', () => {
    expect(Object.keys(presets).sort()).toEqual([
      'claude-code',
      'codex',
      'copilot',
      'cursor',
      'gemini-cli',
      'goose',
      'opencode',
      'qwen-code',
    ])
    for (const preset of Object.keys(presets)) {
      expect(readAgentFile(`preset: ${preset}`, 'x', '/srv')).toMatchObject({ spec: { permissions: 'ask' } })
    }
  })
})
