import { spawn } from 'node:child_process'
import { existsSync, linkSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { linesOf, millraceBin, plainEnvironment, temporaryFolder } from './command.ts'
import { anthropicLines, longAnthropicLines } from './streams.ts'

const folder = temporaryFolder()

/** Runs a shell script in which `$MILLRACE` is the command. It is ended if it takes far too long. */
function shell(
  script: string,
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  const env = { ...plainEnvironment(), MILLRACE: `${process.execPath} ${millraceBin}` }
  const child = spawn('sh', ['-c', script], { cwd: folder.path('.'), env, timeout: 50_000, killSignal: 'SIGKILL' })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (bytes) => {
    stdout += bytes
  })
  child.stderr.on('data', (bytes) => {
    stderr += bytes
  })
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })))
}

/** A recording of several hundred kilobytes: many reads, and more than any pipe holds. */
const long = [...longAnthropicLines(4_000, 'The tide comes in. ')].join('')

describe('convert, where the input comes from', () => {
  folder.file('long.jsonl', long)
  const whole = shell('$MILLRACE convert long.jsonl --to events')

  it.each([
    ['a FIFO', 'mkfifo fifo; cat long.jsonl > fifo & $MILLRACE convert fifo --to events'],
    ['a pipe', 'cat long.jsonl | $MILLRACE convert --to events'],
    [
      'a pipe that is written in pieces',
      '(head -c 70001 long.jsonl; tail -c +70002 long.jsonl) | $MILLRACE convert - --to events',
    ],
    ['a redirected file', '$MILLRACE convert --to events < long.jsonl'],
    ['a path of an open descriptor', '$MILLRACE convert /dev/fd/5 --to events 5< long.jsonl'],
  ])('gives the same for %s', async (_name, script) => {
    const { code, stdout } = await shell(script)
    expect(code).toBe(0)
    expect(stdout).toBe((await whole).stdout)
    expect(linesOf(stdout).length).toBeGreaterThan(4_000)
  })

  it('reads a short input whose writer waits, to its end', async () => {
    folder.file('short.jsonl', anthropicLines)
    const script =
      'mkfifo slow; (head -c 90 short.jsonl; sleep 0.2; tail -c +91 short.jsonl) > slow & $MILLRACE convert slow --to events'
    const direct = await shell('$MILLRACE convert short.jsonl --to events')
    expect((await shell(script)).stdout).toBe(direct.stdout)
  })

  it('says that a folder on stdin is one', async () => {
    const { code, stderr } = await shell('$MILLRACE convert --to events < .')
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('is a folder') })
  })
})

describe('convert, if one file is input and output', () => {
  const recording = folder.file('recording.jsonl', anthropicLines)
  linkSync(recording, folder.path('hard-link.jsonl'))
  symlinkSync(recording, folder.path('link.jsonl'))
  symlinkSync('.', folder.path('same-folder'))

  it.each([
    ['by its name', 'recording.jsonl -o recording.jsonl'],
    ['by another path', 'recording.jsonl -o ./same-folder/recording.jsonl'],
    ['by a hard link', 'recording.jsonl -o hard-link.jsonl'],
    ['by a symbolic link', 'link.jsonl -o recording.jsonl'],
    ['as stdin', '-o recording.jsonl < hard-link.jsonl'],
    ['as stdout that is appended to', 'recording.jsonl >> hard-link.jsonl'],
    ['as stdin and stdout', '- < recording.jsonl >> link.jsonl'],
  ])('refuses it %s and leaves it as it was', async (_name, args) => {
    const { code, stderr } = await shell(`$MILLRACE convert --to events ${args}`)
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('both input and output') })
    expect(readFileSync(recording, 'utf8')).toBe(anthropicLines)
  })

  it('writes beside the input, over an older file, as often as it is called', async () => {
    const target = folder.file('older.jsonl', 'older\n'.repeat(10_000))
    const sizes: number[] = []
    for (let round = 0; round < 3; round++) {
      expect((await shell('$MILLRACE convert recording.jsonl --to events -o older.jsonl')).code).toBe(0)
      sizes.push(statSync(target).size)
    }
    const { stdout } = await shell('$MILLRACE convert recording.jsonl --to events')
    expect(sizes).toEqual([stdout.length, stdout.length, stdout.length])
    expect(readFileSync(target, 'utf8')).toBe(stdout)
  })
})

describe('convert, if its output is refused', () => {
  const isFullDevice = existsSync('/dev/full')

  it.runIf(isFullDevice).each([
    ['stdout', 'convert long.jsonl --to events > /dev/full'],
    ['a file', 'convert long.jsonl --to events -o /dev/full'],
    ['stdout at the end only', 'convert long.jsonl --to chat-events > /dev/full'],
    ['the answer of detect', 'detect long.jsonl > /dev/full'],
    ['the help', '--help > /dev/full'],
  ])(
    `fails with a sentence if the disk is full: %s${isFullDevice ? '' : ' (this system has no /dev/full)'}`,
    async (_name, args) => {
      const { code, stderr } = await shell(`$MILLRACE ${args}`)
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^millrace: .*no space left\.\n$/) })
    },
  )

  it.each([
    ['convert', 'convert long.jsonl --to events'],
    ['convert, from a pipe', 'convert - --to ai-sdk --sse < long.jsonl'],
    ['help', 'convert --help'],
  ])('ends silently if its reader leaves: %s', async (_name, args) => {
    const { stdout, stderr } = await shell(`{ $MILLRACE ${args}; echo "code $?" >&2; } | head -c 5`)
    expect({ stdout: stdout.length, stderr }).toEqual({ stdout: 5, stderr: 'code 0\n' })
  })

  it('converts all if stderr is closed or full', async () => {
    folder.file('strange.jsonl', `${anthropicLines}not JSON\n`)
    const open = await shell('$MILLRACE convert strange.jsonl --to events')
    expect(open.stderr).toContain('could not be parsed')
    const closed = await shell('$MILLRACE convert strange.jsonl --to events 2>&-')
    expect(closed).toEqual({ code: 0, stdout: open.stdout, stderr: '' })
    if (isFullDevice) expect(await shell('$MILLRACE convert strange.jsonl --to events 2>/dev/full')).toEqual(closed)
  })

  it('exits with its code although nobody can read the reason', async () => {
    expect((await shell('$MILLRACE convert nowhere.jsonl --to events 2>&-')).code).toBe(2)
  })
})
