import { expect, it } from 'vitest'
import { checkHar } from '../../src/har.ts'
import { BASE, changed, har, listUsers, lookUp, signIn } from './session.ts'

it('truncates a long path in a finding, which then has no command', () => {
  const names = Array.from({ length: 500 }, (_, i) => `name${i}=1`)
  const longTarget = changed(listUsers(), (copy) => {
    copy.request.url += `?${names.join('&')}`
  })
  const { findings } = checkHar(har([signIn(), longTarget]), { baseUrl: BASE })
  expect(findings).not.toEqual([])
  for (const { evidence } of findings) {
    expect(evidence.path).toMatch(/^.{2000}… \(4,917 characters\)$/)
    expect(evidence.curl).toBeUndefined()
  }
})

it('reads no more than 100,000 characters of a path, and says that it is unknown', () => {
  const entry = changed(lookUp(), ({ request }) => {
    request.url += `?${'a&'.repeat(60_000)}`
  })
  const { unknown } = checkHar(har([signIn(), entry]), { baseUrl: BASE })
  expect(unknown).toMatchObject({ values: 1 })
})
