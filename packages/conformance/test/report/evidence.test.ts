import { describe, expect, it } from 'vitest'
import { createEvidenceMasker } from '../../src/report/evidence.ts'
import { listUsers, readStory } from '../story.ts'

/** The curl command of the finding in a list of users that was sent with a header, without an `id`. */
function buildCurl(authorization: string): string | undefined {
  const { findings } = readStory([listUsers({}, { authorization, status: 500 })])
  const evidence = findings[0]?.evidence
  if (!evidence) throw new Error('the story has no finding')

  const masker = createEvidenceMasker({
    base: 'http://127.0.0.1:4020',
    partner: { clientKey: 'partner', clientSecret: 'made-up-secret' },
    words: new Set(),
  })
  return masker.evidence(evidence).curl
}

describe('the curl command of a finding', () => {
  it('has a variable in place of the token', () => {
    expect(buildCurl('Bearer token-of-partner')).toContain('-H "authorization: Bearer $TOKEN"')
  })

  it('has a variable in place of a token without a scheme', () => {
    expect(buildCurl('token-of-partner')).toContain('-H "authorization: $TOKEN"')
  })

  it('is left out if the scheme is no word, which a shell would run', () => {
    expect(buildCurl('$(id) token-of-partner')).toBeUndefined()
  })
})
