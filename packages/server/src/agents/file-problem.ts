import { type Document, isNode, type LineCounter } from 'yaml'
import type { z } from 'zod'

type Issue = z.core.$ZodIssue

/** What a field is, if a file has something else there. Fields without a row are told what is wrong in general words. */
const expectations: { readonly [field: string]: string } = {
  run: 'is a command: a line, or a list of words',
  acp: 'is a command: a line, or a list of words',
  env: 'is a list of names of variables, such as [OPENAI_API_KEY]; values belong to `set`',
  set: 'is a table of variables with their values',
  headers: 'is a table of headers with their values',
  tools: 'is a list of names of tools',
  mcp: 'is a table of servers with their settings',
  limits: 'is a table, such as {time: 10m, memory: 1g}',
}

/** The first problem of a file from its top, as a sentence with its line. */
export function problemIn(document: Document, lines: LineCounter, issues: readonly Issue[]): string {
  const found = issues.map((issue) => ({ line: lineOf(document, lines, issue), words: wordsOf(issue) }))
  const [first] = found.toSorted((one, other) => one.line - other.line)
  return `Line ${first?.line ?? 1}: ${first?.words ?? 'is not valid'}`
}

function lineOf(document: Document, lines: LineCounter, issue: Issue): number {
  // A key that is unknown is in no path.
  const key = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
  const node = document.getIn([...issue.path.map(String), ...key], true)
  return lines.linePos(isNode(node) ? (node.range?.[0] ?? 0) : 0).line
}

function wordsOf({ code, path, message }: Issue): string {
  const [field, ...rest] = path.map(String)
  const isOther = code === 'invalid_type' || code === 'invalid_union'
  const expected = isOther && rest.length === 0 ? expectations[field ?? ''] : undefined
  return [path.map(String).join('.'), expected ?? message].filter((word) => word !== '').join(' ')
}
