import { hostileTextLaw, hostileTexts } from '@millrace/testkit/hostile-text'
import { brief, violationsOf } from '@millrace/testkit/law'
import { describe, expect, it } from 'vitest'

describe('any text of an agent', () => {
  it(`law 2: ${hostileTextLaw.promise}`, { timeout: 120_000 }, () => {
    expect(violationsOf(hostileTextLaw, hostileTexts, brief, () => 1)).toEqual([])
  })
})
