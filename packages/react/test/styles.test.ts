import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const src = fileURLToPath(new URL('../src/', import.meta.url))
const sheets = globSync('styles/*.css', { cwd: src })
const read = (path: string) => readFileSync(src + path, 'utf8')

/** The selectors of a sheet. Steps of an animation are none. */
function selectorsIn(css: string): readonly string[] {
  const rules = css.replace(/\/\*[\s\S]*?\*\//g, '').replace(/@keyframes [^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/g, '')
  return [...rules.matchAll(/([^{};]+)\{/g)]
    .map(([, head = '']) => head.trim())
    .filter((head) => !head.startsWith('@'))
    .flatMap((head) => head.split(/,(?![^(]*\))/))
    .map((selector) => selector.trim())
}

describe('the style sheet', () => {
  it('imports every part by a relative path, and nothing else', () => {
    const imports = read('styles.css')
      .trim()
      .split('\n')
      .map((line) => /^@import "\.\/(styles\/[\w-]+\.css)";$/.exec(line)?.[1])
    expect([...imports].sort()).toEqual([...sheets].sort())
    expect(sheets.filter((path) => /@import|url\(/.test(read(path)))).toEqual([])
  })

  it.each(sheets)('%s: every selector stays inside .millrace', (path) => {
    const selectors = selectorsIn(read(path))
    expect(selectors.length).toBeGreaterThan(3)
    expect(selectors.filter((selector) => !/\.millrace(?![\w-])/.test(selector))).toEqual([])
  })

  it('has keyframes with names of its own', () => {
    const names = sheets.flatMap((path) => [...read(path).matchAll(/@keyframes ([\w-]+)/g)].map(([, name]) => name))
    expect(names.filter((name) => !name?.startsWith('mr-'))).toEqual([])
  })

  it('uses only variables that it sets itself', () => {
    const all = sheets.map(read).join('\n')
    const set = new Set([...all.matchAll(/(--[\w-]+):/g)].map(([, name]) => name))
    const used = [...all.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name)
    expect(used.filter((name) => !set.has(name))).toEqual([])
  })
})
