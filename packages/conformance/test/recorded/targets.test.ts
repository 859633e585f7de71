import { expect, it } from 'vitest'
import { checkHar } from '../../src/har.ts'
import { BASE, changed, har, listUsers, signIn } from './session.ts'

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
