import { parseAst } from 'vite'
import type { Bundle, Place } from './bundle.ts'

/** One small change of the code. */
export interface Change {
  /** The same in every bundle that holds the file. */
  readonly name: string
  readonly place: Place
  readonly start: number
  readonly end: number
  readonly text: string
  /** What it does, for the report. */
  readonly what: string
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

/** A stretch of the code, and what takes its place. */
interface Edit {
  readonly at: { readonly start: number; readonly end: number }
  readonly text: string
  readonly what: string
}

type Rule = (node: Node, textOf: (node: Node) => string) => readonly Edit[]

const inverted: { readonly [operator: string]: string } = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
}

/** Methods that find an end of a list, each with the one that finds the other end. */
const opposite: { readonly [method: string]: string } = {
  find: 'findLast',
  findLast: 'find',
  findIndex: 'findLastIndex',
  findLastIndex: 'findIndex',
  indexOf: 'lastIndexOf',
  lastIndexOf: 'indexOf',
  push: 'unshift',
  some: 'every',
  every: 'some',
  startsWith: 'endsWith',
}

const sides: Rule = (node, textOf) => [
  { at: node, text: textOf(node.left as Node), what: `only the left of ${node.operator}` },
  { at: node, text: textOf(node.right as Node), what: `only the right of ${node.operator}` },
]

/** The changes of a tired engineer, by the node that is changed: a forgotten line, one side of a choice, the other end. */
const rules: { readonly [type: string]: Rule } = {
  ExpressionStatement: (node) => [{ at: node, text: ';', what: 'forgotten' }],
  IfStatement: ({ test }) => [
    { at: test as Node, text: 'true', what: 'always' },
    { at: test as Node, text: 'false', what: 'never' },
  ],
  ConditionalExpression: (node, textOf) => [
    { at: node, text: `(${textOf(node.consequent as Node)})`, what: 'always the first' },
    { at: node, text: `(${textOf(node.alternate as Node)})`, what: 'always the second' },
  ],
  LogicalExpression: (node, textOf) => sides(node, textOf).map((edit) => ({ ...edit, text: `(${edit.text})` })),
  BinaryExpression(node) {
    const operator = inverted[node.operator as string]
    const [left, right] = [node.left as Node, node.right as Node]
    if (operator === undefined) return []
    return [
      { at: { start: left.end, end: right.start }, text: ` ${operator} `, what: `${operator} for ${node.operator}` },
    ]
  },
  SpreadElement: (node) => [{ at: node, text: '...[]', what: 'left out' }],
  Property: (node) =>
    node.kind === 'init' && node.method !== true ? [{ at: node, text: '...[]', what: 'left out' }] : [],
  AssignmentPattern: (node, textOf) => [{ at: node, text: textOf(node.left as Node), what: 'no default' }],
  CallExpression(node, textOf) {
    const callee = node.callee as Node
    const property = callee.property as Node | undefined
    const method = callee.type === 'MemberExpression' && callee.computed !== true ? textOf(property as Node) : ''
    // `toString` is a method, but not one of ours.
    const other = Object.hasOwn(opposite, method) ? opposite[method] : undefined
    return other === undefined ? [] : [{ at: property as Node, text: other, what: `${other} instead` }]
  },
}

/** What a parser declares about itself: other tests compare that with what it does. */
const DECLARED = new Set(['losses', 'version', 'recognize'])

const isDeclaration = (node: Node, textOf: (node: Node) => string) =>
  node.type === 'Property' && DECLARED.has(textOf(node.key as Node))

/** All changes in the files whose names begin with one of these. */
export function changesOf({ code, placeAt }: Bundle, folders: readonly string[]): readonly Change[] {
  const changes: Change[] = []
  const counts = new Map<string, number>()
  const textOf = ({ start, end }: Node) => code.slice(start, end)
  const isMeant = (file: string) => folders.some((folder) => file.startsWith(folder)) && !file.endsWith('/recognize.ts')

  function visit(node: Node, parent?: Node): void {
    if (isDeclaration(node, textOf)) return
    const isPattern = parent?.type === 'ObjectPattern' || parent?.type === 'ArrayPattern'
    for (const { at, text, what } of isPattern ? [] : (rules[node.type]?.(node, textOf) ?? [])) {
      const place = placeAt(at.start)
      if (place === undefined || !isMeant(place.file)) continue
      const key = `${place.file}:${place.line}:${place.column} ${what}`
      // `a ?? b ?? c` has two such changes that begin at one place.
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      changes.push({ name: `${key} ${count}`, place, start: at.start, end: at.end, text, what })
    }
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, node)
    }
  }

  for (const statement of parseAst(code).body) visit(statement as unknown as Node)
  if (changes.length === 0) throw new Error(`Nothing of ${folders.join(', ')} is in the bundle.`)
  return changes
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
