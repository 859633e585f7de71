import { expect, test } from 'vitest'
import { checkHar } from '../../src/har.ts'
import {
  BASE,
  changed,
  har,
  lookUp,
  pay,
  redacted,
  signIn,
  withContent,
} from '../recorded/session.ts'

test('it masks a token that a service shows as a value of an enumeration', () => {
  const signedIn = signIn()
  const { access_token: token } = JSON.parse(String(signedIn.response?.content.text))
  expect(token).toMatch(/^\S{8,}$/)
  const result = checkHar(har([signedIn, redacted(pay(), 'status', token)]), { baseUrl: BASE })
  expect(result.verdicts.flatMap(({ values }) => values)).toContain('***')
  expect(JSON.stringify(result)).not.toContain(token)
})

test.each([
  { title: 'in a URL', text: 'made-up%2Ftoken%2B1' },
  { title: 'in a URL with small letters', text: 'made-up%2ftoken%2b1' },
  { title: 'in JSON with escaped slashes', text: 'made-up\\/token+1' },
  { title: 'in JSON with an escaped plus', text: 'made-up/token\\u002B1' },
  { title: 'in JSON with an escaped plus in small letters', text: 'made-up/token\\u002b1' },
])('it masks a token that a service repeats as it is written $title', ({ text }) => {
  const signedIn = redacted(signIn(), 'access_token', 'made-up/token+1')
  const failed = changed(
    withContent(lookUp(), () => ({ text: `{"detail":"wrong: ${text}"}` })),
    ({ response }) => {
      if (response) response.status = 500
    },
  )
  const { findings } = checkHar(har([signedIn, failed]), { baseUrl: BASE })
  const responses = findings.map(({ evidence }) => evidence.response)
  expect(responses).toContain('{"detail":"wrong: ***"}')
})
