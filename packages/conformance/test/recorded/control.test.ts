import { describe, expect, it } from 'vitest'
import { checkHar } from '../../src/har.ts'
import { BASE, changed, har, signIn, webhookCycle } from './session.ts'

describe('the control API of a sandbox in a recording', () => {
  it('says that the records are gone', () => {
    const reset = changed(signIn(8), ({ request, response }) => {
      request.url = `${BASE}/_sandbox/reset`
      if (response) Object.assign(response, { status: 204, content: { size: 0, mimeType: '' } })
    })
    const entries = [signIn(), webhookCycle()[0], reset, signIn(10), webhookCycle()[3]]
    const { findings } = checkHar(har(entries), { baseUrl: BASE, isComplete: true })
    expect(findings.map(({ rule }) => rule)).not.toContain('lists-whole')
  })
})
