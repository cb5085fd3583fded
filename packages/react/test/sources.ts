import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseAst } from 'vite'

const src = fileURLToPath(new URL('../src', import.meta.url))

/** The attributes whose text a person reads or hears. */
const SPOKEN = new Set(['aria-label', 'aria-description', 'aria-valuetext', 'title', 'placeholder', 'alt', 'label'])
const HAS_LETTERS = /\p{L}{2}/u

interface Node {
  readonly type: string
  readonly start: number
  readonly [field: string]: unknown
}

/** Texts in JSX, and in the attributes that are spoken, which are written in the source itself. */
export function spokenTextsIn(source: string): readonly string[] {
  const texts: string[] = []
  const visit = (node: Node, isSpoken: boolean): void => {
    const text = isSpoken ? textOf(node) : undefined
    if (text !== undefined && HAS_LETTERS.test(text)) texts.push(text.trim())
    for (const child of childrenOf(node)) visit(child, isSpokenIn(node, child, isSpoken))
  }
  visit(parseAst(source, { lang: 'tsx' }) as unknown as Node, false)
  return texts
}

/** The components of the package, each with its source. */
export function componentSources(): readonly (readonly [path: string, source: string])[] {
  return globSync('**/*.tsx', { cwd: src })
    .filter((path) => !path.includes('.test.'))
    .sort()
    .map((path) => [path, readFileSync(`${src}/${path}`, 'utf8')])
}

/** A child of an element or a spoken attribute is spoken; another attribute, a call's argument and a key are not. */
function isSpokenIn(parent: Node, child: Node, isSpoken: boolean): boolean {
  if (parent.type === 'JSXAttribute') return SPOKEN.has((parent.name as { readonly name: string }).name)
  if (parent.type === 'JSXElement' || parent.type === 'JSXFragment') return true
  if (child.type === 'JSXOpeningElement' || parent.type === 'JSXOpeningElement') return false
  if (parent.type === 'CallExpression' || parent.type === 'MemberExpression') return false
  if (parent.type === 'BinaryExpression') return false
  if (parent.type === 'ConditionalExpression' && child === parent.test) return false
  return isSpoken
}

function textOf(node: Node): string | undefined {
  if (node.type === 'JSXText' || node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined
  if (node.type === 'TemplateElement') return (node.value as { readonly raw: string }).raw
  return undefined
}

function childrenOf(node: Node): readonly Node[] {
  return Object.values(node)
    .flat()
    .filter((value): value is Node => typeof value === 'object' && value !== null && 'type' in value)
}
