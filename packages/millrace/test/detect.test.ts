import { spawn } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { linesOf, millrace, millraceBin, temporaryFolder } from './command.ts'
import { agentLines, anthropicLines, anthropicSse } from './streams.ts'

const folder = temporaryFolder()

describe('detect', () => {
  it.each([
    ['anthropic-messages', 'server-sent events', anthropicSse],
    ['anthropic-messages', 'JSON lines', anthropicLines],
    ['anthropic-messages', 'a JSON array', `[${anthropicLines.trim().replaceAll('\n', ',\n')}]`],
    ['agent-lines', 'JSON lines', agentLines],
  ])('prints %s first, then the reason, on one line, for %s', async (format, _framing, text) => {
    const { code, stdout, stderr } = await millrace(['detect', folder.file('stream', text)])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^\S+ {2}\S.*\n$/)
    expect(stdout.split(' ')[0]).toBe(format)
    expect(await millrace(['detect'], { stdin: text })).toEqual({ code, stdout, stderr })
  })

  it('prints an object with --json', async () => {
    const { stdout } = await millrace(['detect', '--json'], { stdin: anthropicSse })
    expect(linesOf(stdout)).toEqual([
      { format: 'anthropic-messages', certainty: expect.any(Number), reason: expect.any(String) },
    ])
  })

  it.each([
    ['unknown records', '{"tide":"high"}\n'],
    ['text', 'It was a dark night.\n'],
    ['nothing', ''],
  ])('prints nothing for %s, gives the reason on stderr and exits with 3', async (_what, stdin) => {
    const { code, stdout, stderr } = await millrace(['detect'], { stdin })
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
    expect(stderr).toMatch(/^millrace: The format was not recognised: .+\n$/)
    const inJson = await millrace(['detect', '--json'], { stdin })
    expect(inJson).toMatchObject({ code: 3, stdout: '' })
    expect(linesOf(inJson.stderr)).toMatchObject([{ error: { code: 'format-not-recognised' } }])
  })

  it.each(['detect', 'convert'])('%s reports a JSON document over several lines as such', async (command) => {
    const stdin = JSON.stringify({ tide: { height: [1, 2] }, moon: 'full' }, null, 2)
    const args = command === 'convert' ? ['convert', '--to', 'events'] : ['detect']
    const { code, stderr } = await millrace(args, { stdin })
    expect(code).toBe(3)
    expect(stderr).toContain('it is one JSON document over several lines, not a stream of records.')
  })

  it('answers while the stream is still open', async () => {
    const child = spawn(process.execPath, [millraceBin, 'detect'], { stdio: ['pipe', 'pipe', 'inherit'] })
    child.stdin.on('error', () => {})
    child.stdin.write(anthropicSse.repeat(3))
    const code = await new Promise((resolve) => child.on('close', resolve))
    expect(code).toBe(0)
  })

  it('exits with 2 for a file that does not exist', async () => {
    expect(await millrace(['detect', folder.path('missing')])).toMatchObject({ code: 2, stdout: '' })
  })
})
