import { describe, expect, it } from 'vitest'
import { tool } from '../../test/segments.ts'
import { englishLabels } from '../labels.ts'
import { argumentOf } from './argument.ts'
import { changeCounts, changesOf } from './changes.ts'
import { answerText, exitOf, resultFact } from './fact.ts'
import { kindNameOf } from './kinds.ts'
import { summaryOf, totalDuration } from './summary.ts'

describe('what a tool’s name and values show', () => {
  it('recognises a tool by the last part of its name, in any spelling', () => {
    expect(
      ['Bash', 'run_shell_command', 'mcp__files__read_file', 'WebSearch', 'str_replace_editor', 'acme'].map(kindNameOf),
    ).toEqual(['command', 'command', 'read', 'web', 'edit', 'other'])
    expect(kindNameOf('constructor')).toBe('other')
  })

  it('shows the most informative argument on one line', () => {
    expect(argumentOf(tool(1, 'Bash', { input: { description: 'x', command: 'ls\n  -la' } }))).toBe('ls -la')
    expect(argumentOf(tool(1, 'acme', { input: { sku: 1 } }))).toBe('{"sku":1}')
    expect(argumentOf(tool(1, 'acme', { input: {} }))).toBe('')
    expect(argumentOf(tool(1, 'acme', { inputText: '{"a' }))).toBe('{"a')
  })

  it('counts the changed lines of an edit', () => {
    const edit = tool(1, 'Edit', { input: { file_path: 'a', old_string: 'a\nb\nc', new_string: 'a\nB\nX\nc' } })
    expect(changeCounts(changesOf(edit) ?? [])).toEqual({ added: 2, removed: 1 })
    const patch = tool(1, 'apply_patch', { input: { patch: '--- a\n+++ b\n@@\n-x\n+y\n z' } })
    expect(changeCounts(changesOf(patch) ?? [])).toEqual({ added: 1, removed: 1 })
  })

  it('states the result as a fact', () => {
    expect(resultFact(tool(1, 'Grep', { output: ['a', 'b'] }), englishLabels)).toBe('2 results')
    expect(resultFact(tool(1, 'Read', { output: 'a\nb\n' }), englishLabels)).toBe('2 lines')
    expect(resultFact(tool(1, 'WebFetch', { output: 'x'.repeat(42_000) }), englishLabels)).toBe('42 KB')
    expect(exitOf(tool(1, 'Bash', { output: { exit_code: 1 } }), englishLabels)).toBe('exit 1')
    expect(exitOf(tool(1, 'Bash', { error: 'Command failed with exit code 127' }), englishLabels)).toBe('exit 127')
    expect(exitOf(tool(1, 'Bash', { error: 'no' }), englishLabels)).toBeUndefined()
  })

  it('summarises a group in one line', () => {
    const tools = [tool(1, 'Read'), tool(2, 'acme'), tool(3, 'Grep'), tool(4, 'Read')]
    expect(summaryOf(tools, englishLabels)).toBe('Read 2 files, searched once, used acme')
    expect(totalDuration(tools)).toBe(1600)
  })
})

it('names the source of an answer: the user, a client, or the stream itself', () => {
  expect(answerText({ state: 'approved', by: 'server' }, englishLabels)).toBe('approved by you')
  expect(answerText({ state: 'denied', by: 'client' }, englishLabels)).toBe('denied by its client')
  expect(answerText({ state: 'answered' }, englishLabels)).toBe('answered in the stream')
  expect(answerText({ state: 'expired', by: 'server' }, englishLabels)).toBe('expired')
  expect(answerText({ state: 'requested' }, englishLabels)).toBeUndefined()
})
