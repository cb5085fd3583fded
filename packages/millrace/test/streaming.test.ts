import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, createWriteStream, readFileSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { Readable as NodeReadable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { wires } from '@millrace/core/wire'
import { beforeAll, describe, expect, it } from 'vitest'
import { linesOf, millrace, millraceBin, plainEnvironment, temporaryFolder } from './command.ts'
import { anthropicRecords, jsonLinesOf, longAnthropicLines } from './streams.ts'

const folder = temporaryFolder()
const large = folder.path('large.jsonl')
const PIECES = 300_000

/**
 * How far the live heap may grow over all pieces, in bytes. Two wires need the text of a message again at its end, and
 * a text that was concatenated from pieces costs 32 bytes for each: 45 bytes leave no room for anything else.
 */
const GROWTH = 45 * PIECES
const probe = fileURLToPath(new URL('./heap-probe.mjs', import.meta.url))

beforeAll(() => pipeline(NodeReadable.from(longAnthropicLines(PIECES, 'a wave ')), createWriteStream(large)))

type Child = ChildProcessByStdio<Writable, Readable, Readable>

function started(...args: string[]): Child {
  const child = spawn(process.execPath, [millraceBin, ...args], { stdio: ['pipe', 'pipe', 'pipe'] })
  child.stdin.on('error', () => {})
  return child
}

async function endOf(child: Child): Promise<{ code: unknown; stderr: string }> {
  let stderr = ''
  child.stderr.on('data', (bytes) => {
    stderr += bytes
  })
  const [code] = await once(child, 'close')
  return { code, stderr }
}

describe('convert in a pipeline', () => {
  it('ends silently and at once when its reader closes the pipe', async () => {
    const child = started('convert', '--to', 'events')
    const ended = endOf(child)
    const feeding = pipeline(createReadStream(large), child.stdin).catch(() => {})
    await once(child.stdout, 'data')
    child.stdout.destroy()
    expect(await ended).toEqual({ code: 0, stderr: '' })
    await feeding
  })

  it('writes what it can while its input is still open', async () => {
    const child = started('convert', '--from', 'anthropic-messages', '--to', 'events')
    const ended = endOf(child)
    child.stdin.write(jsonLinesOf(anthropicRecords.slice(0, 8)))
    const [bytes] = await once(child.stdout, 'data')
    expect(linesOf(String(bytes)).at(-1)).toMatchObject({ type: 'block-delta', text: 'pulls the sea.' })
    child.stdin.end()
    child.stdout.resume()
    expect((await ended).code).toBe(0)
  })

  it('exits with 130 when it is interrupted', async () => {
    const child = started('convert', '--from', 'anthropic-messages', '--to', 'events')
    const ended = endOf(child)
    child.stdin.write(jsonLinesOf(anthropicRecords.slice(0, 3)))
    await once(child.stdout, 'data')
    child.kill('SIGINT')
    expect(await ended).toEqual({ code: 130, stderr: '' })
  })

  it.each(['events', ...Object.keys(wires)])('converts to %s in far less memory than the input has', async (target) => {
    const out = folder.path(`large.${target}`)
    const report = folder.path(`heap.${target}`)
    const { code, stderr } = await millrace(['convert', large, '--to', target, '-o', out], {
      nodeFlags: ['--expose-gc', '--import', probe],
      env: { ...plainEnvironment(), HEAP_REPORT: report },
    })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    let lines = 0
    for await (const bytes of createReadStream(out)) for (const byte of bytes as Buffer) if (byte === 10) lines++
    expect(lines).toBeGreaterThan(PIECES)
    expect(Number(readFileSync(report, 'utf8'))).toBeLessThan(GROWTH)
  })
})
