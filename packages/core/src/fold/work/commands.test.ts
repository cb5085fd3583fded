import { describe, expect, it } from 'vitest'
import { call, chat } from '../../../test/calls.ts'
import type { Json, JsonObject } from '../../json.ts'
import type { ChatEvent, Segment, ToolSegment } from '../shapes.ts'
import { artifactsOf, visitsOf } from './artifacts.ts'
import { commandsOf } from './commands.ts'
import { filesOf } from './files.ts'

const commandOf = (...calls: readonly ToolSegment[]) => {
  const [command, ...others] = commandsOf(chat(...calls))
  expect(others).toEqual([])
  return command
}
const written = (segment: ToolSegment) => commandOf(segment)?.chunks.map(({ channel, text }) => `${channel}: ${text}`)

describe('a command', () => {
  it.each<[Json, string]>([
    [{ command: 'ls' }, 'ls'],
    [{ cmd: ['ls', '-la'] }, 'ls -la'],
    [{ command: ['bash', '-lc', 'ls | wc'] }, 'ls | wc'],
    [{ command: '/bin/zsh -lc ls' }, 'ls'],
    [{ command: `/bin/bash -lc 'echo "a b"'` }, 'echo "a b"'],
    [{ command: `bash -lc "rg -g '\\"'!*.png'\\"' \\$HOME"` }, `rg -g '"'!*.png'"' $HOME`],
    [{ commands: ['ls', 'date'] }, 'ls\ndate'],
    ['ls', 'ls'],
  ])('of the input %j is %s', (input, text) => {
    expect(commandOf(call('shell', input))).toMatchObject({ text, prompt: '$' })
  })

  it('of Python is a cell, with its code', () => {
    expect(commandOf(call('python_interpreter', 'print(1)'))).toMatchObject({ text: 'print(1)', prompt: 'py' })
    expect(commandOf(call('code_execution', {}))?.text).toBe('')
  })

  it('has what it reported, and what only its result says', () => {
    const reported = { progress: [{ channel: 'stdout', text: 'a\n' }] } as const
    expect(written(call('Bash', {}, { ...reported, output: 'a\n' }))).toEqual(['stdout: a\n'])
    expect(written(call('Bash', {}, { ...reported, output: 'b' }))).toEqual(['stdout: a\n', 'text: b'])
    expect(written(call('Bash', {}, { output: { stdout: 'a', stderr: 'b', exitCode: 0 } }))).toEqual([
      'stdout: a',
      'stderr: b',
    ])
    expect(written(call('shell', {}, { output: [{ stdout: 'a' }, { stderr: 'b' }] }))).toEqual([
      'stdout: a',
      'stderr: b',
    ])
    expect(written(call('Bash', {}, { output: { exit_code: 0 } }))).toEqual([])
  })

  it.each<[number | undefined, Partial<ToolSegment>]>([
    [0, { output: 'x', meta: { codex: { exit_code: 0 } } }],
    [1, { output: 'x', meta: { opencode: { metadata: { exit: 1 } } } }],
    [2, { output: { stdout: '', return_code: 2 } }],
    [3, { state: 'failed', error: 'Exit code 3\nno such file' }],
    [4, { output: 'x\n<shellId: 0 completed with exit code 4>' }],
    [5, { output: 'Process exited with code 5\nOutput:\nx' }],
    [6, { output: [{ outcome: { type: 'exit', exit_code: 6 } }] }],
    [7, { output: { success: { exitCode: 7 } } }],
    [undefined, { output: 'fine' }],
    [undefined, { output: { metadata: { exit_code: -1 } } }],
    [undefined, { state: 'running', output: 'exit code 1' }],
  ])('has the exit code %s', (exitCode, more) => {
    expect(commandOf(call('Bash', { command: 'x' }, more))?.exitCode).toBe(exitCode)
  })

  it('does not repeat as an error what its exit code says', () => {
    const failed = {
      state: 'failed',
      output: 'no',
      error: 'The command failed with 1',
      meta: { codex: { exit_code: 1 } },
    } as const
    expect(written(call('Bash', {}, failed))).toEqual(['stderr: no'])
    expect(written(call('Bash', {}, { ...failed, output: '' }))).toEqual(['stderr: The command failed with 1'])
  })

  it('goes on in what is read of it later, and in what is sent to it', () => {
    const start = call('exec_command', { cmd: 'vim' }, { output: 'Process running with session ID 7\nOutput:\na' })
    const more = call('write_stdin', { session_id: 7, chars: ':q' }, { output: 'Process exited with code 0\nbye' })
    const command = commandOf(start, more)
    expect([command?.text, command?.chunks.length, command?.exitCode]).toEqual(['vim', 2, 0])
    const unknown: JsonObject = { session_id: 8, chars: 'x' }
    expect(commandsOf(chat(start, call('write_stdin', unknown)))).toHaveLength(2)
  })
})

describe('the commands of a chat', () => {
  it('stand in the order of their starts, with their subagent', () => {
    const first = call('Bash', { command: '1' }, { seqs: [2, 3] })
    const inner = call('Bash', { command: '2' }, { seqs: [4, 5] })
    const last = call('Bash', { command: '3' }, { seqs: [6, 7] })
    const helper: Segment = {
      type: 'subagent',
      agentId: 'h',
      name: 'helper',
      state: 'done',
      segments: [inner],
      startedAt: 1,
      seqs: [1, 900],
    }
    expect(commandsOf(chat(helper, first, last)).map(({ text, agentName }) => [text, agentName])).toEqual([
      ['1', undefined],
      ['2', 'helper'],
      ['3', undefined],
    ])
  })

  it('are those that had ended by an entry', () => {
    const [first, last] = [call('Bash', { command: '1' }), call('Bash', { command: '2' })]
    expect(commandsOf(chat(first, last), { runId: 'run', seq: last.seqs[1] - 1 }).map(({ text }) => text)).toEqual([
      '1',
    ])
  })

  it('are the same objects until they change', () => {
    const first = call('Bash', { command: '1' })
    expect(commandsOf(chat(first))[0]).toBe(commandsOf(chat(first, call('Bash', { command: '2' })))[0])
  })
})

describe('artifacts and visited pages', () => {
  it('are the files that the agent sent, with the call that made them, and the documents that it wrote', () => {
    const plot = call('python', 'plot()')
    const sent: Segment = {
      type: 'file',
      fileId: 'f',
      mediaType: 'image/png',
      url: '/api/files/x/plot.png?a=1',
      callId: plot.callId,
      startedAt: 1,
      seqs: [3, 3],
    }
    const report = call('Write', { file_path: '/srv/report.html', content: '<p>' })
    const code = call('Write', { file_path: '/srv/a.ts', content: 'x' })
    const events = chat(plot, sent, report, code)
    expect(
      artifactsOf(events, filesOf(events)).map(({ name, mediaType, step, toolName }) => [
        name,
        mediaType,
        step,
        toolName,
      ]),
    ).toEqual([
      ['plot.png', 'image/png', 1, 'python'],
      ['report.html', 'text/html', 1, 'Write'],
    ])
    const [message] = chat(sent) as [ChatEvent]
    expect(artifactsOf([{ ...message, role: 'user' }], [])).toEqual([])
  })

  it('are the addresses that were fetched, each once', () => {
    const fetched = call('web_fetch', { url: 'https://a.example/x' }, { output: 'words' })
    const failed = call('WebFetch', { urls: ['https://b.example'], prompt: 'What is https?' }, { state: 'failed' })
    expect(visitsOf(chat(fetched, failed, fetched)).map(({ url, characters }) => [url, characters])).toEqual([
      ['https://a.example/x', 5],
      ['https://b.example', undefined],
    ])
  })
})
