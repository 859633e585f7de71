import { expect, test } from 'vitest'
import { checkHar } from '../../src/har.ts'
import { BASE, har, pay, redacted, signIn } from '../recorded/session.ts'

test('it masks a token that a service shows as a value of an enumeration', () => {
  const signedIn = signIn()
  const { access_token: token } = JSON.parse(String(signedIn.response?.content.text))
  expect(token).toMatch(/^\S{8,}$/)
  const result = checkHar(har([signedIn, redacted(pay(), 'status', token)]), { baseUrl: BASE })
  expect(result.verdicts.flatMap(({ values }) => values)).toContain('***')
  expect(JSON.stringify(result)).not.toContain(token)
})
