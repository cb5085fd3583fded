import { describe, expect, it } from 'vitest'
import { at, status, text, thought, todos, tool } from '../test/segments.ts'
import { piecesOf, seqsOf } from './pieces.ts'

const kinds = (segments: Parameters<typeof piecesOf>[0]) => piecesOf(segments).map(({ kind }) => kind)

describe('the pieces of a chat event', () => {
  it('S3-25: are in the order of arrival', () => {
    expect(kinds([status(1, ['a'], 10), thought(2, 'b', 10), tool(3, 'x'), text(4, 'c'), thought(5, 'd')])).toEqual([
      'processing',
      'thinking',
      'segment',
      'segment',
      'thinking',
    ])
  })

  it('group three or more finished tools, and never a failed, asking or running one', () => {
    const three = [tool(1, 'Read'), tool(2, 'Read'), tool(3, 'Grep')]
    expect(kinds(three)).toEqual(['tools'])
    expect(kinds(three.slice(1))).toEqual(['segment', 'segment'])
    for (const state of ['failed', 'approval', 'running', 'input', 'ready', 'denied', 'cancelled'] as const) {
      expect(kinds([tool(1, 'a'), tool(2, 'b'), tool(3, 'c', { state }), tool(4, 'd')])).not.toContain('tools')
    }
  })

  it('have the first and the last entry of all their segments', () => {
    const spanning = (seqs: readonly [number, number]) => ({ ...tool(seqs[0], 'Read'), seqs })
    const segments = [status(1, ['a'], 10), status(2, ['b'], 10), text(3, 'c'), thought(4, 'd', 10)]
    const tools = [spanning([5, 20]), spanning([6, 9]), spanning([7, 12])]
    expect(piecesOf([...segments, ...tools]).map(seqsOf)).toEqual([
      [1, 2],
      [3, 3],
      [4, 4],
      [5, 20],
    ])
  })

  it('keep a plan as a separate card between the statuses around it', () => {
    const pieces = piecesOf([status(1, ['a'], 10), todos(2, ['pending']), status(3, ['b'], 10)])
    expect(pieces.map(({ kind, key }) => [kind, key])).toEqual([
      ['processing', 1],
      ['segment', 2],
      ['processing', 3],
    ])
  })

  it('put adjacent sources and files into one row', () => {
    const source = { type: 'source', sourceId: 's', kind: 'url', ...at(1, 0) } as const
    const file = { type: 'file', fileId: 'f', mediaType: 'text/plain', ...at(2, 0) } as const
    expect(kinds([source, file, text(3, 'x')])).toEqual(['chips', 'segment'])
  })

  it('are grouped in the grouped layout: processing, thinking, then all others', () => {
    const segments = [text(1, 'a'), thought(2, 'b', 10), status(3, ['c'], 10), thought(4, 'd', 10)]
    expect(piecesOf(segments, { layout: 'grouped' }).map(({ kind }) => kind)).toEqual([
      'processing',
      'thinking',
      'segment',
    ])
  })
})
