import { parsers } from '@millrace/core/parse'
import { parserSuite } from '@millrace/testkit/parser-suite'
import { fixtureFolders, fixturesOf } from '@millrace/testkit/repository/fixtures'
import { describe, expect, it } from 'vitest'

for (const [name, parser] of Object.entries(parsers)) parserSuite(name, parser, fixturesOf(name))

describe('fixtures', () => {
  it('have a folder for each parser of the registry, and no other', () => {
    expect(fixtureFolders().toSorted()).toEqual(Object.keys(parsers).toSorted())
  })
})
