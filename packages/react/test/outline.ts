import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { Icon, type IconName } from '../src/icon.tsx'

/** Every icon: one that is not listed does not compile. */
const icons: { readonly [Name in IconName]: true } = {
  alert: true,
  'arrow-down': true,
  'arrow-up': true,
  ask: true,
  brain: true,
  branch: true,
  check: true,
  chevron: true,
  circle: true,
  clip: true,
  copy: true,
  cross: true,
  'cross-circle': true,
  cut: true,
  done: true,
  dots: true,
  down: true,
  file: true,
  folder: true,
  globe: true,
  'handed-over': true,
  image: true,
  layers: true,
  link: true,
  list: true,
  pencil: true,
  retry: true,
  search: true,
  slash: true,
  terminal: true,
}

const drawing = (html: string) => html.replace(/^<svg[^>]*>/, '')
const iconOf = new Map(
  Object.keys(icons).map((name) => [
    drawing(renderToStaticMarkup(createElement(Icon, { name: name as IconName }))),
    name,
  ]),
)

/** The class names that a person sees as a tone, a state or a mark; the others only place things. */
const LOOKS =
  /^mr-(?:bad|ok|added|removed|primary|growing|shimmer|caret|spinner|unseen|output-bad|whole|asking|fatal|interrupted|withdrawn|plain|summary|cite|bold|dim|(?:line|todo|pip|token|ansi)-\w+)$/
const SPOKEN =
  /(?:^|\s)(role|aria-[a-z]+|href|alt|target|rel|title|disabled|tabindex|checked|start|data-state|data-seqs|style)="([^"]*)"/gi
const LINES = new Set([
  'article',
  'section',
  'button',
  'a',
  'pre',
  'li',
  'ul',
  'ol',
  'footer',
  'p',
  'table',
  'tr',
  'input',
  'img',
])

/** What a person is told by static HTML: words, icons, roles, states and links, one line per thing, indented. */
export function outlineOf(html: string): string {
  const lines: { depth: number; text: string }[] = []
  const open: { readonly isLine: boolean; readonly closing: string }[] = []
  const depth = () => open.filter(({ isLine }) => isLine).length
  const put = (text: string) => {
    const last = lines.at(-1)
    if (last === undefined || last.depth !== depth()) lines.push({ depth: depth(), text })
    else last.text += ` ${text}`
  }
  const marked = html.replace(/<svg[^>]*>(.*?<\/svg>)/g, (_, inner) => `‹${iconOf.get(inner) ?? 'unknown icon'}›`)
  for (const [, isEnd, tag = '', attributes = '', words] of marked.matchAll(/<(\/?)([a-z0-9]+)([^>]*)>|([^<]+)/gi)) {
    if (words !== undefined) put(plain(words))
    else if (isEnd === '/') {
      const { isLine = false, closing = '' } = open.pop() ?? {}
      if (closing !== '') put(closing)
      if (isLine) lines.push({ depth: depth(), text: '' })
    } else {
      const said = saidOf(attributes)
      const isLine = LINES.has(tag) || /^h\d$/.test(tag) || /\b(?:role|data-seqs)=/.test(said)
      if (isLine) lines.push({ depth: depth(), text: `${tag.replace('div', '')}${plain(said)}:`.trim() })
      else if (said !== '') put(`{${plain(said).trim()}`)
      if (!/^(?:input|br|hr|img)$/.test(tag)) open.push({ isLine, closing: !isLine && said !== '' ? '}' : '' })
    }
  }
  return lines
    .filter(({ text }) => text.trim() !== '')
    .map(({ depth: level, text }) => `${'  '.repeat(level)}${text}`)
    .join('\n')
}

function saidOf(attributes: string): string {
  const looks = (/class="([^"]*)"/.exec(attributes)?.[1] ?? '').split(' ').filter((name) => LOOKS.test(name))
  const spoken = [...attributes.matchAll(SPOKEN)]
    .filter(([, name, value]) => !(name === 'aria-hidden' && (value === 'false' || looks.length > 0)))
    .map(([, name, value]) => `${name}=${value}`)
  return [...looks.map((look) => look.replace('mr-', '')), ...spoken].map((part) => ` ${part}`).join('')
}

function plain(html: string): string {
  return html
    .replace(/&quot;/g, '"')
    .replace(/&#x27;/g, "'")
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
    .replace(/\n/g, '⏎')
}
