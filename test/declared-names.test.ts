import { describe, expect, it } from 'vitest'
import { bindingNames } from './declared-names.ts'

const namesIn = (source: string) => bindingNames(source, (name) => name === 'told').map(({ line }) => line)

describe('the scanner of declared names', () => {
  it.each([
    ['a variable', 'const told = 1'],
    ['one of several variables', 'let a = 1, told = 2'],
    ['a variable of a loop', 'for (const told of all) run()'],
    ['a function', 'function told() {}'],
    ['a class', 'class told {}'],
    ['an interface', 'interface told {}'],
    ['a type', 'type told = string'],
    ['a parameter', 'function f(a: string, told: string) {}'],
    ['an optional parameter', 'const f = (told?: string) => 1'],
    ['a parameter without brackets', 'all.map(told => 1)'],
    ['a parameter of a method', 'const o = { f(told) {} }'],
    ['a parameter of a signature', 'interface A {\n  f(told: string): void\n}'],
    ['a parameter on a line of its own', 'function f(\n  told: string,\n) {}'],
    ['an index signature', 'type A = { [told: string]: number }'],
    ['a destructured binding', 'const { told } = all'],
    ['a renamed binding', 'const { message: told } = all'],
    ['a binding with a default', 'const { told = 1 } = all'],
    ['the rest of a destructuring', 'const { a, ...told } = all'],
    ['an item of an array', 'const [a, told] = all'],
    ['a caught error', 'try {} catch (told) {}'],
    ['an alias of an import', "import { a as told } from 'a'"],
    ['a use in a template', `\`a \${\`b \${told}\`} c\``],
    ['a use in a condition', 'const a = b ? told : c'],
    ['a use in JSX', 'const a = <p title={told}>b</p>'],
    ['a use behind a regular expression', "const a = /'/.test(b) || told"],
    ['a call', 'if (a) {\n  told(b)\n}'],
  ])('finds %s', (_, source) => {
    expect(namesIn(source)).toHaveLength(1)
  })

  it.each([
    ['a property of a type', 'interface A {\n  readonly a: string\n  readonly told?: string\n  told: string\n}'],
    ['a property of an object', 'const a = { told: 1, b: { told: 2 } }'],
    ['a property on a line of its own', 'const a = {\n  b,\n  told: 1,\n}'],
    ['a method', 'const a = {\n  told(b) {},\n  async told() {},\n}'],
    ['a method of a type', 'interface A {\n  told(a: string): void\n}'],
    ['the name of a destructured property', 'const { told: message } = all'],
    ['an access', 'a.told + b?.told'],
    ['an import', "import { told } from 'a'\ntold()"],
    ['a string', 'const a = \'told\' + "told" + `told`'],
    ['a comment', '// told\n/* told */'],
    ['a regular expression', 'const a = /told/.test(b)'],
    ['an attribute', 'const a = <p told="b" />'],
    ['text', 'const a = <p>was told so</p>'],
    ['a word of text', 'const a = <p>told</p>'],
    ['a part of another name', 'const toldLength = untold'],
  ])('does not count %s', (_, source) => {
    expect(namesIn(source)).toEqual([])
  })

  it('names the line, also behind texts and templates over several lines', () => {
    expect(namesIn(`const a = \`\n\${b}\n\`\n/*\n*/\nconst told = 1`)).toEqual([6])
  })
})
